// The moves of a row of positions, in rows as players write them: a row begins with a number when the turn has gone round.
import type { BoardState } from "../description.js";

export interface ListedMove {
  index: number; // of the position it leads to
  move: string;
  seat: number; // who made it; -1 for chance
  number: string; // where a row begins
}

/** Of positions that follow each other; the moves are those that the last one names. */
export function listOf(states: BoardState[]): ListedMove[] {
  const all = states.at(-1)?.moves ?? [];
  const moves = states.length > 1 ? all.slice(-(states.length - 1)) : [];
  const seats = moves.map((_, k) => states[k]!.to_play ?? -1);
  const isAlone = new Set(seats.filter((seat) => seat >= 0)).size === 1;
  let row = 0;
  let last = -1;
  return moves.map((move, k) => {
    const turn = seats.slice(k).find((seat) => seat >= 0) ?? last; // a roll is the next seat's
    const begins = k === 0 || turn < last || isAlone;
    if (begins) row += 1;
    last = turn;
    return { index: k + 1, move, seat: seats[k]!, number: begins ? String(row) : "" };
  });
}
