// <boardgym-play-seats>: who sits where, whose turn it is, and the clocks.
import { LitElement, css, html, nothing, svg, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Palette } from "./board/palette.js";
import { nameOfSeat, type Play } from "./play_data.js";
import { controls, tokens } from "./style.js";

const TICK_MS = 200;
const HURRY_S = 20;

@customElement("boardgym-play-seats")
export class PlaySeats extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: grid;
        gap: 0.35rem;
      }
      .seat {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        padding: 0.45rem 0.7rem;
        border: 1px solid transparent;
        border-radius: var(--radius);
        min-width: 0;
      }
      .seat.turn {
        background: var(--raised);
        border-color: var(--accent);
      }
      .colour {
        width: 1.2rem;
        height: 1.2rem;
        stroke: var(--field-edge);
        flex: none;
      }
      .who {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
        line-height: 1.25;
      }
      .name {
        font-weight: 600;
      }
      .clock {
        font-variant-numeric: tabular-nums;
        font-size: 1.25rem;
        font-weight: 600;
        padding: 0 0.4rem;
      }
      .hurry {
        color: var(--bad);
      }
      .thinking {
        color: var(--quiet);
        font-size: 0.85rem;
        white-space: nowrap;
      }
      .result {
        font-weight: 700;
        font-variant-numeric: tabular-nums;
      }
      @media (prefers-reduced-motion: no-preference) {
        .thinking::after {
          content: "…";
          animation: think 1.2s steps(2, jump-none) infinite;
        }
        @keyframes think {
          from {
            opacity: 0.2;
          }
          to {
            opacity: 1;
          }
        }
      }
    `,
  ];

  @property({ attribute: false }) play!: Play;
  @property() palette = ""; // or "colour-blind"
  @property({ attribute: false }) names: string[] = []; // in place of those that seats have of themselves
  @state() private now = Date.now();
  private timer = 0;

  override disconnectedCallback(): void {
    clearInterval(this.timer);
    this.timer = 0;
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("play")) return;
    this.now = Date.now();
    clearInterval(this.timer);
    this.timer = (this.play.clocks?.running ?? null) !== null ? setInterval(() => (this.now = Date.now()), TICK_MS) : 0;
  }

  private isTurn(seat: number): boolean {
    return !this.play.is_over && this.play.state.to_play === seat;
  }

  private secondsOf(seat: number): number | null {
    const { clocks } = this.play;
    const left = clocks?.left[seat];
    if (!clocks || left === undefined) return null;
    const gone = clocks.running === seat ? Math.max(0, this.now - clocks.at) / 1000 : 0;
    return Math.max(0, left - gone);
  }

  override render() {
    return html`${this.play.seats.map((_, seat) => this.renderSeat(seat))}`;
  }

  private renderSeat(seat: number) {
    const { play } = this;
    const seconds = this.secondsOf(seat);
    const outcome = play.state.outcome;
    const role = `piece-${seat}`;
    const paint = role in play.game.palette ? new Palette(play.game, this.palette).paint(role) : undefined;
    return html`<div class="seat ${this.isTurn(seat) ? "turn" : ""}">
      ${paint
        ? html`<svg class="colour" viewBox="0 0 20 20" aria-hidden="true">${svg`<circle cx="10" cy="10" r="9" fill=${paint} />`}</svg>`
        : nothing}
      <span class="who"><span class="name">${this.names[seat] || nameOfSeat(play, seat)}</span> <span class="quiet">${play.game.seats[seat]}</span></span>
      ${play.thinking === seat ? html`<span class="thinking">thinking</span>` : nothing}
      ${outcome ? html`<span class="result">${points(outcome.returns[seat] ?? 0)}</span>` : nothing}
      ${seconds === null
        ? nothing
        : html`<span class="clock ${seconds < HURRY_S ? "hurry" : ""}" role="timer">${clockText(seconds)}</span>`}
    </div>`;
  }
}

function clockText(seconds: number): string {
  if (seconds < HURRY_S) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

const points = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0");
