// <boardgym-play-actions>: what one can do with a game besides moving: take back, hint, resign, save, rematch and so on.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import { isHuman, startPlay, type Play } from "./play_data.js";
import type { PlaySession } from "./play_session.js";
import { ROOMS } from "./rooms.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-actions")
export class PlayActions extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: grid;
        gap: 0.75rem;
      }
      .buttons {
        display: grid;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 0.4rem;
      }
      .buttons > * {
        padding: 0.3rem;
      }
      .fen {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem;
      }
    `,
  ];

  @property({ attribute: false }) play!: Play;
  @property({ attribute: false }) session!: PlaySession;
  @property({ type: Boolean }) busy = false; // a request is under way
  @property({ type: Number }) shown = 0; // how many moves lie before the position on the board
  @state() private isResigning = false; // asked once more
  private resigning?: number; // the seat that was asked
  @state() private isStarting = false; // the rematch
  @state() private copied = "";

  private get hasPerson(): boolean {
    return this.play.seats.some(isHuman);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("play");
    if (!before) return;
    if (before.id !== this.play.id || this.play.is_over) this.isResigning = false;
    if (before.id !== this.play.id) this.copied = "";
  }

  private async rematch(): Promise<void> {
    if (this.isStarting) return;
    this.isStarting = true;
    const { game, seats, start, clocks } = this.play;
    const swapped = [...seats.slice(1), ...seats.slice(0, 1)].map(({ kind, spec }) => ({ kind, spec }));
    const clock = clocks ? { clock: { seconds: clocks.seconds, increment: clocks.increment } } : {};
    try {
      const play = await startPlay({ game: game.id, options: game.options, seats: swapped, position: start, ...clock });
      location.hash = `#/play/${play.id}`;
    } catch (error) {
      this.session.say(sentence(error));
    } finally {
      this.isStarting = false;
    }
  }

  private async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = `${what} copied.`;
    } catch {
      this.copied = "This browser does not let the page copy: select the text and copy it yourself.";
    }
  }

  override render() {
    const { play } = this;
    return html`
      <div class="buttons" role="group" aria-label="Game">
        ${play.is_over ? this.renderAfter() : this.renderDuring()} ${this.renderAlways()}
      </div>
      ${this.isResigning ? this.renderResigning() : nothing}
      ${this.renderPosition()}
    `;
  }

  private renderDuring() {
    const { play, session } = this;
    const isMine = isHuman(play.seats[play.state.to_play ?? -1]) && !session.isPast;
    return html`
      ${this.hasPerson
        ? html`<button ?disabled=${this.busy || play.state.moves.length === 0} @click=${session.undo}>Take back</button>
            <button ?disabled=${this.busy || !isMine} @click=${() => session.askHint()}>Hint</button>
            <button ?disabled=${this.busy} id="resign" @click=${() => this.askResigning()}>Resign</button>`
        : html`<button class="primary" aria-pressed=${play.paused} @click=${play.paused ? session.askAgain : session.pause}>
            ${play.paused ? "Go on" : "Pause"}
          </button>`}
    `;
  }

  private renderAfter() {
    const { session } = this;
    return html`
      <button class="primary" ?disabled=${this.isStarting} @click=${() => this.rematch()}>Rematch</button>
      ${this.hasPerson ? html`<button ?disabled=${this.busy} @click=${session.undo}>Take back</button>` : nothing}
    `;
  }

  /** The game with its options, as addresses have it. */
  private get query(): string {
    const { id, options } = this.play.game;
    const query = new URLSearchParams({ game: id });
    for (const [name, value] of Object.entries(options)) query.append("option", `${name}=${value}`);
    return query.toString();
  }

  /** Where the game is analysed, at the position that is shown. */
  private get analysis(): string {
    const { start, state } = this.play;
    const place = new URLSearchParams({ fen: start, moves: state.moves.join(" "), at: String(this.shown) });
    return `#/analyse?${this.query}&${place}`;
  }

  private renderAlways() {
    const seats = this.play.seats.map(({ kind, spec }) => (kind === "human" ? kind : spec)).join(";");
    return html`
      <button @click=${() => this.dispatchEvent(new CustomEvent("flip"))}>Flip board</button>
      <a class="button" href="/api/plays/${this.play.id}/record" download>Save</a>
      ${ROOMS.some(({ path }) => path === "analyse") ? html`<a class="button" href=${this.analysis}>Analyse</a>` : nothing}
      <a class="button" href="#/play?${this.query}&seats=${encodeURIComponent(seats)}">New game</a>
    `;
  }

  /** Asks once more; the focus is on what does no harm. */
  private async askResigning(): Promise<void> {
    const { seats, state } = this.play;
    const people = seats.flatMap((seat, number) => (isHuman(seat) ? [number] : []));
    const toPlay = state.to_play ?? -1;
    this.resigning = people.length === 1 ? people[0] : people.includes(toPlay) ? toPlay : undefined;
    this.isResigning = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("[role=alertdialog] button")?.focus();
  }

  private async playOn(): Promise<void> {
    this.isResigning = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>("#resign")?.focus();
  }

  private resign(): void {
    this.isResigning = false;
    void this.session.resign(this.resigning);
  }

  private renderResigning() {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Escape") void this.playOn();
    };
    return html`<div class="card row" role="alertdialog" aria-label="Resign?" @keydown=${onKey}>
      <span>Resign this game?</span>
      <button @click=${() => this.playOn()}>Play on</button>
      <button class="primary" @click=${() => this.resign()}>Resign</button>
    </div>`;
  }

  private renderPosition() {
    const fen = this.session.shown?.fen ?? "";
    const query = `${this.query}&fen=${encodeURIComponent(fen)}`;
    return html`<details>
      <summary>Position string</summary>
      <div class="fen">
        <input class="mono" readonly aria-label="Position string" .value=${fen} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} />
        <button @click=${() => this.copy(fen, "Position string")}>Copy</button>
      </div>
      <p class="help" role="status">${this.copied}</p>
      <p><a href="#/play?${query}">Start a game from here</a></p>
    </details>`;
  }
}
