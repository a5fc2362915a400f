// What the room Analyse asks of the server, and what it is told.
import { ApiError, LOST, get, post, send } from "./api.js";
import type { BoardState, GameDescription } from "./description.js";
import type { Options } from "./play_data.js";

/** A position: a game, where it began (null: the standard start), and what has been played. */
export interface Place {
  game: string;
  options: Options;
  start: string | null;
  moves: string[];
}

export interface Position {
  game: GameDescription;
  state: BoardState;
  has_solver: boolean;
  rolls: { move: string; probability: number }[]; // where chance is to act
}

export interface Line {
  action: number;
  value: number | null;
  moves: string[];
}

export interface MoveRow {
  move: string;
  action: number;
  value: number | null;
  nodes: number | null;
  score?: number | null; // of a solver's own scale
  distance?: number | null; // to the end of the game by best play
}

/** What a search has found. Values are for the seat to play, from -1, lost, to 1, won. */
export interface Found {
  move: string;
  action: number;
  value: number;
  to_play: number;
  is_proven: boolean;
  depth: number;
  nodes: number;
  elapsed: number; // seconds
  lines: Line[];
  moves: MoveRow[]; // the choice first, then by value
}

export type PanelName = "first" | "second" | "perfect";

export interface Search extends Place {
  panel: PanelName;
  number?: number; // of the request, which its messages bear
  policy: string;
  seconds: number | null; // null: the policy's own limit
  lines: number;
}

export type Message = { number?: number } & (
  | ({ kind: "found"; panel: PanelName } & Found)
  | { kind: "pulse"; panel: PanelName; elapsed: number; is_ready: boolean } // not ready: it starts and compiles
  | { kind: "done"; panel: PanelName; was_stopped: boolean }
  | { kind: "nothing"; panel: PanelName; why: string }
  | { kind: "error"; panel: PanelName | null; error: string }
);

export type Mark = "" | "inaccuracy" | "mistake" | "blunder";

/** A position of a game, and what is to be said of the move that led to it. */
export interface Ply {
  ply: number;
  move: string | null;
  seat: number | null;
  values: (number | null)[]; // for each seat
  is_exact: boolean;
  best: string | null;
  note: string;
  loss: number | null;
  better: string | null;
  mark: Mark;
  words: string;
}

export interface TreeNode {
  move: string;
  to_play: string;
  value: number | null;
  window: [number, number] | null;
  pruned: "" | "alpha" | "beta";
  visits: number | null;
  proven: boolean | null;
  is_best: boolean;
  below: number; // children that are left out here
  children: TreeNode[];
}

export interface SearchTree {
  seat: string;
  search: string;
  root: TreeNode;
}

export interface OpeningMove {
  move: string;
  action: number;
  games: number;
  wins: number[];
  draws: number;
  score: number | null; // of the seat to play
}

export interface OpeningFile {
  id: string;
  games: number;
  others: number; // of another game or other options
  positions: number;
}

export const positionAt = (place: Place): Promise<Position> => post("/analysis/position", place);

export const openingMoves = (id: string, place: Place): Promise<{ games: number; moves: OpeningMove[] }> =>
  post(`/analysis/openings/${id}`, place);

export const openingsOfPlays = (game: string, options: Options): Promise<OpeningFile> =>
  post("/analysis/openings-of-plays", { game, options });

const optionTexts = (options: Options): string[] => Object.entries(options).map(([name, value]) => `${name}=${value}`);

export function sendOpenings(file: File, game: string, options: Options): Promise<OpeningFile> {
  const form = new FormData();
  form.set("file", file);
  form.set("game", game);
  for (const option of optionTexts(options)) form.append("option", option);
  return post("/analysis/openings", form);
}

/** A node of a search's tree and what is right below it. under: the moves that lead to it. */
export function searchTree(place: Place, policy: string, under: string[], pruning: boolean): Promise<SearchTree> {
  const query = new URLSearchParams({ game: place.game, moves: place.moves.join(" "), policy, under: under.join(" "), plies: "1" });
  if (place.start) query.set("start", place.start);
  query.set("pruning", String(pruning));
  for (const option of optionTexts(place.options)) query.append("option", option);
  return get(`/analysis/tree?${query}`);
}

/** Has a game judged, ply by ply. Ends when all are told, or when the signal aborts it. Throws what went wrong, as a sentence. */
export async function judgeGame(place: Place, policy: string, on: (ply: Ply) => void, signal: AbortSignal): Promise<void> {
  const { body } = await send("POST", "/analysis/game", { ...place, policy }, signal);
  if (!body) throw new ApiError(LOST, 0);
  let text = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: "" }));
    if (done) throw new ApiError(LOST, 0); // before its last event
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      if (!event.startsWith("data: ")) continue;
      const data = JSON.parse(event.slice(6)) as ({ kind: "ply" } & Ply) | { kind: "done" } | { kind: "error"; error: string };
      if (data.kind === "ply") on(data);
      if (data.kind === "done") return;
      if (data.kind === "error") throw new Error(data.error);
    }
  }
}

const AGAIN_MS = 1000;

/** The socket of live searches. It opens again by itself, and then asks again for what each panel wants. */
export class Searches {
  private socket?: WebSocket;
  private wanted = new Map<PanelName, Search>();
  private isClosed = false;
  private timer = 0;
  private asked = 0;

  constructor(private readonly on: (message: Message) => void) {}

  ask(search: Search): void {
    const numbered = { ...search, number: ++this.asked };
    this.wanted.set(search.panel, numbered);
    this.send(numbered);
  }

  stop(panel: PanelName): void {
    if (!this.wanted.delete(panel)) return;
    this.send({ panel, stop: true });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  private send(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else if (!this.socket) this.open();
  }

  /** Opens it, so that the server makes ready to search. */
  open(): void {
    if (this.isClosed || this.socket) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/analysis`);
    this.socket = socket;
    socket.onopen = () => {
      for (const search of this.wanted.values()) socket.send(JSON.stringify(search));
    };
    socket.onmessage = (event: MessageEvent<string>) => this.take(event.data);
    socket.onclose = () => {
      this.socket = undefined;
      if (this.wanted.size > 0) this.timer = setTimeout(() => this.open(), AGAIN_MS);
    };
  }

  private take(text: string): void {
    const message = JSON.parse(text) as Message;
    if (message.panel && message.number !== this.wanted.get(message.panel)?.number) return; // it was on its way
    if (message.panel && (message.kind === "done" || message.kind === "error")) this.wanted.delete(message.panel);
    this.on(message);
  }
}
