// What the room Play asks of the server, and what it is told.
import { ApiError, get, post } from "./api.js";
import type { BoardState, GameDescription } from "./description.js";
import type { ListedMove } from "./board/movelist.js";

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
  paused: boolean; // its policies wait until they are asked again
  clocks: RunningClock | null;
  is_over: boolean;
}

/** A play in the list of them. */
export interface PlayEntry {
  id: string;
  game: string; // its id
  seats: Seat[];
  changed: string; // a time in UTC
  ply: number;
  is_over: boolean;
  result: string;
}

export interface Hint {
  action: number;
  move: string;
  spec: string; // who says so
  version: number; // of the play that it is for
}

export interface Opening {
  game: GameDescription;
  state: BoardState;
}

export interface TrainedAgent {
  id: string;
  name: string;
  game: string; // its id
}

/** Options as the server reads them in an address: NAME=VALUE, one each. */
export const optionQuery = (options: Options): string =>
  Object.entries(options)
    .map(([name, value]) => `options=${encodeURIComponent(`${name}=${value}`)}`)
    .join("&");

export const games = (): Promise<GameEntry[]> => get("/games");
export const opening = (game: string, options: Options): Promise<Opening> =>
  get(`/games/${encodeURIComponent(game)}?${optionQuery(options)}`);
export const plays = (): Promise<PlayEntry[]> => get("/plays");
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

/** The moves of a game with the seats that made them, as the list of moves takes them. */
export const stepsOf = ({ state, movers }: Play): ListedMove[] =>
  state.moves.map((move, at) => ({ index: at + 1, seat: movers[at] ?? 0, move }));

/** "You" where one person plays; the policy's spec; else a person. */
export function nameOfSeat(play: Play, seat: number): string {
  const entry = play.seats[seat];
  if (!isHuman(entry)) return entry?.spec ?? "";
  return play.seats.filter(isHuman).length === 1 ? "You" : "A person";
}

/** The bots of the room Train that have learnt something; none where the studio has no such room. */
export async function trainedAgents(): Promise<TrainedAgent[]> {
  try {
    const { bots } = await get<{ bots: (TrainedAgent & { has_agent: boolean })[] }>("/bots");
    return bots.filter(({ has_agent }) => has_agent).map(({ id, name, game }) => ({ id: String(id), name, game }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** What seats are called at which bots sit; "" at the others. */
export function botNames(seats: Seat[], bots: { id: string; name: string }[]): string[] {
  const named = new Map(bots.map(({ id, name }) => [id, name]));
  return seats.map(({ spec }) => named.get(/[/\\]bots[/\\]([0-9a-f]+)[/\\]/.exec(spec)?.[1] ?? "") ?? "");
}

/** The spec of what a bot has learnt so far. */
export async function specOfAgent(id: string): Promise<string> {
  return (await post<{ spec: string }>(`/bots/${encodeURIComponent(id)}/snapshot`)).spec;
}
