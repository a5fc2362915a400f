// The picture of a position, in layers: what lies beneath, the places that are clicked, what lies above.
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { BoardState, GameDescription, Place } from "../description.js";
import { drawBackdrop } from "./backdrop.js";
import { namesOf } from "./cells.js";
import { lastPlaces, nextPlaces } from "./clicking.js";
import { type Frame, corner, point, points } from "./frame.js";
import { type Arrow, drawArrows, drawDot, drawLegal, drawValues, drawWonLines, markOn, topOf } from "./overlays.js";
import type { Palette } from "./palette.js";
import { drawMarkOver, drawMarkUnder, drawPiece } from "./pieces.js";

export interface View {
  game: GameDescription;
  state: BoardState;
  frame: Frame;
  palette: Palette;
  rows: number[][]; // of places
  interactive: boolean;
  chosen: number[];
  focused: number; // a place
  lifted: number; // the spot whose piece is being dragged, or -1
  aimed: number; // the place under it, or -1
  values: Record<number, number>;
  arrows: (Arrow | number)[];
  showLegal: boolean;
  labels: boolean;
}

type Drawn = SVGTemplateResult | typeof nothing;

/** The board and its pieces. */
export function drawUnder({ game, state, frame, palette, labels, lifted }: View): Drawn {
  const at = game.spots.map(([x, y]) => point(frame, x, y));
  const moved = state.moved.map((spot) => ({ piece: state.pieces[spot] ?? null, at: at[spot]! }));
  const pieces = state.pieces.map((piece, spot) => {
    const [x, y] = at[spot]!;
    return piece === null
      ? nothing
      : svg`<g data-spot=${spot} class=${spot === lifted ? "lifted" : ""} transform="translate(${x} ${y})"><g>${drawPiece(piece, palette)}</g></g>`;
  });
  return svg`<g class="under" aria-hidden="true">
    ${drawBackdrop(game, frame, palette, labels)} ${moved.map((mark) => drawMarkUnder(mark.piece, mark.at))}
    ${pieces} ${drawWonLines(game, state, frame)} ${moved.map((mark) => drawMarkOver(mark.piece, mark.at))}
  </g>`;
}

/** The places, invisible but for the one in focus and those that are chosen: rows of named cells. */
export function drawCells({ game, state, frame, rows, interactive, chosen, focused, aimed }: View): Drawn[] {
  const names = namesOf(game, state, chosen, interactive);
  const next = interactive ? nextPlaces(state.actions, chosen) : new Set<number>();
  const drawCell = (place: number): Drawn => {
    const isChosen = chosen.includes(place);
    const look = ["cell", next.has(place) && "next", isChosen && "chosen", place === aimed && "aimed"].filter(Boolean).join(" ");
    return svg`<g role="gridcell" class=${look} data-place=${place} aria-label=${names[place]!} aria-selected=${isChosen}
      tabindex=${place === focused ? 0 : -1}>${drawArea(game.places[place]!, frame)}</g>`;
  };
  return rows.map((row) => svg`<g role="row">${row.map(drawCell)}</g>`);
}

function drawArea({ area: { kind, numbers } }: Place, frame: Frame): Drawn {
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  if (kind === "polygon") return svg`<polygon class="area" points=${points(frame, numbers)} />`;
  if (kind === "circle") {
    const [x, y] = point(frame, a, b);
    return svg`<circle class="area" cx=${x} cy=${y} r=${c} />`;
  }
  const [x, y] = corner(frame, a, b, c, d);
  return svg`<rect class="area" x=${x} y=${y} width=${c} height=${d} rx="4" />`;
}

/** Where one may go, arrows, values and the piece that is being dragged. */
export function drawOver(view: View): Drawn {
  const { game, state, frame, palette, arrows, values, lifted } = view;
  const piece = state.pieces[lifted] ?? null;
  return svg`<g class="over" aria-hidden="true">
    ${drawLegalNow(view)} ${drawArrows(arrows, game, state, frame)} ${drawValues(values, game, state, frame, palette.name)}
    <g class="ghost">${piece ? drawPiece(piece, palette) : nothing}</g>
  </g>`;
}

/** Dots where a move may end with the next click, rings where one may begin or go on; arrows for those who only watch. */
function drawLegalNow({ game, state, frame, interactive, chosen, showLegal, values }: View): Drawn[] {
  if (!showLegal || (Object.keys(values).length > 0 && chosen.length === 0)) return [];
  if (!interactive) return drawLegal(game, state, frame);
  const ends = lastPlaces(state.actions, chosen);
  return [...nextPlaces(state.actions, chosen)].map((place) => {
    if (ends.has(place)) return drawDot(markOn(place, game, state, frame));
    const [x, y] = topOf(place, game, state, frame);
    return svg`<circle class="can" cx=${x} cy=${y} r="29" />`;
  });
}
