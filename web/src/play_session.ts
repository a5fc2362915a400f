// A play as the server has it, kept in step; what this page shows of it, and what it asks of it.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError, events, get, post, sentence } from "./api.js";
import type { BoardState } from "./description.js";
import { isFree } from "./keys.js";
import type { Hint, Play, Seat } from "./play_data.js";

export class PlaySession implements ReactiveController {
  play?: Play;
  message = ""; // why the last request did nothing
  hint?: Hint;
  isGone = false; // the server knows no such play
  isBusy = false; // a request is under way
  private index: number | null = null; // of the past position on the board; null: the present one
  private readonly past = new Map<number, BoardState>();
  private waiting?: BoardState; // on the board until the wanted past position is here
  private stop?: () => void;
  private id = "";
  private asked = 0; // counts what changes the game
  private looked = 0; // counts past positions
  private wondered = 0; // counts whys

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("keydown", this.browse);
    if (this.id) this.listen();
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.browse);
    this.stop?.();
    this.stop = undefined;
  }

  /** Arrow keys browse the moves, unless what has the focus takes them itself. */
  private browse = (event: KeyboardEvent): void => {
    const step = isFree(event) ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    void this.show(this.shownIndex + step);
  };

  /** Turns to a play, or to another one. */
  follow(id: string): void {
    if (id === this.id) return;
    Object.assign(this, { id, play: undefined, message: "", hint: undefined, isGone: false, isBusy: false, index: null });
    this.waiting = undefined;
    this.asked += 1; // what is under way belongs to the play before
    this.past.clear();
    this.listen();
    this.host.requestUpdate();
  }

  private listen(): void {
    this.stop?.();
    this.stop = events<Play>(
      `/plays/${this.id}/events`,
      (play) => this.take(play),
      (isLost) => void (isLost && this.checkIsThere()),
    );
  }

  /** An event stream says nothing of why it is refused. */
  private async checkIsThere(): Promise<void> {
    const { id } = this;
    try {
      this.take(await get<Play>(`/plays/${id}`));
    } catch (error) {
      if (id !== this.id) return;
      if (!(error instanceof ApiError) || error.status === 0) return; // lost: the page's bar says so
      if (error.status !== 404) return this.fail(error);
      this.stop?.();
      this.isGone = true;
      this.message = error.message;
      this.host.requestUpdate();
    }
  }

  private take(play: Play): void {
    if (play.id !== this.id || (this.play && play.version < this.play.version)) return; // late
    const before = this.play;
    this.play = play;
    if (before && before.state.fen !== play.state.fen) {
      this.hint = undefined;
      this.message = "";
    }
    const same = sameMoves(before?.state.moves ?? [], play.state.moves);
    for (const index of this.past.keys()) if (index > same) this.past.delete(index);
    if (this.index !== null && this.index >= same) this.index = null; // taken back
    this.host.requestUpdate();
  }

  /** How many moves lie before the position on the board. */
  get shownIndex(): number {
    return this.index ?? this.play?.state.moves.length ?? 0;
  }

  get isPast(): boolean {
    return this.index !== null;
  }

  /** The position on the board. */
  get shown(): BoardState | undefined {
    return this.index === null ? this.play?.state : (this.past.get(this.index) ?? this.waiting ?? this.play?.state);
  }

  /** Shows the position after so many moves. */
  async show(index: number): Promise<void> {
    const play = this.play;
    if (!play) return;
    const { id, index: before } = this;
    const { moves } = play.state;
    const looked = ++this.looked;
    const wanted = Math.max(0, Math.min(index, moves.length));
    this.waiting = this.shown;
    this.index = wanted === moves.length ? null : wanted; // at once, so that keys pressed meanwhile count on from it
    this.message = "";
    this.host.requestUpdate();
    if (this.index === null || this.past.has(wanted)) return;
    try {
      const state = await get<BoardState>(`/plays/${id}/states/${wanted}`);
      if (id !== this.id || sameMoves(moves.slice(0, wanted), this.play?.state.moves ?? []) < wanted) return; // of another game now
      this.past.set(wanted, state);
      this.host.requestUpdate();
    } catch (error) {
      if (id !== this.id || looked !== this.looked) return;
      this.index = before !== null && this.past.has(before) ? before : null;
      this.fail(error);
    }
  }

  /** Plays an action. A page that is behind is refused by the server, which then says why. */
  move = (action: number): Promise<void> => this.ask(`moves`, { ply: this.play?.state.ply, action });
  undo = (): Promise<void> => this.ask("undo", this.seen);
  /** seat: who gives up; undefined: the person to play, or the only one. */
  resign = (seat?: number): Promise<void> => this.ask("resign", { ...this.seen, seat });
  /** Asks a policy that has failed or waits. */
  askAgain = (): Promise<void> => this.ask("ask", this.seen);
  replace = (seat: number, by: Seat): Promise<void> => this.ask(`seats/${seat}`, by);
  pause = (): Promise<void> => this.ask("pause"); // of whatever version: policies that are quick are always ahead of the page

  /** What the page shows: where the game has gone on meanwhile, the server does nothing and says so. */
  private get seen(): { version?: number } {
    return { version: this.play?.version };
  }

  async askHint(): Promise<void> {
    const { id } = this;
    await this.during(async () => {
      const hint = await post<Hint>(`/plays/${id}/hint`);
      if (id === this.id && hint.version === this.play?.version) this.hint = hint;
    });
  }

  /** Asks why clicking these places plays nothing. */
  async askWhy(places: number[]): Promise<void> {
    const { id } = this;
    const version = this.play?.version;
    const wondered = ++this.wondered;
    const said = await get<{ why: string }>(`/plays/${id}/why?places=${places.join(",")}`).then(({ why }) => why, sentence);
    if (id === this.id && wondered === this.wondered && version === this.play?.version) this.say(said);
  }

  say(message: string): void {
    this.message = message;
    this.host.requestUpdate();
  }

  private ask(what: string, body: unknown = {}): Promise<void> {
    return this.during(async () => this.take(await post<Play>(`/plays/${this.id}/${what}`, body)));
  }

  private async during(request: () => Promise<void>): Promise<void> {
    const { id } = this;
    const asked = ++this.asked;
    this.isBusy = true;
    this.message = "";
    this.host.requestUpdate();
    try {
      await request();
    } catch (error) {
      if (id === this.id) this.fail(error);
    } finally {
      if (asked === this.asked) this.isBusy = false;
      this.host.requestUpdate();
    }
  }

  private fail(error: unknown): void {
    this.say(sentence(error));
  }
}

/** How many moves two games have in common. */
function sameMoves(a: string[], b: string[]): number {
  const differing = a.findIndex((move, index) => move !== b[index]);
  return differing < 0 ? a.length : differing;
}
