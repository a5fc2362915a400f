// <boardgym-checkpoints>: what a bot would have played, and thought, in the course of its training, and its games then.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { valueText } from "./analyse_words.js";
import { sentence } from "./api.js";
import "./board.js";
import { amount, count, percent } from "./numbers.js";
import { PreferencesController } from "./preferences.js";
import "./replay.js";
import { controls, tokens } from "./style.js";
import { gameAt, perfectViews, viewsAt, type Bot, type BotGame, type BotViews, type View } from "./train_data.js";

const PERFECT = "Perfect play";

@customElement("boardgym-checkpoints")
export class CheckpointsElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .slider input {
        width: 100%;
        accent-color: var(--accent);
      }
      .views {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr));
        gap: 0.8rem 1.2rem;
        max-width: 52rem;
      }
      figure {
        margin: 0;
        min-width: 0;
      }
      figcaption {
        margin-bottom: 0.3rem;
        overflow-wrap: anywhere;
      }
      figcaption strong {
        display: block;
      }
      h3 {
        margin: 1rem 0 0.4rem;
        font-size: 1rem;
      }
      .loses {
        color: var(--bad);
      }
      .own {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        align-items: flex-end;
        margin-top: 1rem;
      }
      .own div {
        flex: 1 1 16rem;
      }
      .own input {
        width: 100%;
      }
      .row {
        margin-top: 0.8rem;
      }
      .game {
        border-top: 1px solid var(--edge);
        margin-top: 1.2rem;
      }
    `,
  ];

  @property({ attribute: false }) bot!: Bot;
  @property({ attribute: false }) snapshots: number[] = [];
  @property({ attribute: false }) fen = "";
  @state() private chosen = 0; // units after which it is looked at
  @state() private then?: BotViews;
  @state() private now?: BotViews;
  @state() private perfect: View[] = [];
  @state() private game?: BotGame;
  @state() private isPlaying = false;
  @state() private message = "";
  private readonly preferences = new PreferencesController(this);
  private asked = { then: 0, now: 0, perfect: 0, game: 0 }; // count requests: late answers are passed over

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("snapshots");
    const isOther = changed.has("bot") && changed.get("bot")?.id !== this.bot.id;
    if (isOther || changed.has("fen")) {
      if (isOther) {
        Object.assign(this, { game: undefined, isPlaying: false, chosen: this.snapshots[0] ?? 0 });
        this.asked.game += 1; // one that is being played is of the bot before
      }
      Object.assign(this, { then: undefined, now: undefined, perfect: [], message: "" });
      void this.load("perfect", perfectViews(this.bot.id, this.fen), (found) => (this.perfect = found.views));
      this.look();
      this.lookNow();
    } else if (changed.has("snapshots") && (before?.length !== this.snapshots.length || before?.at(-2) !== this.snapshots.at(-2))) {
      this.lookNow(); // whenever another one was kept
      if (!this.then) this.choose(this.snapshots[0] ?? 0); // the first one has come
    } else if (changed.has("bot") && changed.get("bot")?.state !== this.bot.state) this.lookNow();
  }

  private async load<T>(which: keyof CheckpointsElement["asked"], answer: Promise<T>, take: (found: T) => void): Promise<void> {
    const asked = ++this.asked[which];
    try {
      const found = await answer;
      if (asked === this.asked[which]) take(found);
    } catch (error) {
      if (asked === this.asked[which]) this.message = sentence(error);
    }
    if (which === "game" && asked === this.asked.game) this.isPlaying = false;
  }

  private look(): void {
    if (this.snapshots.length === 0) return;
    void this.load("then", viewsAt(this.bot.id, this.chosen, this.fen), (found) => (this.then = found));
  }

  private lookNow(): void {
    if (this.snapshots.length === 0) return;
    void this.load("now", viewsAt(this.bot.id, undefined, this.fen), (found) => (this.now = found));
  }

  private choose(done: number): void {
    this.chosen = done;
    this.message = "";
    this.look();
  }

  private get index(): number {
    let best = 0;
    const far = (index: number): number => Math.abs((this.snapshots[index] ?? 0) - this.chosen);
    for (const index of this.snapshots.keys()) if (far(index) < far(best)) best = index;
    return best;
  }

  private get unit(): string {
    return this.bot.progress?.unit ?? "";
  }

  /** Plays a game of the bot as it was after about so many units, and shows it. */
  play(done: number, number = 0): void {
    if (done !== this.chosen) this.choose(done);
    this.isPlaying = true;
    this.message = "";
    void this.load("game", gameAt(this.bot.id, done, number), (found) => {
      this.game = found;
      void this.updateComplete.then(() => this.renderRoot.querySelector(".game")?.scrollIntoView({ block: "nearest" }));
    });
  }

  private ask(event: SubmitEvent): void {
    event.preventDefault();
    const fen = (this.renderRoot.querySelector("#fen") as HTMLInputElement).value.trim();
    location.hash = `#/train/${this.bot.id}${fen ? `?${new URLSearchParams({ fen })}` : ""}`;
  }

  override render() {
    const { snapshots, index } = this;
    if (snapshots.length === 0) return html`<p class="quiet">They begin with what it learns first.</p>`;
    const at = amount(snapshots[index] ?? 0, this.unit);
    return html`<div class="slider">
        <label for="at">After ${at}</label>
        <input
          id="at"
          type="range"
          min="0"
          max=${snapshots.length - 1}
          .value=${String(index)}
          aria-valuetext=${at}
          @input=${(event: Event) => this.choose(snapshots[(event.target as HTMLInputElement).valueAsNumber] ?? 0)}
        />
      </div>
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${this.then ? this.then.views.map((_, row) => this.renderRow(row)) : nothing}
      ${this.then || this.message ? nothing : html`<p class="quiet">Asking the bot…</p>`}
      <form class="own" @submit=${(event: SubmitEvent) => this.ask(event)}>
        <div>
          <label for="fen">A position of your own</label>
          <input id="fen" .value=${this.fen} placeholder=${this.then?.views[0]?.state.fen ?? ""} maxlength="4000" autocomplete="off" spellcheck="false" />
        </div>
        <button>Show it</button>
      </form>
      ${this.renderGame()}`;
  }

  private renderRow(row: number) {
    const [then, now, perfect] = [this.then?.views[row], this.now?.views[row], this.perfect[row]];
    if (!then || !this.then) return nothing;
    return html`<h3>${then.name}</h3>
      <div class="views">
        ${this.renderView(`After ${count(this.then.done)}`, then, perfect)}
        ${now && this.now ? this.renderView(`Now, after ${count(this.now.done)}`, now, perfect) : nothing}
        ${perfect ? this.renderView(PERFECT, perfect, perfect) : nothing}
      </div>`;
  }

  private renderView(title: string, view: View, perfect?: View) {
    const worth = view.action === null ? undefined : perfect?.values[view.action];
    const best = perfect?.action == null ? undefined : perfect.values[perfect.action];
    const isWorse = worth !== undefined && best !== undefined && worth < best;
    const own = view.action === null ? undefined : view.values[view.action];
    const thinks = own === undefined ? "" : view.kind === "value" ? ` (${valueText(own)})` : ` (${percent(own)})`;
    return html`<figure>
      <figcaption>
        <span class="quiet">${title}</span>
        <strong>${view.action === null ? view.why : `${view.move}${view === perfect ? "" : thinks}`}</strong>
        <span class=${isWorse ? "loses" : "quiet"}>${worth === undefined ? "" : `${isWorse ? "a mistake: " : ""}${outcome(worth)}`}</span>
      </figcaption>
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${this.then?.game}
        .state=${view.state}
        .values=${view.values}
        .arrows=${view.action === null ? [] : [view.action]}
        .typing=${false}
      ></boardgym-board>
    </figure>`;
  }

  private renderGame() {
    const { game, snapshots, index } = this;
    const { palette } = this.preferences;
    const at = snapshots[index] ?? 0;
    const players = game ? game.players.map((player, seat) => `${game.game.seats[seat]}: ${player}`).join(", ") : "";
    return html`<div class="row">
        <button ?disabled=${this.isPlaying} @click=${() => this.play(at)}>
          ${this.isPlaying ? "It plays…" : `Show a game of it after ${amount(at, this.unit)}`}
        </button>
        ${game
          ? html`<button ?disabled=${this.isPlaying} @click=${() => this.play(game.done, game.number + 1)}>Another game</button>`
          : nothing}
      </div>
      ${game
        ? html`<div class="game" role="region" aria-label="A game of the bot">
            <h3>A game after ${amount(game.done, this.unit)}</h3>
            <p class="quiet">${players}${game.message ? `. ${game.message}` : ""}</p>
            ${keyed(
              game, // another one begins at its start
              html`<boardgym-replay palette=${palette} .game=${game.game} .states=${game.states}></boardgym-replay>`,
            )}
          </div>`
        : nothing}`;
  }
}

const outcome = (value: number): string => (value === 1 ? "wins" : value === -1 ? "loses" : value === 0 ? "draws" : `worth ${valueText(value)}`);
