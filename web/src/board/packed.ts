// A replay as exported pages hold it: boardgym/web/export.py writes it.
import type { BoardState, GameDescription, Piece } from "../description.js";

export interface PackedReplay {
  game: GameDescription;
  states: (Omit<BoardState, "pieces"> & { pieces: number[] })[]; // -1: none
  comments: [number, string][];
  pieces: Piece[];
}

export const unpack = ({ game, states, comments, pieces }: PackedReplay) => ({
  game,
  comments,
  states: states.map((state): BoardState => ({ ...state, pieces: state.pieces.map((index) => pieces[index] ?? null) })),
});
