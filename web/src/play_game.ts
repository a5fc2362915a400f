// <boardgym-play-game>: a game in progress, or one that is over: the board, who plays, the moves, and what one can do.
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "./board.js";
import { isFree } from "./keys.js";
import { isHuman, nameOfSeat, type Play } from "./play_data.js";
import "./play_actions.js";
import { look } from "./play_look.js";
import "./play_moves.js";
import { PlaySession } from "./play_session.js";
import "./play_seats.js";
import { PreferencesController } from "./preferences.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";

@customElement("boardgym-play-game")
export class PlayGame extends LitElement {
  static override styles = [tokens, controls, look];

  @property() playId = "";
  @state() private flipped?: boolean; // undefined: seen from the seat of the only person
  private readonly session = new PlaySession(this);
  private readonly preferences = new PreferencesController(this);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.browse);
  }

  override disconnectedCallback(): void {
    removeEventListener("keydown", this.browse);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("playId")) return;
    this.flipped = undefined;
    this.session.follow(this.playId);
  }

  protected override updated(): void {
    const { play } = this.session;
    if (play) showTitle(`${play.game.title}: ${play.state.status}`);
  }

  /** Arrow keys browse the moves, unless what has the focus takes them itself. */
  private browse = (event: KeyboardEvent): void => {
    if (!isFree(event)) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    void this.session.show(this.session.shownIndex + step);
  };

  override render() {
    const { play, isGone, message } = this.session;
    if (isGone) {
      return html`<h1 tabindex="-1">This game is not here</h1>
        <p class="error" role="alert">${message}</p>
        <p><a class="button primary" href="#/play">Start another game</a></p>`;
    }
    if (!play) return html`<p class="quiet">Loading the game…</p>`;
    return html`
      <h1 class="visually-hidden">${play.game.title}</h1>
      <div class="game">
        <div class="board">${this.renderBoard(play)} ${this.renderMessages(play)}</div>
        <div class="side">
          <boardgym-play-seats class="card" .play=${play} palette=${this.preferences.palette}></boardgym-play-seats>
          <boardgym-play-moves
            class="card"
            .steps=${play.state.moves.map((move, at) => ({ index: at + 1, seat: play.movers[at] ?? 0, move }))}
            .seats=${play.game.seats}
            .shown=${this.session.shownIndex}
            @show=${(event: CustomEvent<number>) => this.session.show(event.detail)}
          ></boardgym-play-moves>
          <boardgym-play-actions
            .play=${play}
            .session=${this.session}
            .busy=${this.session.isBusy}
            .shown=${this.session.shownIndex}
            @flip=${() => (this.flipped = !this.isFlipped(play))}
          ></boardgym-play-actions>
        </div>
      </div>
    `;
  }

  private isFlipped(play: Play): boolean {
    if (this.flipped !== undefined) return this.flipped;
    const people = play.seats.map(isHuman);
    return people.length === 2 && people[1] === true && people[0] === false;
  }

  private renderBoard(play: Play) {
    const { session } = this;
    const isMine = !play.is_over && !session.isPast && isHuman(play.seats[play.state.to_play ?? -1]);
    return html`
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${play.game}
        .state=${session.shown}
        .interactive=${isMine}
        .showLegal=${isMine}
        .flipped=${this.isFlipped(play)}
        .arrows=${session.hint && !session.isPast ? [session.hint.action] : []}
        @play=${(event: CustomEvent<{ action: number }>) => session.move(event.detail.action)}
        @refused=${(event: CustomEvent<{ places: number[]; text?: string }>) => this.refused(event.detail)}
        @pick=${() => this.notYours(play)}
      ></boardgym-board>
      ${session.isPast
        ? html`<div class="past" role="status">
            <span>After ${session.shownIndex} of ${play.state.moves.length} moves.</span>
            <button @click=${() => session.show(play.state.moves.length)}>Back to the game</button>
          </div>`
        : nothing}
    `;
  }

  private refused({ places, text }: { places: number[]; text?: string }): void {
    if (places.length > 0) void this.session.askWhy(places);
    else this.session.say(`“${text ?? ""}” is no legal move here.`);
  }

  private notYours(play: Play): void {
    if (this.session.isPast) this.session.say("This is an earlier position. Go back to the game to play on.");
    else if (play.is_over) this.session.say("The game is over.");
    else this.session.say(`It is the turn of ${nameOfSeat(play, play.state.to_play ?? -1)}.`);
  }

  private renderMessages(play: Play) {
    const { hint, message, isPast } = this.session;
    return html`
      <div role="alert">
        ${message ? html`<p class="error">${message}</p>` : nothing}
        ${play.message ? this.renderFailure(play, play.message) : nothing}
      </div>
      <div role="status">${hint && !isPast ? html`<p class="hint">Hint: <b>${hint.move}</b></p>` : nothing}</div>
    `;
  }

  /** What a policy did wrong, and how to go on. */
  private renderFailure(play: Play, message: string) {
    const { session } = this;
    const seat = play.state.to_play ?? -1;
    const isStuck = !play.is_over && play.seats[seat]?.kind === "policy";
    return html`<div class="error">
      <p>${message}</p>
      ${isStuck
        ? html`<form class="row" @submit=${(event: SubmitEvent) => this.replace(event, seat)}>
            <button type="button" ?disabled=${session.isBusy} @click=${session.askAgain}>Ask it again</button>
            <button type="button" ?disabled=${session.isBusy} @click=${() => session.replace(seat, { kind: "human", spec: "" })}>
              Take the seat yourself
            </button>
            <input class="mono" name="spec" value="greedy" maxlength="200" required aria-label="Another policy" />
            <button ?disabled=${session.isBusy}>Let this play</button>
          </form>`
        : nothing}
    </div>`;
  }

  private replace(event: SubmitEvent, seat: number): void {
    event.preventDefault();
    const spec = String(new FormData(event.target as HTMLFormElement).get("spec") ?? "").trim();
    void this.session.replace(seat, { kind: "policy", spec });
  }
}
