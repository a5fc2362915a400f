// A play as the server has it, kept in step; what this page shows of it, and what it asks of it.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError, events, get, post, remove, sentence } from "./api.js";
import type { BoardState } from "./description.js";
import type { Hint, Play, Seat } from "./play_data.js";

export class PlaySession implements ReactiveController {
  play?: Play;
  message = ""; // why the last request did nothing
  hint?: Hint;
  isGone = false; // the server knows no such play
  isBusy = false; // a request is under way
  private index: number | null = null; // of the past position on the board; null: the present one
  private readonly past = new Map<number, BoardState>();
  private stop?: () => void;
  private id = "";

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.id) this.listen();
  }

  hostDisconnected(): void {
    this.stop?.();
    this.stop = undefined;
  }

  /** Turns to a play, or to another one. */
  follow(id: string): void {
    if (id === this.id) return;
    Object.assign(this, { id, play: undefined, message: "", hint: undefined, isGone: false, index: null });
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
    try {
      this.take(await get<Play>(`/plays/${this.id}`));
    } catch (error) {
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
    return this.index === null ? this.play?.state : (this.past.get(this.index) ?? this.play?.state);
  }

  /** Shows the position after so many moves. */
  async show(index: number): Promise<void> {
    const play = this.play;
    if (!play) return;
    const wanted = Math.max(0, Math.min(index, play.state.moves.length));
    if (wanted < play.state.moves.length && !this.past.has(wanted)) {
      try {
        this.past.set(wanted, await get<BoardState>(`/plays/${this.id}/states/${wanted}`));
      } catch (error) {
        return this.fail(error);
      }
    }
    this.index = wanted === this.play?.state.moves.length ? null : wanted;
    this.message = "";
    this.host.requestUpdate();
  }

  /** Plays an action. A page that is behind is refused by the server, which then says why. */
  move = (action: number): Promise<void> => this.ask(`moves`, { ply: this.play?.state.ply, action });
  undo = (): Promise<void> => this.ask("undo");
  resign = (): Promise<void> => this.ask("resign");
  /** Asks a policy that has failed or waits. */
  askAgain = (): Promise<void> => this.ask("ask");
  replace = (seat: number, by: Seat): Promise<void> => this.ask(`seats/${seat}`, by);
  pause = (): Promise<void> => this.ask("pause");

  async askHint(): Promise<void> {
    await this.during(async () => {
      const hint = await post<Hint>(`/plays/${this.id}/hint`);
      if (hint.version === this.play?.version) this.hint = hint;
    });
  }

  /** Asks why clicking these places plays nothing. */
  async askWhy(places: number[]): Promise<void> {
    try {
      const { why } = await get<{ why: string }>(`/plays/${this.id}/why?places=${places.join(",")}`);
      this.say(why);
    } catch (error) {
      this.fail(error);
    }
  }

  async forget(): Promise<void> {
    await this.during(() => remove(`/plays/${this.id}`));
  }

  say(message: string): void {
    this.message = message;
    this.host.requestUpdate();
  }

  private ask(what: string, body: unknown = {}): Promise<void> {
    return this.during(async () => this.take(await post<Play>(`/plays/${this.id}/${what}`, body)));
  }

  private async during(request: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.message = "";
    this.host.requestUpdate();
    try {
      await request();
    } catch (error) {
      this.fail(error);
    } finally {
      this.isBusy = false;
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
