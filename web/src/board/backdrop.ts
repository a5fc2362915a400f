// What lies under the pieces.
import { svg, type SVGTemplateResult } from "lit";
import type { GameDescription, Shape } from "../description.js";
import { type Frame, corner, point, points } from "./frame.js";
import type { Palette } from "./palette.js";

export function drawBackdrop(game: GameDescription, frame: Frame, palette: Palette, labels: boolean): SVGTemplateResult[] {
  return game.shapes.filter(({ kind }) => labels || kind !== "text").map((shape) => drawShape(shape, frame, palette));
}

function drawShape({ kind, numbers, fill, stroke, width, text }: Shape, frame: Frame, palette: Palette): SVGTemplateResult {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = numbers;
  const inside = palette.paint(fill);
  const line = palette.paint(stroke);
  if (kind === "rect") {
    const [x, y] = corner(frame, a, b, c, d);
    return svg`<rect x=${x} y=${y} width=${c} height=${d} rx=${e} fill=${inside} stroke=${line} stroke-width=${width} />`;
  }
  const [x, y] = point(frame, a, b);
  if (kind === "circle") return svg`<circle cx=${x} cy=${y} r=${c} fill=${inside} stroke=${line} stroke-width=${width} />`;
  if (kind === "text") return svg`<g class="label">${write(text, x, y, c, palette.ink(fill))}</g>`;
  const at = points(frame, numbers);
  return kind === "line"
    ? svg`<polyline points=${at} fill="none" stroke=${line} stroke-width=${width} stroke-linejoin="round" />`
    : svg`<polygon points=${at} fill=${inside} stroke=${line} stroke-width=${width} stroke-linejoin="round" />`;
}

const CAPITAL = 0.72; // height of a capital or digit, as a share of the size of the font
const WIDE = 0.62; // width of a character, as that share

/** A short text, its middle at (x, y). high: of its digits. room: its greatest width. */
export function write(text: string, x: number, y: number, high: number, colour: string, room = Infinity): SVGTemplateResult {
  const size = Math.min(high / CAPITAL, room / (WIDE * Math.max(text.length, 1)));
  const base = y + (size * CAPITAL) / 2;
  return svg`<text x=${x} y=${base} font-size=${size} fill=${colour} text-anchor="middle">${text}</text>`;
}
