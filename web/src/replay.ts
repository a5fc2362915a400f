// <boardgym-replay>: a game that is over, or any row of positions: step, scrub, play, and its list of moves.
import { LitElement, css, html, nothing, svg, type PropertyValues } from "lit";
import { customElement, property, query, state as internal } from "lit/decorators.js";
import "./board.js";
import { type ListedMove, movesOf, roundsOf } from "./board/movelist.js";
import type { Arrow } from "./board/overlays.js";
import { type PackedReplay, unpack } from "./board/packed.js";
import type { BoardState, GameDescription } from "./description.js";
import { isFree } from "./keys.js";
import { showWithin } from "./scrolling.js";

const SPEEDS = [0.5, 1, 2, 4]; // plies a second

/**
 * A page may set its properties, or write them within it as JSON: <script type="application/json">, as exported pages do.
 *
 * Event, which bubbles and leaves the shadow tree: "step" {index} whenever another position is shown.
 */
@customElement("boardgym-replay")
export class ReplayElement extends LitElement {
  static override styles = css`
    :host { display: block; }
    .all { display: grid; gap: 0.8em 1.4em; grid-template-columns: minmax(0, 1fr) minmax(13em, 19em); align-items: start; }
    .tools { display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; padding-top: 0.5em; }
    .tools input { flex: 1 1 9em; min-width: 6em; accent-color: var(--boardgym-hint, #7a3ff2); }
    .count { font-variant-numeric: tabular-nums; min-width: 4.5em; text-align: right; color: light-dark(#5b6169, #a3aab4); }
    button, select { font: inherit; color: inherit; border: 1px solid light-dark(#c3c7ce, #4a505a); border-radius: 6px;
      background: light-dark(#fff, #22252b); min-width: 2.6em; min-height: 2.4em; cursor: pointer; padding: 0.2em 0.5em; }
    button:disabled { opacity: 0.4; cursor: default; }
    button svg { width: 1em; height: 1em; display: block; margin: auto; fill: currentColor; }
    :focus-visible { outline: 2px solid var(--boardgym-hint, #7a3ff2); outline-offset: 1px; }
    ol { margin: 0; padding: 0.3em 0.3em 0.3em 3em; max-height: min(70vh, 34em); overflow: auto; position: relative;
      border-radius: 8px; background: light-dark(#f3f4f6, #22252b); }
    li::marker { color: light-dark(#5b6169, #a3aab4); font-variant-numeric: tabular-nums; }
    li div { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5em, 1fr)); gap: 0.1em; }
    li button { border: 0; background: none; min-height: 2em; text-align: left; border-radius: 4px; }
    li button.roll { color: light-dark(#5b6169, #a3aab4); }
    li button:hover { background: light-dark(#e3e5ea, #33373f); }
    li button[aria-current="step"] { background: var(--boardgym-hint, #7a3ff2); color: #fff; font-weight: 600; }
    .comments { margin: 0.6em 0 0; padding: 0.5em 0.8em; border-left: 3px solid var(--boardgym-hint, #7a3ff2); overflow-wrap: anywhere; }
    @media (max-width: 640px) {
      .all { grid-template-columns: minmax(0, 1fr); }
      ol { max-height: 12em; }
      .tools input { flex-basis: 100%; order: -1; }
    }
  `;

  @property({ attribute: false }) game?: GameDescription;
  @property({ attribute: false }) states: BoardState[] = [];
  @property({ type: Number }) index = 0;
  @property({ attribute: false }) comments: [number, string][] = []; // after so many moves
  @property({ attribute: false }) values: Record<number, number>[] = []; // of each position
  @property({ attribute: false }) arrows: (Arrow | number)[][] = []; // on each position
  @property({ type: Boolean, reflect: true }) flipped = false;
  @property({ reflect: true }) palette = "";
  @property({ type: Boolean, attribute: "whole-page" }) wholePage = false; // its keys work anywhere on the page

  @internal() private speed = 1;
  @internal() private timer = 0;
  @query('[aria-current="step"]') private current?: HTMLElement | null;
  @query("ol") private list?: HTMLElement | null;

  override connectedCallback(): void {
    super.connectedCallback();
    const data = this.querySelector(':scope > script[type="application/json"]');
    if (data && !this.game) Object.assign(this, unpack(JSON.parse(data.textContent) as PackedReplay));
    this.addEventListener("keydown", this.onKey);
    document.addEventListener("keydown", this.onPageKey);
  }

  override disconnectedCallback(): void {
    this.pause();
    this.removeEventListener("keydown", this.onKey);
    document.removeEventListener("keydown", this.onPageKey);
    super.disconnectedCallback();
  }

  override willUpdate(): void {
    this.index = Math.max(0, Math.min(this.index, this.last));
  }

  override updated(changed: PropertyValues<this>): void {
    const isLonger = changed.has("states") && changed.get("states")?.length !== this.states.length;
    if ((changed.has("index") || isLonger) && this.current && this.list) showWithin(this.list, this.current);
  }

