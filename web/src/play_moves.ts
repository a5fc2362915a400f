// <boardgym-play-moves>: the moves of a game, a row a round and a column a seat; a click shows the position after a move.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { roundsOf, type ListedMove } from "./board/movelist.js";
import { showWithin } from "./scrolling.js";
import { controls, tokens } from "./style.js";

// Paths of the buttons' signs.
const FIRST = "M3 4h2.5v12H3zM17 4v12L7 10z";
const BACK = "M15 4v12L5 10z";
const ON = "M5 4v12l10-6z";
const LAST = "M14.5 4H17v12h-2.5zM3 4v12l10-6z";

@customElement("boardgym-play-moves")
export class PlayMoves extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
      }
      .list {
        overflow-y: auto;
        flex: 1;
        min-height: 4rem;
        scrollbar-width: thin;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        table-layout: fixed;
      }
      th {
        text-align: left;
        font-size: 0.8rem;
        color: var(--quiet);
        font-weight: 600;
        padding: 0.2rem 0.4rem;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .number {
        width: 2.6rem;
        color: var(--quiet);
        font-weight: 400;
        font-variant-numeric: tabular-nums;
      }
      td {
        padding: 0;
        vertical-align: top;
      }
      td button {
        min-height: 1.8rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
        max-width: 100%;
        white-space: normal;
        text-align: left;
        overflow-wrap: anywhere;
      }
      td button[aria-current="true"] {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .roll {
        color: var(--quiet);
      }
      .steps {
        display: grid;
        grid-template-columns: repeat(4, 1fr);
        gap: 0.4rem;
        padding-top: 0.5rem;
      }
      .steps button {
        padding: 0;
      }
    `,
  ];

  @property({ attribute: false }) steps: ListedMove[] = [];
  @property({ attribute: false }) seats: string[] = [];
  @property({ attribute: false }) shown = 0; // index of the position on the board

  private go(index: number): void {
    this.dispatchEvent(new CustomEvent<number>("show", { detail: index }));
  }

  protected override updated(changed: PropertyValues<this>): void {
    const isLonger = changed.has("steps") && changed.get("steps")?.length !== this.steps.length;
    if (!changed.has("shown") && !isLonger) return; // else the list stays where one has scrolled it
    const list = this.renderRoot.querySelector(".list");
    const current = this.renderRoot.querySelector<HTMLElement>('[aria-current="true"]');
    if (!list) return;
    if (!current) list.scrollTop = 0;
    else showWithin(list, current);
  }

  override render() {
    const last = this.steps.length;
    return html`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.steps.length === 0 ? html`<p class="quiet">No moves yet.</p>` : this.renderTable()}
      </div>
      <div class="steps" role="group" aria-label="Browse the moves">
        ${this.renderStep(FIRST, "First position", 0, this.shown > 0)}
        ${this.renderStep(BACK, "One move back", this.shown - 1, this.shown > 0)}
        ${this.renderStep(ON, "One move on", this.shown + 1, this.shown < last)}
        ${this.renderStep(LAST, "Back to the game", last, this.shown < last)}
      </div>
    `;
  }

  private renderStep(sign: string, name: string, index: number, isPossible: boolean) {
    return html`<button aria-label=${name} title=${name} ?disabled=${!isPossible} @click=${() => this.go(index)}>
      <svg viewBox="0 0 20 20" width="18" height="18" fill="currentColor" aria-hidden="true"><path d=${sign} /></svg>
    </button>`;
  }

  private renderTable() {
    return html`<table>
      <thead>
        <tr>
          <th class="number"><span class="visually-hidden">Round</span></th>
          ${this.seats.map((seat) => html`<th scope="col">${seat}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${roundsOf(this.steps, this.seats.length).map(
          (round, index) => html`<tr>
            <th class="number" scope="row">${index + 1}</th>
            ${round.map((cell) => html`<td>${cell.map((step) => this.renderMove(step))}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private renderMove({ index, seat, move }: ListedMove) {
    return html`<button
      class=${seat < 0 ? "roll" : nothing}
      aria-current=${index === this.shown ? "true" : nothing}
      @click=${() => this.go(index)}
    >
      ${move}
    </button>`;
  }
}
