// What the room Arena shares: the state of a tournament, how far it has come, and intervals as pictures.
import { css, html, nothing, svg } from "lit";
import { STATES, type Tournament } from "./arena_data.js";

export const intervals = css`
  .interval {
    display: block;
    width: 100%;
    min-width: 7rem;
    height: 1.6rem;
    min-height: 0;
    padding: 0;
    border: 0;
    border-radius: 4px;
    background: var(--surface);
  }
  .interval:hover,
  .interval[aria-pressed="true"] {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  .interval svg {
    display: block;
    width: 100%;
    height: 100%;
  }
  .interval .zero {
    stroke: var(--field-edge);
    stroke-dasharray: 2 2;
  }
  .interval .bar {
    stroke: var(--accent);
    stroke-width: 6;
    opacity: 0.45;
  }
  .interval .value {
    stroke: var(--accent);
    stroke-width: 3;
  }
  .interval line {
    vector-effect: non-scaling-stroke;
  }
`;

export const chip = ({ state }: Tournament) =>
  html`<span class="chip ${state === "playing" ? "training" : state}">${STATES[state]}</span>`;

export const progressBar = ({ name, done, total }: Tournament) =>
  total === 0
    ? nothing
    : html`<progress aria-label="How far ${name} has come" max=${total} value=${done}></progress>`;

export interface Scale {
  from: number;
  to: number;
  mark: number; // where the line stands that tells better from worse
}

/** An interval on a scale; an end without bound (null) reaches the edge. */
export function drawInterval(value: number | null, low: number | null, high: number | null, { from, to, mark }: Scale) {
  const x = (at: number): number => (100 * (Math.min(Math.max(at, from), to) - from)) / (to - from || 1);
  const line = (kind: string, x1: number, x2: number, y1: number, y2: number) =>
    svg`<line class=${kind} x1=${x1} x2=${x2} y1=${y1} y2=${y2} />`;
  return svg`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    ${line("zero", x(mark), x(mark), 0, 10)}
    ${value === null && low === null && high === null ? nothing : line("bar", x(low ?? from), x(high ?? to), 5, 5)}
    ${value === null ? nothing : line("value", x(value), x(value), 1, 9)}
  </svg>`;
}
