// The start form's contents, to and from the address and the request that starts a play.
import { roomAddress, shortName } from "./addresses.js";
import { specOfAgent, type GameEntry, type NewPlay, type Options, type Seat } from "./play_data.js";

export type Who = "you" | "person" | "policy" | "agent";
export type Begin = "start" | "setup" | "fen" | "hand";

export interface SeatDraft {
  who: Who;
  spec: string; // of a policy; of an agent its id
}

export interface Draft {
  game: string;
  options: Options;
  seats: SeatDraft[];
  begin: Begin;
  setup: string;
  fen: string;
  minutes: number; // 0: no clock
  increment: number; // seconds a move
  seed: string; // empty: a fresh one
}

const FIRST_GAME = "ConnectFour-v0";
const OPPONENTS = ["puct:1000", "uct:1000"]; // the first that a game has
const AGENT = "bot:"; // in an address, before an agent's id

/** The game that an address names, with or without its version; Connect Four if it names none. */
export function entryFor(entries: GameEntry[], name: string | null): GameEntry | undefined {
  const named = entries.find(({ id }) => id === name || shortName(id) === name);
  return named ?? (name ? undefined : (entries.find(({ id }) => id === FIRST_GAME) ?? entries[0]));
}

/** The policy that a form begins with. */
export const opponentOf = (policies: string[]): string =>
  OPPONENTS.find((spec) => policies.includes(spec)) ?? policies.at(-1) ?? "random";

/** You at the first seat against a policy at the others, from the standard start. */
export function freshDraft(entry: GameEntry): Draft {
  return {
    game: entry.id,
    options: Object.fromEntries(Object.entries(entry.options).map(([name, { value }]) => [name, value])),
    seats: entry.seats.map((_, seat) => ({ who: seat === 0 ? "you" : "policy", spec: opponentOf(entry.policies) })),
    begin: "start",
    setup: entry.setups.find((setup) => setup !== "standard") ?? "standard",
    fen: "",
    minutes: 0,
    increment: 0,
    seed: "",
  };
}

/** The draft of an address such as #/play?game=ConnectFour&fen=...&seats=human;minimax:4&option=width=8. */
export function draftOf(entry: GameEntry, query: URLSearchParams): Draft {
  const draft = freshDraft(entry);
  for (const text of query.getAll("option")) {
    const [name = "", value = ""] = text.split(/=(.*)/s);
    const known = entry.options[name];
    if (known) draft.options[name] = asOption(value, known.value);
  }
  const seats = query.get("seats")?.split(";");
  if (seats?.length === entry.seats.length) draft.seats = seats.map((text) => seatOf(entry, text));
  const fen = query.get("fen");
  const setup = query.get("setup");
  if (fen) Object.assign(draft, { begin: "fen", fen });
  else if (setup) Object.assign(draft, { begin: "setup", setup });
  return draft;
}

function seatOf(entry: GameEntry, text: string): SeatDraft {
  if (text === "human") return { who: "you", spec: opponentOf(entry.policies) };
  return text.startsWith(AGENT) ? { who: "agent", spec: text.slice(AGENT.length) } : { who: "policy", spec: text };
}

/** The text of a field as a value of the same type as the option's. */
export function asOption(text: string, like: string | number | boolean): string | number | boolean {
  if (typeof like === "number") return Number(text);
  if (typeof like === "boolean") return text.toLowerCase() === "true";
  return text;
}

const isPerson = ({ who }: SeatDraft): boolean => who === "you" || who === "person";

async function seatFor(seat: SeatDraft): Promise<Seat> {
  if (isPerson(seat)) return { kind: "human", spec: "" };
  return { kind: "policy", spec: seat.who === "agent" ? await specOfAgent(seat.spec) : seat.spec.trim() };
}

const textOf = (seat: SeatDraft): string =>
  isPerson(seat) ? "human" : seat.who === "agent" ? AGENT + seat.spec : seat.spec.trim();

/** The options that differ from the game's own. */
export function changedOptions(entry: GameEntry, draft: Draft): Options {
  return Object.fromEntries(Object.entries(draft.options).filter(([name, value]) => entry.options[name]?.value !== value));
}

/** The request that starts this play. */
export async function requestOf(entry: GameEntry, draft: Draft): Promise<NewPlay> {
  return {
    game: draft.game,
    options: changedOptions(entry, draft),
    seats: await Promise.all(draft.seats.map(seatFor)),
    ...(draft.seed === "" ? {} : { seed: Number(draft.seed) }),
    ...(draft.begin === "fen" || draft.begin === "hand" ? { position: draft.fen.trim() } : {}),
    ...(draft.begin === "setup" ? { setup: draft.setup } : {}),
    ...(draft.minutes > 0 ? { clock: { seconds: draft.minutes * 60, increment: draft.increment } } : {}),
  };
}

/** The address that fills the form with this draft. */
export function addressOfDraft(entry: GameEntry, draft: Draft): string {
  const isUsual = JSON.stringify(draft.seats) === JSON.stringify(freshDraft(entry).seats);
  return roomAddress("play", draft.game, changedOptions(entry, draft), {
    setup: draft.begin === "setup" ? draft.setup : "",
    fen: draft.begin === "fen" || draft.begin === "hand" ? draft.fen : "",
    seats: isUsual ? "" : draft.seats.map(textOf).join(";"),
  });
}
