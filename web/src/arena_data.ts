// What the room Arena asks of the server, and what it is told.
import { get, post } from "./api.js";
import { count, rounded } from "./numbers.js";
import type { Given, LearnerForm } from "./train_data.js";

export interface Kind {
  name: string;
  title: string;
  help: string;
}

export type TournamentState = "waiting" | "playing" | "finished" | "stopped" | "interrupted" | "failed";

export interface Tournament {
  id: string;
  name: string;
  kind: string;
  given: Given;
  command: string;
  names: Record<string, string>; // of bots, by spec
  game: string;
  title: string;
  seats: string[];
  state: TournamentState;
  message: string;
  done: number;
  total: number; // 0 before the first game
  rate: number | null; // games a second
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** How a plays against b. */
export interface Standing {
  a: string;
  b: string;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  forfeits: number;
  opponent_forfeits: number;
  score: Interval;
  elo: { value: number | null; low: number | null; high: number | null };
  seat: number | null;
  messages: string[];
}

export interface Rating {
  name: string;
  elo: number | null; // null: there is none
  low: number | null; // null: without bound
  high: number | null;
  games: number;
}

export interface TournamentPage {
  tournament: Tournament;
  rows: Standing[];
  ratings: Rating[];
  log: string;
}

export const STATES: Record<TournamentState, string> = {
  waiting: "waits",
  playing: "is played",
  finished: "finished",
  stopped: "stopped",
  interrupted: "interrupted",
  failed: "failed",
};

export const isUnderWay = ({ state }: Tournament): boolean => state === "waiting" || state === "playing";
export const canResume = ({ state }: Tournament): boolean => ["stopped", "interrupted", "failed"].includes(state);

export const kinds = (): Promise<Kind[]> => get("/arena/forms");
export const formOf = (kind: string): Promise<LearnerForm> => get(`/arena/forms/${encodeURIComponent(kind)}`);
export const onePage = (id: string): Promise<TournamentPage> => get(`/arena/${encodeURIComponent(id)}`);
export const command = (id: string, verb: "stop" | "resume"): Promise<Tournament> => post(`/arena/${id}/${verb}`);
export const makeTournament = (body: { name: string; kind: string; given: Given }): Promise<Tournament> =>
  post("/arena", body);

/** A player as the page calls it: a bot by its name. */
export const nameOf = ({ names }: Tournament, spec: string): string => names[spec] ?? spec;

export function howFar({ done, total, rate, state }: Tournament): string {
  if (total === 0) return state === "playing" ? "makes the openings…" : "";
  const pace = rate ? ` · ${rounded(rate, 2)} games a second` : "";
  return `${count(done)} of ${count(total)} games${pace}`;
}

const signed = (value: number): string => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(Math.round(value))}`;

/** A number with the ends of its interval, of which null is without bound. */
export function eloText(value: number | null, low: number | null, high: number | null): string {
  if (value === null) return low !== null ? `> ${signed(low)}` : high !== null ? `< ${signed(high)}` : "none";
  if (value === low && value === high) return signed(value);
  return `${signed(value)} [${low === null ? "−∞" : signed(low)}, ${high === null ? "∞" : signed(high)}]`;
}

export const scoreText = ({ value, low, high }: Interval): string =>
  `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
