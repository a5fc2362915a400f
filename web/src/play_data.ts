// What the room Play asks of the server, and what it is told.
import { get, post } from "./api.js";
import type { BoardState, GameDescription } from "./description.js";

export type OptionValue = string | number | boolean;
export type Options = Record<string, OptionValue>;

export interface OptionEntry {
  value: OptionValue;
  choices?: OptionValue[];
  range?: [number, number];
}

export interface GameEntry {
  id: string;
  title: string;
  seats: string[];
  options: Record<string, OptionEntry>;
  setups: string[];
  policies: string[]; // suggested specs
}

export interface Seat {
  kind: "human" | "policy";
  spec: string;
}

export interface SeatAtPlay extends Seat {
  name: string; // what the game calls it
}

export interface Clock {
  seconds: number; // of each seat
  increment: number; // seconds that a move adds
}

export interface RunningClock extends Clock {
  left: number[]; // seconds, one a seat
  running: number | null; // the seat whose time goes by
  at: number; // when `left` held, in milliseconds since 1970
}

export interface NewPlay {
  game: string;
  options: Options;
  seats: Seat[];
  seed?: number;
  position?: string;
  setup?: string;
  moves?: string[];
  clock?: Clock;
}

export interface Play {
  id: string;
  game: GameDescription;
  seats: SeatAtPlay[];
  start: string; // position string of its first position
  movers: number[]; // the seat of each move so far; -1: chance
  state: BoardState;
  version: number;
  thinking: number | null; // the seat whose policy is at work
  message: string; // what a policy did wrong
  paused: boolean;
  clocks: RunningClock | null;
  is_over: boolean;
}

export interface Hint {
  action: number;
  move: string;
}

export interface Opening {
  game: GameDescription;
  state: BoardState;
}

export interface AgentFile {
  name: string;
  spec: string;
}

/** Options as the server reads them in an address: NAME=VALUE, one each. */
export const optionQuery = (options: Options): string =>
  Object.entries(options)
    .map(([name, value]) => `options=${encodeURIComponent(`${name}=${value}`)}`)
    .join("&");

export const games = (): Promise<GameEntry[]> => get("/games");
export const opening = (game: string, options: Options): Promise<Opening> =>
  get(`/games/${encodeURIComponent(game)}?${optionQuery(options)}`);
export const plays = (): Promise<Play[]> => get("/plays");
export const startPlay = (play: NewPlay): Promise<Play> => post("/plays", play);
export const checkPosition = (position: { game: string; options: Options; fen: string }): Promise<{ state: BoardState }> =>
  post("/positions/check", position);
export const setUp = (position: {
  game: string;
  options: Options;
  pieces: number[];
  seat: number;
}): Promise<{ fen: string }> => post("/positions", position);

export const isHuman = (seat: Seat | undefined): boolean => seat?.kind === "human";

/** "You" where one person plays; the policy's spec; else a person. */
export function nameOfSeat(play: Play, seat: number): string {
  const entry = play.seats[seat];
  if (!isHuman(entry)) return entry?.spec ?? "";
  return play.seats.filter(isHuman).length === 1 ? "You" : "A person";
}

/** The trained agents that the studio keeps. */
export async function agentFiles(): Promise<AgentFile[]> {
  return [];
}
