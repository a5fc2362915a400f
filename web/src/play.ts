// <boardgym-play-room>: the room Play. #/play starts games and lists them; #/play/ID is one of them.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { remove, sentence } from "./api.js";
import "./demo.js";
import { games, plays, trainedAgents, type GameEntry, type PlayEntry, type TrainedAgent } from "./play_data.js";
import "./play_form.js";
import "./play_game.js";
import "./play_list.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-room")
export class PlayRoom extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      boardgym-play-list {
        margin-top: 1.75rem;
      }
    `,
  ];

  @property({ attribute: false }) route!: Route;
  @state() private entries: GameEntry[] = [];
  @state() private agents: TrainedAgent[] = [];
  @state() private list: PlayEntry[] = [];
  @state() private message = "";

  private get playId(): string {
    return this.route.rest[0] ?? "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("route") && !this.playId) void this.load();
  }

  private async load(): Promise<void> {
    this.message = "";
    try {
      [this.entries, this.list] = await Promise.all([this.entries.length > 0 ? this.entries : games(), plays()]);
      this.agents = await trainedAgents();
    } catch (error) {
      this.message = sentence(error);
    }
  }

  private async forget(id: string): Promise<void> {
    try {
      await remove(`/plays/${id}`);
      this.list = this.list.filter((play) => play.id !== id);
    } catch (error) {
      this.message = sentence(error);
    }
  }

  override render() {
    if (this.playId) return html`<boardgym-play-game .playId=${this.playId}></boardgym-play-game>`;
    return html`
      <h1>Play</h1>
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      <boardgym-demo @grown=${() => this.load()}></boardgym-demo>
      <boardgym-play-form .entries=${this.entries} .agents=${this.agents} .query=${this.route.query}></boardgym-play-form>
      <boardgym-play-list
        .plays=${this.list}
        .entries=${this.entries}
        @forget=${(event: CustomEvent<string>) => this.forget(event.detail)}
      ></boardgym-play-list>
    `;
  }
}
