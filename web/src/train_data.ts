// What the server says of bots and of the forms that make them, and the calls of the room Train.
import { ApiError, connection, get, post } from "./api.js";
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

export interface BotPage {
  bot: Bot;
  curve: Curve;
  log: string;
}

export interface BotList {
  bots: Bot[];
  limit: number;
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
}

/** A form that was refused: a sentence for each field that is wrong; "" for what is of no one field. */
export class FormError extends ApiError {
  constructor(
    message: string,
    readonly errors: Record<string, string>,
  ) {
    super(message, 422);
  }
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
export const command = (id: string, verb: "stop" | "resume" | "trials"): Promise<Bot> => post(`/bots/${id}/${verb}`);
export const snapshot = (id: string): Promise<Snapshot> => post(`/bots/${id}/snapshot`);
export const memory = (id: string, moves: number[]): Promise<Memory> => get(`/bots/${id}/memory?moves=${moves.join(",")}`);
export const agentAddress = (id: string): string => `/api/bots/${id}/agent`;

export const makeBot = (bot: NewBot): Promise<Bot> =>
  send("/bots", JSON.stringify(bot), "application/json") as Promise<Bot>;

export function uploadAgent(file: File, name: string): Promise<Bot> {
  const query = new URLSearchParams({ name: name.slice(0, 80) });
  return send(`/agents?${query}`, file, "application/octet-stream") as Promise<Bot>;
}

export async function send(path: string, body: BodyInit, type: string): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { method: "POST", headers: { "Content-Type": type }, body });
  } catch {
    connection.set(true);
    throw new ApiError("The studio does not answer, or has refused a file of this size.", 0);
  }
  const said = (await response.json().catch(() => null)) as { error?: string; errors?: Record<string, string> } | null;
  if (response.ok) return said;
  const sentence = said?.error ?? `The studio answered ${response.status}.`;
  throw said?.errors ? new FormError(sentence, said.errors) : new ApiError(sentence, response.status);
}

/** The room Play with a bot at its seat and a person at the others. */
export function playAddress(bot: Bot, { spec, game, options, seat }: Snapshot): string {
  const query = new URLSearchParams({ game: game.replace(/-v\d+$/, "") });
  for (const [name, value] of Object.entries(options)) query.append("option", `${name}=${value}`);
  query.set("seats", bot.seats.map((_, index) => (index === seat ? spec : "human")).join(";"));
  return `#/play?${query}`;
}

export const percent = (share: number): string =>
  `${(100 * share).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
export const count = (number: number): string => number.toLocaleString();
