// Pieces that glide to where they have gone. Nothing waits for it: the board is right at once.
import type { BoardState, GameDescription, Piece } from "../description.js";
import { type Frame, point } from "./frame.js";

const GLIDE = 160; // milliseconds

export interface Step {
  from: number; // spots
  to: number;
}

const isSame = (a: Piece | null, b: Piece | null): boolean => a?.kind === b?.kind && a?.colour === b?.colour;

/** Which piece went where between two positions: each that has come, from the nearest spot that lost one of its kind. */
export function stepsBetween(spots: [number, number][], before: (Piece | null)[], now: (Piece | null)[]): Step[] {
  const changed = spots.map((_, spot) => spot).filter((spot) => !isSame(before[spot] ?? null, now[spot] ?? null));
  const left = new Set(changed.filter((spot) => before[spot]));
  const steps: Step[] = [];
  for (const to of changed) {
    const piece = now[to] ?? null;
    if (piece === null || piece.kind === "die") continue;
    const far = (spot: number): number => Math.hypot(spots[spot]![0] - spots[to]![0], spots[spot]![1] - spots[to]![1]);
    const from = [...left].filter((spot) => isSame(before[spot] ?? null, piece)).sort((a, b) => far(a) - far(b))[0];
    if (from === undefined) continue;
    left.delete(from);
    steps.push({ from, to });
  }
  return steps;
}

/** Lets the pieces of a drawn board glide from where they stood a ply ago. */
export function glide(root: ParentNode, game: GameDescription, before: BoardState, now: BoardState, frame: Frame): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const { from, to } of stepsBetween(game.spots, before.pieces, now.pieces)) {
    const piece = root.querySelector(`[data-spot="${to}"] > g`);
    const [x, y] = point(frame, ...game.spots[from]!);
    const [toX, toY] = point(frame, ...game.spots[to]!);
    piece?.animate([{ transform: `translate(${x - toX}px, ${y - toY}px)` }, { transform: "none" }], { duration: GLIDE, easing: "ease-out" });
  }
}

/** A red flash on a place that was refused. */
export function flash(root: ParentNode, place: number): void {
  const area = root.querySelector(`[data-place="${place}"] .area`);
  area?.animate([{ fill: "#e8543f", fillOpacity: 0.45 }, { fill: "#e8543f", fillOpacity: 0 }], { duration: 400 });
}
