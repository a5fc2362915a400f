// What lies over the board: where one may go, values, arrows, the lines that won.
import { svg, type SVGTemplateResult } from "lit";
import type { Action, BoardState, GameDescription } from "../description.js";
import { write } from "./backdrop.js";
import { type Frame, type Point, point, towards } from "./frame.js";
import { DARK, HINT, LIGHT, inkOn, valueColour } from "./palette.js";

/** An arrow from the first to the last of some places, a ring around a single one. colour: CSS. */
export interface Arrow {
  places: number[];
  colour?: string;
}

const HEAD = 12; // length of an arrow's head: so short that a tag at its end hides it
const MOST_ARROWS = 3; // with values: more would hide the board
const [TAG_WIDTH, TAG_HEIGHT, TAG_ROOM] = [4.3, 1.8, 3.9]; // of the height of its digits; room for them
const [SMALLEST_TEXT, TEXT_SHARE] = [14, 1 / 44]; // height of digits: in units; of the width

/** Where an action begins and leads: two points, one, or none. */
export const wayOf = ({ clicks, spots }: Action, game: GameDescription, state: BoardState, frame: Frame): Point[] =>
  spots && spots.length > 0
    ? [...new Set([spots[0]!, spots.at(-1)!])].map((spot, k, all) => pointOf(spot, -1, game, state, frame, k === all.length - 1))
    : endsOf(clicks[0] ?? [], game, state, frame);

function endsOf(places: number[], game: GameDescription, state: BoardState, frame: Frame): Point[] {
  const known = places.filter((place) => place in game.places);
  if (known.length === 0) return [];
  const [first, last] = [known[0]!, known.at(-1)!];
  const end = markOn(last, game, state, frame);
  return first === last ? [end] : [topOf(first, game, state, frame), end];
}

const spotsAt = (place: number, game: GameDescription): number[] =>
  game.place_of_spot.flatMap((at, spot) => (at === place ? [spot] : []));

/** The spot of a place where a piece would come to stand: its first empty one, its last if it is full. */
export function arrivalAt(place: number, game: GameDescription, state: BoardState): number {
  const spots = spotsAt(place, game);
  return spots.find((spot) => !state.pieces[spot]) ?? spots.at(-1) ?? -1;
}

/** The spot of a place whose piece would leave: the last that has one, of the seat to play if there is such. */
export function departureFrom(place: number, game: GameDescription, state: BoardState): number {
  const taken = spotsAt(place, game).filter((spot) => state.pieces[spot]);
  return taken.findLast((spot) => state.pieces[spot]?.colour === state.to_play) ?? taken.at(-1) ?? -1;
}

const UNDER_LABEL = 26; // units below the middle of a piece, where its label is not hidden

/** A spot as it is drawn, or the middle of its place if there is none. isMark: for a mark, which hides no label. */
function pointOf(spot: number, place: number, game: GameDescription, state: BoardState, frame: Frame, isMark: boolean): Point {
  const [x, y] = point(frame, ...(game.spots[spot] ?? game.places[place]!.middle));
  return [x, y + (isMark && state.pieces[spot]?.label ? UNDER_LABEL : 0)];
}

/** Where a mark on a place is drawn: where a piece would arrive. */
export const markOn = (place: number, game: GameDescription, state: BoardState, frame: Frame): Point =>
  pointOf(arrivalAt(place, game, state), place, game, state, frame, true);

/** The top piece of a place. */
export const topOf = (place: number, game: GameDescription, state: BoardState, frame: Frame): Point =>
  pointOf(departureFrom(place, game, state), place, game, state, frame, false);

export function drawDot([x, y]: Point): SVGTemplateResult {
  return svg`<circle cx=${x} cy=${y} r="7" fill=${HINT} fill-opacity="0.85" stroke=${LIGHT} stroke-width="1.5" />`;
}

/** An arrow that begins beside the middle of its first point and ends in the middle of the last. */
export function drawArrow([start, end]: Point[], colour: string, width: number, opacity: number): SVGTemplateResult {
  if (!start) return svg``;
  if (!end)
    return svg`<circle cx=${start[0]} cy=${start[1]} r="28" fill="none" stroke=${colour} stroke-width=${width} stroke-opacity=${opacity} />`;
  const [across, down] = towards(start, end);
  const [neckX, neckY] = [end[0] - HEAD * across, end[1] - HEAD * down];
  const [sideX, sideY] = [-0.6 * HEAD * down, 0.6 * HEAD * across];
  const line = `M${start[0] + 9 * across} ${start[1] + 9 * down}L${neckX} ${neckY}`;
  const head = `M${end[0]} ${end[1]}L${neckX + sideX} ${neckY + sideY}L${neckX - sideX} ${neckY - sideY}Z`;
  return svg`<g opacity=${opacity} stroke-linecap="round" stroke-linejoin="round" fill="none">
    <path d=${line + head} stroke=${LIGHT} stroke-width=${width + 2.5} />
    <path d=${line} stroke=${colour} stroke-width=${width} /><path d=${head} fill=${colour} /></g>`;
}

