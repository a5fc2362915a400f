// What the room Games asks of the server, and what it is told.
import { roomAddress } from "./addresses.js";
import { get, post } from "./api.js";
import type { PackedReplay } from "./board/packed.js";
import type { Options } from "./play_data.js";

/** A game in a list. */
export interface RecordEntry {
  id: number;
  source: "play" | "file" | "arena";
  play_id: string | null;
  file_id: number | null;
  tournament_id: string | null;
  number: number;
  line: number;
  seat: number; // of the first player of a tournament's row; -1 elsewhere
  game: string; // its id
  options: Options;
  date: string;
  players: string;
  winner: number; // a seat; -1: drawn, -2: not over
  result: string;
  plies: number;
  opening: string;
}

export interface RecordedGame extends RecordEntry {
  start: string;
  seats: string[]; // who sat there
  tags: Record<string, string>;
  replay: PackedReplay;
}

export interface Found {
  games: RecordEntry[];
  total: number;
  unread: number; // of the games played here, how many are not yet searched
}

export interface RecordFile {
  id: number;
  name: string;
  created: string;
  games: number;
}

export const find = (query: URLSearchParams): Promise<Found> => get(`/records?${query}`);
export const oneGame = (id: string): Promise<RecordedGame> => get(`/records/${encodeURIComponent(id)}`);
export const recordFiles = (): Promise<RecordFile[]> => get("/records/files");

export const sendRecords = (file: File): Promise<RecordFile> =>
  post(`/records/files?name=${encodeURIComponent(file.name.slice(-200))}`, file);

/** The room Analyse with a game, at a position of it. */
export function analyseAddress({ game, options, start, replay }: RecordedGame, index: number): string {
  const moves = (replay.states.at(-1)?.moves ?? []).join(" ");
  return roomAddress("analyse", game, options, { fen: start, moves, at: String(index) });
}

/** The room Play, from a position of a game. */
export const playFrom = ({ game, options, start, replay }: RecordedGame, index: number): string =>
  roomAddress("play", game, options, { fen: replay.states[index]?.fen ?? start });
