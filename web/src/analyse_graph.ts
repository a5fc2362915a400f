// <boardgym-analyse-graph>: the value over a game, ply by ply, with its mistakes; a click shows the position.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import uPlot from "uplot";
import type { MoveNode } from "./analyse_tree_of_moves.js";
import { valueText } from "./analyse_words.js";
import { controls, tokens } from "./style.js";

const HEIGHT = 150;
const NAMED = 6; // plies below which each has its number on the axis

/** Event: "show" (a MoveNode). */
@customElement("boardgym-analyse-graph")
export class AnalyseGraph extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .plot {
        cursor: pointer;
        min-height: ${HEIGHT}px;
      }
      .u-wrap {
        position: relative;
        user-select: none;
      }
      .u-over,
      .u-under,
      .u-axis {
        position: absolute;
      }
      .uplot canvas {
        display: block;
        width: 100%;
        height: 100%;
      }
      .u-cursor-x {
        position: absolute;
        left: 0;
        top: 0;
        height: 100%;
        border-right: 1px dashed var(--quiet);
        pointer-events: none;
      }
      .u-cursor-pt {
        position: absolute;
        top: 0;
        left: 0;
        border-radius: 50%;
        pointer-events: none;
      }
      .u-select,
      .u-legend,
      .u-cursor-y,
      .u-off {
        display: none;
      }
      table {
        border-collapse: collapse;
      }
    `,
  ];

  @property({ attribute: false }) nodes: MoveNode[] = []; // of the line, the start first
  @property({ attribute: false }) current!: MoveNode;
  @property({ attribute: false }) seats: string[] = [];
  @property({ type: Number }) version = 0;
  private plot?: uPlot;
  private kind = ""; // of the plot that is drawn: another one is made for others
  private readonly resized = new ResizeObserver(() => this.resize());
  private readonly scheme = matchMedia("(prefers-color-scheme: dark)");

  override connectedCallback(): void {
    super.connectedCallback();
    this.resized.observe(this);
    this.scheme.addEventListener("change", this.renew);
  }

  override disconnectedCallback(): void {
    this.resized.disconnect();
    this.scheme.removeEventListener("change", this.renew);
    this.forget();
    super.disconnectedCallback();
  }

  private renew = (): void => {
    this.forget();
    this.requestUpdate();
  };

  private forget(): void {
    this.plot?.destroy();
    this.plot = undefined;
    this.kind = "";
  }

  private resize(): void {
    if (this.plot && this.clientWidth > 0) this.plot.setSize({ width: this.clientWidth, height: HEIGHT });
  }

  /** One series for two seats, who share what there is; one for each of more. */
  private get drawn(): string[] {
    return this.seats.length === 2 ? this.seats.slice(0, 1) : this.seats;
  }

  private get data(): uPlot.AlignedData {
    const series = this.drawn.map((_, seat) => this.nodes.map((node) => node.judged?.values[seat] ?? null));
    return [this.nodes.map((_, index) => index), ...series];
  }

  protected override updated(_: PropertyValues): void {
    const place = this.renderRoot.querySelector<HTMLElement>(".plot");
    if (!place) return this.forget();
    const kind = [...this.drawn, document.documentElement.style.colorScheme].join();
    if (kind !== this.kind) this.forget();
    if (this.plot) this.plot.setData(this.data);
    else this.plot = new uPlot(this.options(), this.data, place);
    this.kind = kind;
    this.plot.redraw();
  }

  private options(): uPlot.Options {
    const paint = (name: string): string => colourOf(this, name);
    const [text, edge, accent, good] = [paint("--quiet"), paint("--edge"), paint("--accent"), paint("--good")];
    const axis = { stroke: text, grid: { stroke: edge, width: 1 }, ticks: { show: false }, font: "12px system-ui, sans-serif" };
    const last = (): number => Math.max(this.nodes.length - 1, 1);
    return {
      width: this.clientWidth || 300,
      height: HEIGHT,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, bind: { click: (plot) => () => (this.go(plot), null) } },
      scales: { x: { time: false, range: () => [0, last()] }, y: { range: () => [-1.05, 1.05] } },
      axes: [
        { ...axis, size: 24, incrs: [1, 2, 5, 10, 20, 50, 100, 200], space: last() < NAMED ? 20 : 40 },
        { ...axis, size: 34, splits: () => [-1, 0, 1], values: () => ["−1", "0", "+1"] },
      ],
      series: [
        {},
        ...this.drawn.map((label, seat) => ({
          label,
          stroke: [accent, good, text][seat % 3],
          width: 2,
          fill: this.drawn.length === 1 ? `color-mix(in srgb, ${accent} 16%, transparent)` : undefined,
          fillTo: 0,
          spanGaps: true,
          points: { show: true, size: 5 },
        })),
      ],
      hooks: { draw: [(plot) => this.drawCurrent(plot, paint("--text"), paint("--bad"))] },
    };
  }

  /** A line at the position on the board, rings around the mistakes. */
  private drawCurrent(plot: uPlot, colour: string, bad: string): void {
    const { ctx, bbox } = plot;
    const index = this.nodes.indexOf(this.current);
    ctx.save();
    ctx.lineWidth = 2 * devicePixelRatio;
    if (index >= 0) {
      const x = plot.valToPos(index, "x", true);
      ctx.strokeStyle = colour;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.strokeStyle = bad;
    for (const [at, { judged }] of this.nodes.entries()) {
      const value = judged?.values[0];
      if (!judged?.mark || value === null || value === undefined) continue;
      ctx.beginPath();
      ctx.arc(plot.valToPos(at, "x", true), plot.valToPos(value, "y", true), 6 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.stroke();
    }
    ctx.restore();
  }

  private go(plot: uPlot): void {
    const node = this.nodes[plot.cursor.idx ?? -1];
    if (node) this.dispatchEvent(new CustomEvent<MoveNode>("show", { detail: node }));
  }

  override render() {
    const known = this.nodes.filter(({ judged }) => judged);
    if (known.length === 0) return nothing;
    return html`
      <div class="plot" aria-hidden="true"></div>
      <p class="quiet">Value for ${this.drawn.join(", ")}: +1 won, −1 lost. Circles are mistakes; click to see a position.</p>
      <details>
        <summary class="quiet">As a table</summary>
        <table>
          ${known.map(
            (node) => html`<tr>
              <th scope="row">${node.ply} ${node.move}</th>
              ${node.judged!.values.map((value) => html`<td>${valueText(value)}</td>`)}
            </tr>`,
          )}
        </table>
      </details>
    `;
  }
}

/** A colour of the page as the canvas takes it: light-dark() is worked out by the browser. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.shadowRoot!.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}
