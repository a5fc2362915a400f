// What is analysed: a game with its variations, the position on the board, the searches of the panels, the judged line.
import {
  Searches,
  judgeGame,
  positionAt,
  type Message,
  type PanelName,
  type Place,
  type Position,
} from "./analyse_data.js";
import { NOTHING_YET, type Finding, type Settings } from "./analyse_panel.js";
import { MoveNode } from "./analyse_tree_of_moves.js";
import { sentence } from "./api.js";
import type { Options } from "./play_data.js";

const PERFECT = "perfect:detail=full";
const PERFECT_S = 60;
const FIRST: Settings = { policy: "uct", seconds: 10, lines: 3 };
const SECOND: Settings = { policy: "minimax", seconds: 10, lines: 3 };
const JUDGE_EXACT = "perfect(uct:2000)";
const JUDGE = "uct:2000";

/** Calls `changed` whenever there is something new to draw. */
export class Session {
  game = "ConnectFour-v0";
  options: Options = {};
  start: string | null = null;
  root = new MoveNode("");
  current = this.root;
  position?: Position; // on the board; the one before while the next is asked for
  message = "";
  version = 0;
  settings: Record<"first" | "second", Settings> = { first: { ...FIRST }, second: { ...SECOND } };
  findings: Record<PanelName, Finding> = { first: NOTHING_YET, second: NOTHING_YET, perfect: NOTHING_YET };
  isOn: Record<PanelName, boolean> = { first: true, second: false, perfect: true };
  judgePolicy = "";
  isJudging = false;
  judgeMessage = "";
  private readonly searches = new Searches((message) => this.take(message));
  private judging?: AbortController;
  private onBoard = this.root; // the node whose position is on the board
  private asked = 0; // counts what is shown
  private begun = 0;

  constructor(private readonly changed: () => void) {
    this.searches.open();
  }

  close(): void {
    this.searches.close();
    this.judging?.abort();
  }

  get place(): Place {
    const { game, options, start } = this;
    return { game, options, start, moves: this.current.moves };
  }

  /** Begins with another game or position. at: how many of the moves stand on the board; all by default. */
  async begin(game: string, options: Options, start: string | null, moves: string[], at = moves.length): Promise<void> {
    const begun = ++this.begun;
    const place = { game, options, start };
    const root = new MoveNode("");
    let node = root;
    try {
      const last = await positionAt({ ...place, moves });
      if (begun !== this.begun) return;
      for (const move of last.state.moves) node = node.after(move);
      node.position = last;
    } catch (error) {
      if (begun !== this.begun) return;
      if (this.position) return this.fail(error); // what is analysed stays
      this.turnTo({ ...place, start: null }, root);
      await this.show(root); // of the standard start, if there is one
      if (begun === this.begun) this.fail(error);
      return;
    }
    this.turnTo(place, node);
    await this.show(node.path[Math.min(Math.max(at, 0), node.ply)] ?? node);
  }

  /** Leaves what is analysed for another game, of which this node can be shown. */
  private turnTo(place: Omit<Place, "moves">, node: MoveNode): void {
    this.judging?.abort();
    this.stopAll();
    const root = node.path[0] ?? node;
    Object.assign(this, place, { root, current: node, onBoard: node, position: node.position, judgeMessage: "" });
  }

  /** Shows a position and searches it. */
  async show(node: MoveNode): Promise<void> {
    const asked = ++this.asked;
    node.choose();
    this.current = node;
    this.message = "";
    this.stopAll();
    this.tell();
    if (!node.position) {
      try {
        node.position = await positionAt(this.place);
      } catch (error) {
        if (asked !== this.asked) return;
        if (this.onBoard.position) await this.show(this.onBoard); // back to what is seen
        return this.fail(error);
      }
      if (asked !== this.asked) return;
    }
    this.onBoard = node;
    this.position = node.position;
    this.tell();
    for (const panel of ["perfect", "first", "second"] as const) this.search(panel);
  }

  /** Plays moves from the position on the board; those not yet played are tried as a variation. */
  async play(moves: string[]): Promise<void> {
    if (!this.isShown) return; // they are meant for the position before
    let node = this.current;
    for (const move of moves) node = node.after(move);
    if (node !== this.current) await this.show(node);
  }

