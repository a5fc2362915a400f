// The moves of a row of positions, in rows as players write them: another begins when the turn has gone round.
import type { BoardState } from "../description.js";

export interface ListedMove {
  index: number; // of the position it leads to
  move: string;
  seat: number; // who made it; -1 for chance
}

/** The rows, of positions that follow each other; the moves are those that the last one names. */
export function movesInRows(states: BoardState[]): ListedMove[][] {
  const all = states.at(-1)?.moves ?? [];
  const moves = states.length > 1 ? all.slice(-(states.length - 1)) : [];
  const seats = moves.map((_, k) => states[k]!.to_play ?? -1);
  const isAlone = new Set(seats.filter((seat) => seat >= 0)).size === 1;
  const rows: ListedMove[][] = [];
  let last = -1;
  moves.forEach((move, k) => {
    const turn = seats.slice(k).find((seat) => seat >= 0) ?? last; // a roll is the next seat's
    if (k === 0 || turn < last || isAlone) rows.push([]);
    rows.at(-1)!.push({ index: k + 1, move, seat: seats[k]! });
    last = turn;
  });
  return rows;
}
