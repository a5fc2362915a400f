// What the live region says.
import type { BoardState } from "../description.js";

/** The news from one position to another: the moves made since, and who is to play. Null if there is none. */
export function sayState(before: BoardState, now: BoardState): string | null {
  if (before.fen === now.fen && before.ply === now.ply && before.status === now.status) return null;
  const made = now.ply > before.ply ? now.moves.slice(-(now.ply - before.ply)) : [];
  const moves = made.length > 0 && made.length < 5 ? made.join(", ") : (now.last_move ?? "");
  return [moves, now.status].filter(Boolean).join("; ");
}
