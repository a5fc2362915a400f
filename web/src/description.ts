// What the server says of games and boards: boardgym/core/description.py has the same names.

export interface Area {
  kind: "rect" | "circle" | "polygon";
  numbers: number[];
}

export interface Shape {
  kind: "rect" | "circle" | "line" | "polygon" | "text";
  numbers: number[];
  fill: string;
  stroke: string;
  width: number;
  text: string;
}

export interface Piece {
  kind: string;
  colour: number;
  label: string;
}

export interface Place {
  name: string;
  area: Area;
  middle: [number, number];
  neighbours: [number, number, number, number]; // up, right, down, left; -1: none
}

export interface GameDescription {
  id: string;
  title: string;
  options: Record<string, string | number | boolean>;
  seats: string[];
  size: [number, number];
  shapes: Shape[];
  palette: Record<string, string>;
  spots: [number, number][];
  places: Place[];
  place_of_spot: number[];
  brush: Piece[] | null;
}

export interface Action {
  action: number;
  move: string;
  clicks: number[][];
  spots?: number[]; // that it concerns, where the piece arrives last: marks stand there; without them, at the places clicked
}

export interface BoardState {
  fen: string;
  ply: number;
  to_play: number | null;
  status: string;
  last_move: string | null;
  pieces: (Piece | null)[];
  moved: number[];
  winning: number[];
  lines: [number, number][];
  notes: string[];
  actions: Action[];
  moves: string[];
  outcome: { returns: number[]; reason: string } | null;
}
