// What the server says of bots and of the forms that make them, and the calls of the room Train.
import { roomAddress } from "./addresses.js";
import { get, post, send } from "./api.js";
import { unpack, type PackedReplay } from "./board/packed.js";
import type { BoardState, GameDescription } from "./description.js";

export type Value = string | number | boolean | null | Value[];
export type Given = Record<string, Value>;

export interface FormField {
  name: string;
  label: string; // empty: made from the name
  kind: "int" | "float" | "text" | "choice" | "flag" | "list";
  item: string; // of a list: the kind of its values
  default: Value;
  is_optional: boolean;
  choices: string[];
  labels: string[];
  count: number;
  help: string;
  group: string;
  redraws: boolean;
  is_policy: boolean; // the spec of a policy, or a list of them
}

export interface LearnerForm {
  name: string;
  title: string;
  help: string;
  fields: FormField[];
  notes: string[];
}

export interface LearnerEntry {
  name: string;
  title: string;
  help: string;
}

export type BotState = "waiting" | "training" | "finished" | "stopped" | "interrupted" | "failed" | "uploaded";

export interface Progress {
  done: number;
  total: number;
  unit: string;
  size: string;
}

export interface Figure {
  name: string;
  won: number;
  drawn: number;
  lost: number;
  quality: number;
}

export interface Trials {
  state: "" | "running" | "done" | "failed";
  message: string;
  done: number;
  rule: string;
  seats: { seat: number; verdict: string; figures: Figure[] }[];
}

export interface Bot {
  id: string;
  created: string; // a time, in texts that sort as times do
  name: string;
  description: string;
  form: string;
  given: Given;
  learner: string;
  command: string;
  game: string;
  title: string;
  options: Record<string, string | number | boolean>;
  seats: string[];
  seat: number; // -1: it learns all seats
  state: BotState;
  message: string;
  progress: Progress | null;
  has_agent: boolean;
  has_memory: boolean;
  trials: Trials;
}

export interface Curve {
  columns: string[];
  rows: (number | null)[][];
}

/** How a bot is tested at parts of its training: boardgym/web/part_tests.py. */
export interface TestPlan {
  opponents: string[];
  openings: string;
  games: number; // against each, half of them at each seat
}

export interface TestRow {
  opponent: string;
  seat: number;
  won: number;
  drawn: number;
  lost: number;
}

export interface PartTests extends TestPlan {
  seats: string[];
  parts: number;
  state: "" | "running" | "failed";
  message: string;
  results: { part: number; done: number; rows: TestRow[] }[];
}

export interface BotPage {
  bot: Bot;
  curve: Curve;
  snapshots: number[]; // units after which it can be looked at; the last as it is now
  log: string;
  tests: PartTests | null;
}

/** What a bot, or perfect play, makes of a position. */
export interface View {
  name: string;
  state: BoardState;
  action: number | null; // that it would play; null where it says nothing
  move: string;
  values: Record<number, number>;
  kind: "value" | "probability"; // of the values
  why: string;
}

export interface BotViews {
  done: number;
  game: GameDescription;
  views: View[];
}

export interface BotGame {
  done: number;
  number: number;
  game: GameDescription;
  states: BoardState[];
  players: string[];
  message: string;
}

export interface BotList {
  bots: Bot[];
  limit: number;
}

/** What has changed of the list: bots that are new or other than before, and the ids of those that are gone. */
export interface ListChange extends BotList {
  is_whole: boolean; // whether these are all bots
  gone: string[];
}

/** The list after a change, the newest bots first. */
export function changedList(before: BotList | undefined, { is_whole, bots, gone, limit }: ListChange): BotList {
  const all = new Map((is_whole ? [] : (before?.bots ?? [])).map((bot) => [bot.id, bot]));
  for (const bot of bots) all.set(bot.id, bot);
  for (const id of gone) all.delete(id);
  return { bots: [...all.values()].sort((a, b) => (a.created < b.created ? 1 : -1)), limit };
}

export interface Snapshot {
  spec: string;
  game: string;
  options: Record<string, string | number | boolean>;
  seat: number;
}

export interface MemoryEntry {
  action: number;
  move: string;
  value: number;
  visits: number;
  is_known: boolean;
  is_best: boolean;
}

export interface Memory {
  game: GameDescription;
  state: BoardState;
  entries: MemoryEntry[];
  holds: string;
  statistics: { entries: number; positions: number; bytes: number };
}

export interface NewBot {
  name: string;
  description: string;
  form: string;
  given: Given;
  tests?: TestPlan;
}

export const STATES: Record<BotState, string> = {
  waiting: "waits",
  training: "trains",
  finished: "finished",
  stopped: "stopped",
  interrupted: "interrupted",
  failed: "failed",
  uploaded: "uploaded",
};

export const isUnderWay = (bot: Bot): boolean => bot.state === "waiting" || bot.state === "training";
export const canResume = (bot: Bot): boolean => bot.learner !== "" && ["stopped", "interrupted", "failed"].includes(bot.state);

export const learners = (): Promise<LearnerEntry[]> => get("/learners");
export const learnerForm = (name: string, query: URLSearchParams): Promise<LearnerForm> =>
  get(`/learners/${encodeURIComponent(name)}?${query}`);
export const onePage = (id: string): Promise<BotPage> => get(`/bots/${encodeURIComponent(id)}`);
export const command = (id: string, verb: "stop" | "resume" | "trials" | "tests"): Promise<unknown> =>
  post(`/bots/${id}/${verb}`);
export const snapshot = (id: string): Promise<Snapshot> => post(`/bots/${id}/snapshot`);
export const memory = (id: string, moves: number[]): Promise<Memory> => get(`/bots/${id}/memory?moves=${moves.join(",")}`);
export const perfectViews = (id: string, fen: string): Promise<{ views: View[] }> =>
  get(`/bots/${id}/perfect?${new URLSearchParams({ fen })}`);
export const agentAddress = (id: string): string => `/api/bots/${id}/agent`;

export const makeBot = (bot: NewBot): Promise<Bot> => post("/bots", bot);

export const uploadAgent = (file: Blob, name: string): Promise<Bot> =>
  post(`/agents?${new URLSearchParams({ name: name.slice(0, 80) })}`, file);

/** Keeps what a bot has learnt so far as a bot of its own. */
export async function copyNet(id: string, name: string): Promise<Bot> {
  return uploadAgent(await (await send("GET", `/bots/${id}/agent`)).blob(), name);
}

/** done: units of its training, of which the nearest snapshot answers; undefined: as it is now. */
export function viewsAt(id: string, done: number | undefined, fen: string): Promise<BotViews> {
  const query = new URLSearchParams({ fen });
  if (done !== undefined) query.set("done", String(done));
  return get(`/bots/${id}/views?${query}`);
}

export async function gameAt(id: string, done: number, number: number): Promise<BotGame> {
  const found = await post<PackedReplay & Omit<BotGame, "game" | "states">>(`/bots/${id}/games`, { done, number });
  return { ...found, ...unpack(found) };
}

/** The room Play with a bot at its seat and a person at the others. */
export const playAddress = (bot: Bot, { spec, game, options, seat }: Snapshot): string =>
  roomAddress("play", game, options, { seats: bot.seats.map((_, index) => (index === seat ? spec : "human")).join(";") });