  get isPlaying(): boolean {
    return this.timer !== 0;
  }

  private get last(): number {
    return Math.max(0, this.states.length - 1);
  }

  /** Shows another position, the nearest that there is. */
  go(index: number): void {
    const to = Math.max(0, Math.min(index, this.last));
    if (to === this.index) return;
    this.index = to;
    this.dispatchEvent(new CustomEvent("step", { detail: { index: to }, bubbles: true, composed: true }));
  }

  /** Shows the moves one by one, from the start if the end is shown. */
  play(): void {
    if (this.isPlaying || this.last === 0) return;
    if (this.index === this.last) this.go(0);
    this.timer = window.setInterval(() => {
      this.go(this.index + 1);
      if (this.index === this.last) this.pause();
    }, 1000 / this.speed);
  }

  pause(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
  }

  override render() {
    const { game, index } = this;
    const state = this.states[index];
    if (!game || !state) return nothing;
    const said = this.comments.filter(([after]) => after === index);
    return html`<div class="all">
      <div>
        <boardgym-board
          .game=${game}
          .state=${state}
          .values=${this.values[index] ?? {}}
          .arrows=${this.arrows[index] ?? []}
          .showLegal=${false}
          ?flipped=${this.flipped}
          palette=${this.palette}
        ></boardgym-board>
        ${this.renderTools()}
        ${said.map(([, text]) => html`<p class="comments">${text}</p>`)}
      </div>
      ${this.renderMoves(game)}
    </div>`;
  }

  private renderTools() {
    const { index, last } = this;
    const button = (name: string, drawing: string, to: number) => html`<button aria-label=${name} title=${name} ?disabled=${to === index}
      @click=${() => this.stepTo(to)}>${icon(drawing)}</button>`;
    const play = this.isPlaying ? "Pause" : "Play";
    return html`<div class="tools" role="group" aria-label="Replay">
      ${button("Start", "M2 2h2v12H2zM14 2v12L5 8z", 0)} ${button("Back", "M12 2v12L3 8z", Math.max(0, index - 1))}
      <button aria-label=${play} title=${play} ?disabled=${last === 0} @click=${this.toggle}>
        ${icon(this.isPlaying ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1l11 7-11 7z")}
      </button>
      ${button("Forward", "M4 2l9 6-9 6z", Math.min(last, index + 1))} ${button("End", "M12 2h2v12h-2zM2 2l9 6-9 6z", last)}
      <input type="range" min="0" max=${last} .value=${String(index)} aria-label="Ply" aria-valuetext="${index} of ${last}"
        @input=${(event: InputEvent) => this.stepTo(Number((event.target as HTMLInputElement).value))} />
      <span class="count">${index} / ${last}</span>
      <select aria-label="Speed" @change=${this.onSpeed}>
        ${SPEEDS.map((speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed}×</option>`)}
      </select>
      <button aria-label="Turn the board" title="Turn the board" aria-pressed=${this.flipped} @click=${() => (this.flipped = !this.flipped)}>
        ${icon("M4 1l4 4H5v6H3V5H0zM12 15l-4-4h3V5h2v6h3z")}
      </button>
    </div>`;
  }

  private renderMoves(game: GameDescription) {
    const rounds = roundsOf(movesOf(this.states), game.seats.length);
    if (rounds.length === 0) return nothing;
    const draw = ({ index, move, seat }: ListedMove) => html`<button
      aria-current=${index === this.index ? "step" : "false"}
      class=${seat < 0 ? "roll" : ""}
      title=${game.seats[seat] ?? "chance"}
      @click=${() => this.stepTo(index)}
    >${move}</button>`;
    return html`<ol aria-label="Moves">${rounds.map((round) => html`<li><div>${round.flat().map(draw)}</div></li>`)}</ol>`;
  }

  private stepTo(index: number): void {
    this.pause();
    this.go(index);
  }

  private toggle = (): void => {
    if (this.isPlaying) this.pause();
    else this.play();
  };

  private onSpeed(event: Event): void {
    this.speed = Number((event.target as HTMLSelectElement).value);
    if (!this.isPlaying) return;
    this.pause();
    this.play();
  }

  private onPageKey = (event: KeyboardEvent): void => {
    if (this.wholePage && !event.composedPath().includes(this)) this.onKey(event);
  };

  private onKey = (event: KeyboardEvent): void => {
    if (!isFree(event)) return;
    if (event.key === " " && event.composedPath()[0] instanceof HTMLButtonElement) return;
    const { index } = this;
    const to: Record<string, number> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: this.last };
    if (event.key in to) this.stepTo(to[event.key]!);
    else if (event.key === " ") this.toggle();
    else if (event.key === "f") this.flipped = !this.flipped;
    else return;
    event.preventDefault();
  };
}

const icon = (drawing: string) => html`<svg viewBox="0 0 16 16" aria-hidden="true">${svg`<path d=${drawing} />`}</svg>`;

declare global {
  interface HTMLElementTagNameMap {
    "boardgym-replay": ReplayElement;
  }
}
