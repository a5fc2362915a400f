// <boardgym-analyse-openings>: what was played from here, in a file of records or all games that the studio has, and with what success.
import { LitElement, css, html, nothing, svg, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { openingMoves, openingsOfPlays, sendOpenings, type OpeningFile, type OpeningMove, type Place } from "./analyse_data.js";
import { sentence } from "./api.js";
import { count } from "./numbers.js";
import { controls, tokens } from "./style.js";

/** Event: "try" (a move, as a list of one). */
@customElement("boardgym-analyse-openings")
export class AnalyseOpenings extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th {
        font-size: 0.8rem;
        color: var(--quiet);
        text-align: right;
        font-weight: 600;
      }
      th:first-child,
      td:first-child {
        text-align: left;
      }
      td {
        text-align: right;
        padding: 0.1rem 0.3rem;
        border-top: 1px solid var(--edge);
      }
      td button {
        min-height: 1.7rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
        font-weight: 650;
      }
      .bar {
        width: 100%;
        min-width: 4rem;
        height: 0.7rem;
        display: block;
        border-radius: 3px;
      }
      .draw {
        fill: var(--edge);
      }
      input[type="file"] {
        padding: 0.3rem;
        width: 100%;
      }
    `,
  ];

  @property({ attribute: false }) place!: Place;
  @property({ attribute: false }) seats: string[] = [];
  @property({ attribute: false }) palette: Record<string, string> = {};
  @state() private file?: OpeningFile;
  @state() private name = "";
  @state() private rows: OpeningMove[] = [];
  @state() private message = "";
  @state() private isBusy = false;
  private asked = 0;

  private get rules(): string {
    return JSON.stringify([this.place.game, this.place.options]);
  }

  private of = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("place")) return;
    if (this.rules !== this.of) this.file = undefined;
    this.of = this.rules;
    void this.look();
  }

  private async look(): Promise<void> {
    const asked = ++this.asked;
    this.rows = [];
    this.message = "";
    if (!this.file) return;
    try {
      const { moves } = await openingMoves(this.file.id, this.place);
      if (asked === this.asked) this.rows = moves;
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
  }

  private async take(name: string, ask: () => Promise<OpeningFile>): Promise<void> {
    const { rules } = this;
    this.message = "";
    this.isBusy = true;
    try {
      const file = await ask();
      if (rules !== this.rules) return; // of another game than is analysed now
      this.file = file;
      this.name = name;
      void this.look();
    } catch (error) {
      if (rules === this.rules) this.message = sentence(error);
    } finally {
      this.isBusy = false;
    }
  }

  private chosen(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    const { game, options } = this.place;
    if (file) void this.take(file.name, () => sendOpenings(file, game, options));
    input.value = "";
  }

  override render() {
    const { file } = this;
    return html`
      <div class="field">
        <label for="file">A file of games</label>
        <input id="file" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy} @change=${this.chosen} />
      </div>
      <p>
        <button
          ?disabled=${this.isBusy}
          @click=${() => this.take("the studio's games", () => openingsOfPlays(this.place.game, this.place.options))}
        >
          All games that the studio has
        </button>
      </p>
      <div role="status">
        ${this.isBusy ? html`<p class="quiet">Counting the games …</p>` : nothing}
        ${this.message ? html`<p class="error">${this.message}</p>` : nothing}
        ${file ? html`<p class="quiet">${this.summary(file)}</p>` : nothing}
      </div>
      ${file ? this.renderMoves() : nothing}
    `;
  }

  private summary({ games, others, positions }: OpeningFile): string {
    const left = others > 0 ? `; ${count(others)} of other games or rules left out` : "";
    return `${this.name}: ${count(games)} games, ${count(positions)} positions${left}.`;
  }

  private renderMoves() {
    if (this.rows.length === 0) return html`<p>No game of these came here.</p>`;
    return html`<table>
      <thead>
        <tr>
          <th scope="col">Move</th>
          <th scope="col">Games</th>
          <th scope="col">Score</th>
          <th scope="col">Won by ${this.seats[0]} · drawn · won by ${this.seats.slice(1).join(", ")}</th>
        </tr>
      </thead>
      <tbody>
        ${this.rows.map(
          (row) => html`<tr>
            <td><button @click=${() => this.dispatchEvent(new CustomEvent("try", { detail: [row.move] }))}>${row.move}</button></td>
            <td>${count(row.games)}</td>
            <td>${row.score === null ? "–" : `${(100 * row.score).toFixed(0)} %`}</td>
            <td>${this.renderBar(row)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** Wins of the first seat, draws, wins of the others. */
  private renderBar({ wins, draws }: OpeningMove) {
    const total = wins.reduce((sum, count) => sum + count, draws);
    if (total === 0) return "–";
    const share = (count: number): number => (100 * count) / total;
    const parts: [number, string][] = [
      [wins[0] ?? 0, this.palette["piece-0"] ?? ""],
      [draws, ""],
      ...wins.slice(1).map((count, seat): [number, string] => [count, this.palette[`piece-${seat + 1}`] ?? ""]),
    ];
    let x = 0;
    const label = `${wins[0]} won by ${this.seats[0]}, ${draws} drawn, ${wins.slice(1).join(", ")} won by ${this.seats.slice(1).join(", ")}`;
    return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${label}>
      ${parts.map(([count, colour]) => {
        const from = x;
        x += share(count);
        return bar(from, share(count), colour);
      })}
    </svg>`;
  }
}

const bar = (x: number, width: number, colour: string) =>
  svg`<rect x=${x} y="0" width=${width} height="10" fill=${colour || nothing} class=${colour ? nothing : "draw"} stroke="gray" stroke-width="0.3" />`;
