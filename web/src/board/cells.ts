// The places as a grid that keyboards and screen readers walk through.
import type { BoardState, GameDescription, Piece, Place } from "../description.js";
import { lastPlaces, nextPlaces } from "./clicking.js";
import { type Frame, point } from "./frame.js";

const SAME_ROW = 20; // units

/** The places row by row, as they are drawn. */
export function rowsOf(places: Place[], frame: Frame): number[][] {
  const at = places.map(({ middle }, place) => ({ place, at: point(frame, ...middle) }));
  at.sort((a, b) => a.at[1] - b.at[1]);
  const rows: (typeof at)[] = [];
  for (const cell of at) {
    const row = rows.at(-1);
    if (row && cell.at[1] - row[0]!.at[1] <= SAME_ROW) row.push(cell);
    else rows.push([cell]);
  }
  return rows.map((row) => row.sort((a, b) => a.at[0] - b.at[0]).map(({ place }) => place));
}

const ARROWS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];

/** The place to which a key leads, -1 where it leads nowhere, undefined for a key that does not lead. */
export function neighbour(game: GameDescription, rows: number[][], place: number, key: string, flipped: boolean): number | undefined {
  const way = ARROWS.indexOf(key);
  if (way >= 0) return game.places[place]!.neighbours[(flipped ? way + 2 : way) % 4]!;
  const row = rows.find((cells) => cells.includes(place));
  if (key === "Home") return row?.[0];
  if (key === "End") return row?.at(-1);
  return undefined;
}

/** The spots of each place, in their order. */
export function spotsOf(game: GameDescription): number[][] {
  const spots: number[][] = game.places.map(() => []);
  game.place_of_spot.forEach((place, spot) => {
    if (place >= 0) spots[place]?.push(spot);
  });
  return spots;
}

const KINDS: Record<string, string> = { hole: "disc", label: "" };

/** What lies on some spots, in words: "black disc", "3 white discs", "card K", "empty". */
export function nameOfPieces(pieces: (Piece | null)[], seats: string[]): string {
  const there = pieces.filter((piece) => piece !== null);
  const first = there[0];
  if (!first) return "empty";
  const kind = KINDS[first.kind] ?? first.kind;
  if (first.kind === "card" || first.kind === "die" || first.kind === "label")
    return there.map(({ label }) => `${kind} ${label}`.trim()).join(", ") || kind;
  const counts = there.map(({ label }) => Number(label)).filter((count) => count > 0); // a stack's last piece says how many
  const many = Math.max(there.length, ...counts);
  const owner = seats[first.colour] ?? "";
  return many > 1 ? `${many} ${owner} ${kind}s` : `${owner} ${kind}`.trim();
}

/** The name of every place: what lies there, and what a click would do. */
export function namesOf(game: GameDescription, state: BoardState, chosen: number[], interactive: boolean): string[] {
  const next = interactive ? nextPlaces(state.actions, chosen) : new Set<number>();
  const last = lastPlaces(state.actions, chosen);
  const spots = spotsOf(game);
  return game.places.map(({ name }, place) => {
    const words = [name, nameOfPieces(spots[place]!.map((spot) => state.pieces[spot] ?? null), game.seats)];
    if (chosen.includes(place)) words.push("chosen");
    if (next.has(place)) words.push(last.has(place) ? "legal move" : "can move");
    if (spots[place]!.some((spot) => state.moved.includes(spot))) words.push("last move");
    if (spots[place]!.some((spot) => state.winning.includes(spot))) words.push("winning");
    return words.join(", ");
  });
}
