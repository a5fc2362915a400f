// <boardgym-curve>: the curve of a training as it grows; the study's: games won, drawn and lost of every 1,000.
import { LitElement, css, html, nothing, unsafeCSS, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import uPlot from "uplot";
import plotStyle from "uplot/dist/uPlot.min.css" with { type: "text" };
import { count, rounded } from "./numbers.js";
import { preferences } from "./preferences.js";
import { controls, tokens } from "./style.js";
import type { Curve } from "./train_data.js";

const HEIGHT = 300;
const X_SPACE = 70; // pixels between numbers, which may have nine characters
const GAMES = "games won, drawn, lost";
const RATES = "score rates against judges";
const COLOURS = ["quality", "won", "lost", "drawn"]; // of judges
const DASHES = [[], [9, 4], [3, 3], [12, 3, 3, 3]];
const POINTS = 12; // of the table
const FEW = 40; // points that are marked; more are a line

interface Line {
  name: string;
  colour: string; // a class of the probes below, which says it resolved for the theme
  dash: number[];
  width: number;
  values: (number | null)[];
}

@customElement("boardgym-curve")
export class CurveElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    unsafeCSS(plotStyle),
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .uplot {
        font: inherit;
      }
      .u-legend {
        font-size: 0.87rem;
        text-align: left;
      }
      .u-legend tr.u-series th,
      .u-legend tr.u-series td {
        color: var(--text);
      }
      :host([opens]) .u-over {
        cursor: pointer;
      }
      .points button {
        min-height: 1.9rem;
        padding: 0 0.6rem;
      }
      .probes {
        display: none;
      }
      .quality {
        color: var(--accent);
      }
      .won {
        color: var(--good);
      }
      .drawn,
      .axis {
        color: var(--quiet);
      }
      .lost {
        color: var(--bad);
      }
      .grid {
        color: var(--edge);
      }
      .empty {
        min-height: 6rem;
        display: grid;
        place-content: center;
        text-align: center;
      }
      table {
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      .points th,
      .points td {
        text-align: right;
        padding: 0.1rem 0.7rem 0.1rem 0;
        font-weight: 400;
      }
    `,
  ];

  @property({ attribute: false }) curve: Curve = { columns: [], rows: [] };
  @property({ type: Boolean, reflect: true }) opens = false; // whether its points can be clicked
  @query(".plot") private place!: HTMLElement | null;
  @state() private shown = "";
  private plot?: uPlot;
  private drawn = "";
  private width = 0;
  private observer = new ResizeObserver(() => this.fit());
  private scheme = matchMedia("(prefers-color-scheme: dark)");

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
    this.scheme.addEventListener("change", this.redraw);
    preferences.addEventListener("change", this.redraw);
  }

  override disconnectedCallback(): void {
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.redraw);
    preferences.removeEventListener("change", this.redraw);
    this.forget();
    super.disconnectedCallback();
  }

  private redraw = (): void => {
    this.drawn = "";
    requestAnimationFrame(() => this.draw());
  };

  private forget(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.drawn = "";
  }

  private fit(): void {
    const width = Math.floor(this.clientWidth);
    if (width === this.width) return;
    this.width = width;
    this.plot?.setSize({ width, height: HEIGHT });
    if (!this.plot) this.draw();
  }

  private get hasGames(): boolean {
    return ["won", "drawn", "lost"].every((name) => this.curve.columns.includes(name));
  }

  /** What can be shown: the games together, each other column alone. */
  private get choices(): string[] {
    const { judges, hasGames } = this;
    const together = [...(hasGames ? ["won", "drawn", "lost"] : []), ...judges.flatMap((name) => [name, `${name} low`, `${name} high`])];
    const others = this.curve.columns.slice(1).filter((name) => !together.includes(name));
    return [...(hasGames ? [GAMES] : []), ...(judges.length > 0 ? [RATES] : []), ...others];
  }

  /** Opponents against which score rates were measured, with the ends of their intervals beside them. */
  private get judges(): string[] {
    return this.curve.columns.filter((name) => this.curve.columns.includes(`${name} low`));
  }

  private get isShare(): boolean {
    return this.choice === GAMES || this.choice === RATES;
  }

  private get choice(): string {
    return this.choices.includes(this.shown) ? this.shown : (this.choices[0] ?? "");
  }

  private column(name: string): (number | null)[] {
    const at = this.curve.columns.indexOf(name);
    return this.curve.rows.map((row) => row[at] ?? null);
  }

  private lines(): Line[] {
    if (this.choice === RATES)
      return this.judges.map((name, k) => ({
        name,
        colour: COLOURS[k % COLOURS.length]!,
        dash: DASHES[k % DASHES.length]!,
        width: 2,
        values: this.column(name).map((rate) => (rate === null ? null : 100 * rate)),
      }));
    if (this.choice !== GAMES)
      return [{ name: this.choice, colour: "quality", dash: [], width: 2, values: this.column(this.choice) }];
    const [won, drawn, lost] = ["won", "drawn", "lost"].map((name) => this.column(name)) as [
      (number | null)[],
      (number | null)[],
      (number | null)[],
    ];
    const share = (part: (k: number) => number): (number | null)[] =>
      won.map((_, k) => {
        const all = (won[k] ?? 0) + (drawn[k] ?? 0) + (lost[k] ?? 0);
        return all > 0 ? (100 * part(k)) / all : null;
      });
    return [
      { name: "Quality", colour: "quality", dash: [], width: 2.5, values: share((k) => (won[k] ?? 0) + (drawn[k] ?? 0)) },
      { name: "won", colour: "won", dash: [], width: 1.5, values: share((k) => won[k] ?? 0) },
      { name: "drawn", colour: "drawn", dash: [3, 3], width: 1.5, values: share((k) => drawn[k] ?? 0) },
      { name: "lost", colour: "lost", dash: [9, 4], width: 1.5, values: share((k) => lost[k] ?? 0) },
    ];
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("curve") || changed.has("shown")) this.draw();
  }

  private draw(): void {
    if (!this.place || this.curve.rows.length === 0 || this.width === 0) {
      this.forget();
      return;
    }
    const lines = this.lines();
    const data = [this.column(this.curve.columns[0] ?? ""), ...lines.map(({ values }) => values)] as uPlot.AlignedData;
    if (this.plot && this.drawn === this.choice) {
      this.plot.setData(data);
      return;
    }
    this.forget();
    this.plot = new uPlot(this.options(lines), data, this.place);
    if (this.opens) this.plot.over.addEventListener("click", () => this.point(this.plot?.cursor.idx));
    this.drawn = this.choice;
  }

  /** Says which point was clicked: an event "point" {at}, in what the curve counts. */
  private point(index: number | null | undefined): void {
    const at = index == null ? null : this.curve.rows[index]?.[0];
    if (at != null) this.dispatchEvent(new CustomEvent("point", { detail: { at } }));
  }

  private options(lines: Line[]): uPlot.Options {
    const font = "12px system-ui, sans-serif";
    const { isShare } = this;
    const axis: uPlot.Axis = { stroke: this.resolved("axis"), font, grid: { stroke: this.resolved("grid"), width: 1 } };
    return {
      width: this.width,
      height: HEIGHT,
      padding: [null, X_SPACE / 2, null, null], // for the last number
      scales: { x: { time: false }, y: isShare ? { range: [0, 100] } : {} },
      axes: [
        { ...axis, space: X_SPACE, label: this.curve.columns[0], labelFont: font, values: (_, ticks) => ticks.map((tick) => count(tick)) },
        { ...axis, size: 60, values: (_, ticks) => ticks.map((tick) => `${count(tick)}${isShare ? " %" : ""}`) },
      ],
      series: [
        { label: this.curve.columns[0], value: (_, value: number | null) => (value === null ? "–" : count(value)) },
        ...lines.map(({ name, colour, dash, width }) => ({
          label: name,
          stroke: this.resolved(colour),
          width,
          dash,
          points: { show: (plot: uPlot) => (plot.data[0]?.length ?? 0) < FEW },
          value: (_: uPlot, value: number | null) => (value === null ? "–" : shownValue(value, isShare)),
        })),
      ],
    };
  }

  /** A colour of the theme as a canvas takes it. */
  private resolved(name: string): string {
    const probe = this.renderRoot.querySelector(`.probes .${name}`);
    return probe ? getComputedStyle(probe).color : "gray";
  }

  override render() {
    const { rows } = this.curve;
    return html`<div class="probes">
        ${["quality", "won", "drawn", "lost", "axis", "grid"].map((name) => html`<span class=${name}></span>`)}
      </div>
      ${this.choices.length > 1 ? this.renderChoice() : nothing}
      ${rows.length === 0
        ? html`<p class="empty quiet">The curve begins with the first games.</p>`
        : html`<div class="plot" role="img" aria-label=${this.summary()}></div>
            ${this.renderPoints()}`}`;
  }

  private renderChoice() {
    return html`<div class="row">
      <label for="shown">Curve of</label>
      <select id="shown" @change=${(event: Event) => (this.shown = (event.target as HTMLSelectElement).value)}>
        ${this.choices.map((name) => html`<option value=${name} ?selected=${name === this.choice}>${name}</option>`)}
      </select>
    </div>`;
  }

  private renderPoints() {
    const lines = this.lines();
    const x = this.column(this.curve.columns[0] ?? "");
    const from = Math.max(0, x.length - POINTS);
    const { isShare } = this;
    return html`<details>
      <summary class="quiet">The last points in numbers</summary>
      <table class="points">
        <thead>
          <tr>
            <th scope="col">${this.curve.columns[0]}</th>
            ${lines.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${x.slice(from).map(
            (at, k) =>
              html`<tr>
                <td>${at === null ? "" : this.renderPoint(at, from + k)}</td>
                ${lines.map(({ values }) => html`<td>${shownValue(values[from + k] ?? null, isShare)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
  }

  private renderPoint(at: number, index: number) {
    if (!this.opens) return count(at);
    return html`<button aria-label="A game after ${count(at)}" @click=${() => this.point(index)}>${count(at)}</button>`;
  }

  private summary(): string {
    const { isShare } = this;
    const last = this.lines().map(({ name, values }) => `${name} ${shownValue(values.at(-1) ?? null, isShare)}`);
    const at = this.curve.rows.at(-1)?.[0] ?? 0;
    return `Curve over ${count(at)} ${this.curve.columns[0]}; at its end: ${last.join(", ")}`;
  }
}

function shownValue(value: number | null, isShare: boolean): string {
  if (value === null) return "–";
  return isShare ? `${value.toFixed(1)} %` : rounded(value, 5);
}
