// Lists of moves, in rounds as players write them: another begins when the turn has gone round.
import type { BoardState } from "../description.js";

export interface ListedMove {
  index: number; // of the position after it; 0 is where the game began
  move: string;
  seat: number; // who made it; -1: chance
}

/** A row of the list: for each seat the moves of its turn, with the rolls before them. */
export type Round = ListedMove[][];

/**
 * The moves in rounds. A turn is a run of moves of one seat; a round ends before a seat that is not behind the last one. In a game
 * for one, each move is a round.
 */
export function roundsOf(moves: ListedMove[], seats: number): Round[] {
  const rounds: Round[] = [];
  let last = seats; // the seat whose turn it was
  for (const [at, move] of moves.entries()) {
    const seat = move.seat >= 0 ? move.seat : (moves.slice(at).find((later) => later.seat >= 0)?.seat ?? (last + 1) % seats);
    const isAnother = seats === 1 && (moves[at - 1]?.seat ?? -1) >= 0;
    if (seat < last || isAnother) rounds.push(Array.from({ length: seats }, () => []));
    last = seat;
    rounds.at(-1)?.[seat]?.push(move);
  }
  return rounds;
}

/** The moves of positions that follow each other: those that the last one names. */
export function movesOf(states: BoardState[]): ListedMove[] {
  const all = states.at(-1)?.moves ?? [];
  const moves = states.length > 1 ? all.slice(-(states.length - 1)) : [];
  return moves.map((move, k) => ({ index: k + 1, move, seat: states[k]!.to_play ?? -1 }));
}
