// Pieces, and the marks of the last move on them.
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { Piece } from "../description.js";
import { write } from "./backdrop.js";
import type { Point } from "./frame.js";
import { MARK, type Palette, inkOn } from "./palette.js";

const PIPS: Record<string, string> = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi" }; // in thirds

/** A piece around the middle (0, 0), with its label. */
export function drawPiece(piece: Piece, palette: Palette): SVGTemplateResult {
  const role = `piece-${piece.colour}`;
  const paint = palette.paint(role);
  const ink = inkOn(palette.colour(role));
  const label = (high: number, room: number, colour: string) =>
    piece.label ? write(piece.label, 0, 0, high, colour, room) : nothing;
  switch (piece.kind) {
    case "cross":
      return svg`<path d="M-15 -15L15 15M15 -15L-15 15" class="mark" stroke=${paint} />${label(20, 36, paint)}`;
    case "ring":
      return svg`<circle r="17" class="mark" stroke=${paint} />${label(20, 36, paint)}`;
    case "square":
      return svg`<rect x="-15" y="-15" width="30" height="30" class="mark" stroke=${paint} />${label(20, 36, paint)}`;
    case "label":
      return svg`${label(22, 56, paint)}`;
    case "die":
      return svg`<rect x="-19" y="-19" width="38" height="38" rx="6" fill=${paint} class="edge" />${drawPips(piece.label, ink)}`;
    case "card":
      return piece.label
        ? svg`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" />${label(24, 29, paint)}`
        : svg`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" fill=${paint} />
            <rect x="-16" y="-26" width="32" height="52" rx="3" class="back" />`;
    default: // a disc, or one seen through a hole
      return svg`<circle r=${piece.kind === "hole" ? 25 : 26} fill=${paint} class="edge" />
        <circle r="17.5" class="groove" />${label(20, 36, ink)}`;
  }
}

function drawPips(label: string, ink: string): SVGTemplateResult[] {
  return [...(PIPS[label] ?? "")].map((letter) => {
    const third = letter.charCodeAt(0) - 97;
    return svg`<circle cx=${11 * ((third % 3) - 1)} cy=${11 * (Math.floor(third / 3) - 1)} r="3.7" fill=${ink} />`;
  });
}

const isDisc = (piece: Piece): boolean => piece.kind === "disc" || piece.kind === "hole";

/** The mark of the last move beneath a spot: a ring where it is empty now, a tint under a mark. */
export function drawMarkUnder(piece: Piece | null, [x, y]: Point): SVGTemplateResult | typeof nothing {
  if (piece === null)
    return svg`<circle cx=${x} cy=${y} r="15" fill="none" stroke=${MARK} stroke-opacity="0.75" stroke-width="3" />`;
  if (isDisc(piece) || piece.kind === "card") return nothing;
  return svg`<rect x=${x - 27} y=${y - 27} width="54" height="54" rx="6" fill=${MARK} fill-opacity="0.16" />`;
}

/** The mark of the last move on a disc or card. */
export function drawMarkOver(piece: Piece | null, [x, y]: Point): SVGTemplateResult | typeof nothing {
  if (piece === null) return nothing;
  if (piece.kind === "card")
    return svg`<rect x=${x - 23.5} y=${y - 33.5} width="47" height="67" rx="7.5" fill="none" stroke=${MARK} stroke-width="3.5" />`;
  if (!isDisc(piece)) return nothing;
  return piece.label
    ? svg`<circle cx=${x} cy=${y} r="27" fill="none" stroke=${MARK} stroke-width="3.5" />`
    : svg`<circle cx=${x} cy=${y} r="6.5" fill=${MARK} stroke="#ffffff" stroke-width="2" />`;
}
