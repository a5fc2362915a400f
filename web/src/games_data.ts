// What the room Games asks of the server, and what it is told.
import { ApiError, connection, get } from "./api.js";
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

export async function sendRecords(file: File): Promise<RecordFile> {
  let response: Response;
  try {
    const name = encodeURIComponent(file.name.slice(-200));
    response = await fetch(`/api/records/files?name=${name}`, { method: "POST", body: file });
  } catch {
    connection.set(true);
    throw new ApiError("The studio does not answer, or has refused a file of this size.", 0);
  }
  const said = (await response.json().catch(() => null)) as (RecordFile & { error?: string }) | null;
  if (!response.ok || !said) throw new ApiError(said?.error ?? `The studio answered ${response.status}.`, response.status);
  return said;
}

const rulesOf = ({ game, options }: RecordEntry): URLSearchParams => {
  const query = new URLSearchParams({ game: game.replace(/-v\d+$/, "") });
  for (const [name, value] of Object.entries(options)) query.append("option", `${name}=${value}`);
  return query;
};

/** The room Analyse with a game, at a position of it. */
export function analyseAddress(game: RecordedGame, index: number): string {
  const query = rulesOf(game);
  query.set("fen", game.start);
  query.set("moves", (game.replay.states.at(-1)?.moves ?? []).join(" "));
  query.set("at", String(index));
  return `#/analyse?${query}`;
}

/** The room Play, from a position of a game. */
export function playFrom(game: RecordedGame, index: number): string {
  const query = rulesOf(game);
  query.set("fen", game.replay.states[index]?.fen ?? game.start);
  return `#/play?${query}`;
}
