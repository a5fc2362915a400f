// What the server has under an id and a page shows as it changes: a bot, a tournament.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { ApiError, events, get, sentence } from "./api.js";

const GONE = 404;

export class Followed<T> implements ReactiveController {
  now?: T;
  message = ""; // why there is nothing to show
  private id = "";
  private asked = 0; // counts what is followed: late answers are passed over
  private end?: () => void;

  /** folder: of the address, such as /bots. begun: told what is first seen of each. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly folder: string,
    private readonly begun: (found: T) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (this.id) void this.begin();
  }

  hostDisconnected(): void {
    this.stop();
  }

  /** Turns to another one; "": to none. */
  follow(id: string): void {
    this.id = id;
    void this.begin();
  }

  /** Shows it as it is now, and as it will be. */
  async begin(): Promise<void> {
    this.stop();
    Object.assign(this, { now: undefined, message: "" });
    this.host.requestUpdate();
    if (!this.id) return;
    const { asked, path } = this;
    try {
      const found = await get<T>(path);
      if (asked !== this.asked) return;
      this.take(found);
      this.begun(found);
      this.end = events<T>(`${path}/events`, (next) => this.take(next), (isLost) => void (isLost && this.checkIsThere()));
    } catch (error) {
      if (asked === this.asked) this.say(sentence(error));
    }
  }

  /** Leaves what is shown as it is. */
  stop(): void {
    this.asked += 1;
    this.end?.();
    this.end = undefined;
  }

  private get path(): string {
    return `${this.folder}/${encodeURIComponent(this.id)}`;
  }

  /** An event stream says nothing of why it is refused. */
  private async checkIsThere(): Promise<void> {
    const { asked, path } = this;
    try {
      await get<T>(path);
    } catch (error) {
      if (asked !== this.asked || !(error instanceof ApiError) || error.status !== GONE) return; // lost: the page's bar says so
      this.stop();
      this.now = undefined;
      this.say(error.message);
    }
  }

  private take(found: T): void {
    this.now = found;
    this.host.requestUpdate();
  }

  private say(message: string): void {
    this.message = message;
    this.host.requestUpdate();
  }
}
