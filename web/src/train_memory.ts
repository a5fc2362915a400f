// <boardgym-memory>: what a table remembers of a position: play moves on the board to see what it makes of them.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import "./board.js";
import { count } from "./numbers.js";
import { PreferencesController } from "./preferences.js";
import { controls, tokens } from "./style.js";
import { memory, type Memory, type MemoryEntry } from "./train_data.js";

const MOST_UPDATES = 65_535; // that a table counts

@customElement("boardgym-memory")
export class MemoryElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .both {
        display: grid;
        grid-template-columns: minmax(0, 22rem) minmax(0, 1fr);
        gap: 1rem 1.5rem;
        align-items: start;
      }
      .wide {
        overflow: auto;
        max-height: 26rem;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        text-align: right;
        padding: 0.15rem 0.5rem;
        border-bottom: 1px solid var(--edge);
        font-weight: 400;
      }
      th:first-child,
      td:first-child {
        text-align: left;
        padding-left: 0;
      }
      td button {
        min-height: 1.9rem;
        padding: 0 0.6rem;
      }
      .best {
        font-weight: 700;
      }
      .unknown {
        color: var(--quiet);
      }
      .scale {
        width: 40%;
        min-width: 5rem;
      }
      .bar {
        display: block;
        width: 100%;
        height: 0.7rem;
        fill: var(--accent);
      }
      .bar.below {
        fill: var(--bad);
      }
      @media (max-width: 46rem) {
        .both {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property({ attribute: false }) botId = "";
  @property({ attribute: false }) learnt = 0;
  @state() private found?: Memory;
  @state() private moves: number[] = []; // to the position that is looked at
  @state() private shown: number[] = this.moves; // the moves to the position on the board
  @state() private message = "";
  private readonly preferences = new PreferencesController(this);
  private asked = 0; // counts requests
  private answered = 0; // the latest of them that is shown

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("botId")) {
      this.found = undefined;
      this.moves = this.shown = [];
    }
    if (changed.has("botId") || changed.has("learnt")) void this.look(this.moves);
  }

  private async look(moves: number[]): Promise<void> {
    const asked = ++this.asked;
    this.moves = moves;
    try {
      const found = await memory(this.botId, moves);
      if (moves !== this.moves || asked < this.answered) return; // late
      this.answered = asked;
      this.found = found;
      this.shown = moves;
      this.message = "";
    } catch (error) {
      if (moves !== this.moves || asked < this.answered) return;
      this.moves = this.shown;
      this.message = sentence(error);
    }
  }

  /** Plays a move from the position on the board; nothing while another one is asked for. */
  private play(action: number): void {
    if (this.moves === this.shown) void this.look([...this.shown, action]);
  }

  override render() {
    const { found } = this;
    if (!found) return this.message ? html`<p class="error">${this.message}</p>` : html`<p class="quiet">Reading its table…</p>`;
    const { entries, state, statistics } = found;
    const values = Object.fromEntries(entries.filter(({ is_known }) => is_known).map(({ action, value }) => [action, value]));
    return html`<p class="quiet">
        ${count(statistics.entries)} entries of ${count(statistics.positions)} positions; ${found.holds}. Play moves to walk through
        it.
      </p>
      ${this.message ? html`<p class="error">${this.message}</p>` : nothing}
      <div class="both">
        <div>
          <boardgym-board
            palette=${this.preferences.palette}
            .game=${found.game}
            .state=${state}
            .values=${values}
            ?interactive=${this.moves === this.shown}
            @play=${(event: CustomEvent<{ action: number }>) => this.play(event.detail.action)}
          ></boardgym-board>
          <div class="row">
            <button ?disabled=${this.moves.length === 0} @click=${() => this.look(this.moves.slice(0, -1))}>Back</button>
            <button ?disabled=${this.moves.length === 0} @click=${() => this.look([])}>Start</button>
          </div>
        </div>
        ${entries.length > 0 ? this.renderEntries(entries) : html`<p class="quiet">The game is over here.</p>`}
      </div>`;
  }

  private renderEntries(entries: MemoryEntry[]) {
    const most = Math.max(1e-9, ...entries.map(({ value }) => Math.abs(value)));
    const sorted = [...entries].sort((a, b) => b.value - a.value || a.action - b.action);
    return html`<div class="wide" tabindex="0" role="region" aria-label="Values of the moves">
      <table>
        <thead>
          <tr>
            <th scope="col">Move</th>
            <th scope="col">Value</th>
            <th scope="col"><span class="visually-hidden">Size</span></th>
            <th scope="col">Updates</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map(
            ({ action, move, value, visits, is_known, is_best }) =>
              html`<tr class=${is_known ? (is_best ? "best" : "") : "unknown"}>
                <td>
                  <button
                    aria-label="${move}: look at what follows"
                    @click=${() => this.play(action)}
                  >
                    ${move}
                  </button>
                </td>
                <td>${is_known ? value.toFixed(2) : "–"}</td>
                <td class="scale">
                  <svg class="bar ${value < 0 ? "below" : ""}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width=${Math.max((100 * Math.abs(value)) / most, 1)} height="8" rx="1"></rect>
                  </svg>
                </td>
                <td>${is_known ? (visits < MOST_UPDATES ? count(visits) : `${count(visits)} or more`) : "never"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}