export function drawArrows(arrows: (Arrow | number)[], game: GameDescription, state: BoardState, frame: Frame): SVGTemplateResult[] {
  return arrows.map((arrow) => {
    if (typeof arrow === "number") {
      const action = state.actions.find((legal) => legal.action === arrow);
      return drawArrow(action ? wayOf(action, game, state, frame) : [], HINT, 7, 0.85);
    }
    const colour = arrow.colour && CSS.supports("color", arrow.colour) ? arrow.colour : HINT;
    return drawArrow(endsOf(arrow.places, game, state, frame), colour, 7, 0.85);
  });
}

/** An arrow for each legal action that leads from one place to another, a dot for others. */
export function drawLegal(game: GameDescription, state: BoardState, frame: Frame): SVGTemplateResult[] {
  const ways = new Map<string, Point[]>();
  for (const action of state.actions) {
    const way = wayOf(action, game, state, frame);
    if (way.length > 0) ways.set(way.join(), way);
  }
  return [...ways.values()].map((way) => (way.length > 1 ? drawArrow(way, HINT, 4, 0.7) : drawDot(way[0]!)));
}

export const valueText = (value: number): string => {
  const isScore = Math.abs(value) > 1 && Number.isInteger(value); // discs, or plies to the end
  const shown = isScore || Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(2);
  return Number(shown) === 0 ? shown.replace("-", "") : value > 0 ? `+${shown}` : shown.replace("-", "\u2212");
};

interface Valued {
  way: Point[];
  value: number;
}

/** The greatest value of each way, the best first; of those from place to place the best few. */
function valuedWays(values: Record<number, number>, game: GameDescription, state: BoardState, frame: Frame): Valued[] {
  const best = new Map<string, Valued>();
  for (const action of state.actions) {
    const value = values[action.action];
    const way = wayOf(action, game, state, frame);
    if (value === undefined || !Number.isFinite(value) || way.length === 0) continue;
    if (value > (best.get(way.join())?.value ?? -Infinity)) best.set(way.join(), { way, value });
  }
  const ranked = [...best.values()].sort((a, b) => b.value - a.value);
  const arrows = ranked.filter(({ way }) => way.length > 1).slice(0, MOST_ARROWS);
  return ranked.filter((item) => item.way.length === 1 || arrows.includes(item));
}

/** The value of each action as a tag with its number, red for bad and green for good, the best framed. */
export function drawValues(
  values: Record<number, number>,
  game: GameDescription,
  state: BoardState,
  frame: Frame,
  palette: string,
): SVGTemplateResult[] {
  const shown = valuedWays(values, game, state, frame);
  const scale = Math.max(1, ...shown.map(({ value }) => Math.abs(value)));
  const high = Math.max(SMALLEST_TEXT, game.size[0] * TEXT_SHARE);
  const ends = shown.map(({ way }) => way.at(-1)!.join());
  const drawn: SVGTemplateResult[] = [];
  for (const { way, value } of shown.toReversed())
    if (way.length > 1) drawn.push(drawArrow(way, valueColour(value / scale, palette), 7, 1));
  for (const { way, value } of shown.toReversed()) {
    let [x, y] = way.at(-1)!;
    let size = high;
    if (way.length > 1 && ends.filter((end) => end === way[1]!.join()).length > 1) {
      size = 0.8 * high; // no room for two there
      [x, y] = [0.35 * way[0]![0] + 0.65 * x, 0.35 * way[0]![1] + 0.65 * y];
    }
    const isBest = value === shown[0]!.value;
    drawn.push(drawTag(valueText(value), x, y, size, valueColour(value / scale, palette), isBest));
  }
  return drawn;
}

function drawTag(text: string, x: number, y: number, high: number, colour: string, isBest: boolean): SVGTemplateResult {
  const [width, height] = [TAG_WIDTH * high, TAG_HEIGHT * high];
  return svg`<g class="tag"><rect x=${x - width / 2} y=${y - height / 2} width=${width} height=${height} rx="3" fill=${colour}
    stroke=${isBest ? HINT : LIGHT} stroke-width=${isBest ? (5 * high) / SMALLEST_TEXT : 1.5} />
    ${write(text, x, y, high, inkOn(colour), TAG_ROOM * high)}</g>`;
}

/** Lines across the pieces that won, from beyond the first to beyond the last. */
export function drawWonLines(game: GameDescription, state: BoardState, frame: Frame): SVGTemplateResult[] {
  return state.lines.map(([first, last]) => {
    const [start, end] = [point(frame, ...game.spots[first]!), point(frame, ...game.spots[last]!)];
    const [across, down] = towards(start, end);
    const ends = `M${start[0] - 22 * across} ${start[1] - 22 * down}L${end[0] + 22 * across} ${end[1] + 22 * down}`;
    return svg`<g fill="none" stroke-linecap="round"><path d=${ends} stroke=${LIGHT} stroke-width="12" />
      <path d=${ends} stroke=${DARK} stroke-width="7" /></g>`;
  });
}