  step(plies: number): void {
    const line = this.current.line;
    const node = line[Math.min(Math.max(this.current.ply + plies, 0), line.length - 1)];
    if (node && node !== this.current) void this.show(node);
  }

  forget(node: MoveNode): void {
    const { parent } = node;
    node.forget();
    this.tell();
    if (parent) void this.show(parent);
  }

  // ---------------------------------------------------------------- searches

  get hasMove(): boolean {
    return this.position !== undefined && this.position.state.outcome === null && (this.position.state.to_play ?? -1) >= 0;
  }

  /** Whether the board shows the position that is looked at, not the one before while that is asked for. */
  get isShown(): boolean {
    return this.position !== undefined && this.position === this.current.position;
  }

  private search(panel: PanelName): void {
    if (!this.isOn[panel] || !this.hasMove || !this.isShown) return;
    if (panel === "perfect") {
      if (!this.position?.has_solver) return;
      this.searches.ask({ ...this.place, panel, policy: PERFECT, seconds: PERFECT_S, lines: 2 });
    } else {
      const { policy, seconds, lines } = this.settings[panel];
      this.searches.ask({ ...this.place, panel, policy, seconds: seconds || null, lines });
    }
    this.findings[panel] = { ...NOTHING_YET, isSearching: true, isReady: false };
    this.tell();
  }

  private stopAll(): void {
    for (const panel of ["first", "second", "perfect"] as const) {
      this.searches.stop(panel);
      this.findings[panel] = NOTHING_YET;
    }
  }

  toggle(panel: PanelName): void {
    const { isSearching } = this.findings[panel];
    this.isOn[panel] = !isSearching;
    if (isSearching) {
      this.searches.stop(panel);
      this.findings[panel] = { ...this.findings[panel], isSearching: false };
      this.tell();
    } else this.search(panel);
  }

  change(panel: "first" | "second", part: Partial<Settings>): void {
    this.settings[panel] = { ...this.settings[panel], ...part };
    this.isOn[panel] = true;
    this.search(panel);
    this.tell();
  }

  compare(isWanted: boolean): void {
    this.isOn.second = isWanted;
    this.searches.stop("second");
    this.findings.second = NOTHING_YET;
    this.search("second");
    this.tell();
  }

  private take(message: Message): void {
    if (!message.panel) {
      this.message = message.kind === "error" ? message.error : "";
      return this.tell();
    }
    const before = this.findings[message.panel];
    const next = { ...before };
    if (message.kind === "found") Object.assign(next, { found: message, elapsed: message.elapsed, isReady: true, message: "" });
    else if (message.kind === "pulse") Object.assign(next, { elapsed: message.elapsed, isReady: message.is_ready });
    else if (message.kind === "nothing") next.note = message.why;
    else if (message.kind === "error") Object.assign(next, { message: message.error, isSearching: false });
    else next.isSearching = false;
    this.findings[message.panel] = next;
    this.tell();
  }

  // ---------------------------------------------------------------- the judged game

  get judge(): string {
    return this.judgePolicy || (this.position?.has_solver ? JUDGE_EXACT : JUDGE);
  }

  async judgeLine(): Promise<void> {
    this.judging?.abort();
    if (this.isJudging) {
      this.isJudging = false;
      return this.tell();
    }
    const judging = new AbortController();
    this.judging = judging;
    const line = this.current.line;
    for (const node of line) node.judged = undefined;
    this.isJudging = true;
    this.judgeMessage = "";
    this.tell();
    try {
      const place = { ...this.place, moves: line.slice(1).map(({ move }) => move) };
      await judgeGame(
        place,
        this.judge,
        (ply) => {
          const node = line[ply.ply];
          if (node) node.judged = ply;
          this.tell();
        },
        judging.signal,
      );
    } catch (error) {
      if (!judging.signal.aborted) this.judgeMessage = sentence(error);
    }
    if (this.judging === judging) this.isJudging = false;
    this.tell();
  }

  private fail(error: unknown): void {
    this.message = sentence(error);
    this.tell();
  }

  private tell(): void {
    this.version += 1;
    this.changed();
  }
}
