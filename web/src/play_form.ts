// <boardgym-play-form>: starts a game. What it is given is sensible as it stands: one click plays.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import "./play_options.js";
import "./play_position.js";
import "./play_seat.js";
import { startPlay, type GameEntry, type Play, type TrainedAgent } from "./play_data.js";
import { addressOfDraft, draftOf, entryFor, freshDraft, requestOf, type Draft, type SeatDraft } from "./play_draft.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-form")
export class PlayForm extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      form {
        display: grid;
        grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr);
        gap: 1.25rem;
        align-items: start;
      }
      .games {
        border: 0;
        padding: 0;
        margin: 0 0 1rem;
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
      }
      .games legend {
        padding: 0;
        margin-bottom: 0.3rem;
      }
      .games label {
        position: relative;
        margin: 0;
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--edge);
        border-radius: 99px;
        background: var(--raised);
        cursor: pointer;
        font-weight: 400;
      }
      .games label:hover {
        border-color: var(--accent);
      }
      .games label:has(:checked) {
        background: var(--accent);
        border-color: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .games label:has(:focus-visible) {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
      .games input {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      .start {
        width: 100%;
        font-size: 1.1rem;
        min-height: 3rem;
        margin-top: 0.4rem;
      }
      @media (max-width: 52rem) {
        form {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property({ attribute: false }) entries: GameEntry[] = [];
  @property({ attribute: false }) agents: TrainedAgent[] = [];
  @property({ attribute: false }) query = new URLSearchParams();
  @state() private draft?: Draft;
  @state() private message = "";
  @state() private isStarting = false;

  private get entry(): GameEntry | undefined {
    return this.entries.find(({ id }) => id === this.draft?.game);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("query") && !changed.has("entries")) return;
    if (this.entries.length === 0) return;
    const named = this.query.get("game");
    const entry = entryFor(this.entries, named);
    this.message = entry ? "" : `There is no game “${named}”. These are the games that there are.`;
    const shown = entry ?? entryFor(this.entries, null);
    if (shown) this.draft = draftOf(shown, this.query);
  }

  /** Takes a change, and keeps the address in step, so that it can be copied and survives a reload. */
  private change(part: Partial<Draft>): void {
    if (!this.draft) return;
    this.draft = { ...this.draft, ...part };
    this.message = "";
    const entry = this.entry;
    if (entry) history.replaceState(null, "", addressOfDraft(entry, this.draft));
  }

  private chooseGame(entry: GameEntry): void {
    this.draft = freshDraft(entry);
    this.change({});
  }

  private changeSeat(seat: number, seatDraft: SeatDraft): void {
    this.change({ seats: this.draft?.seats.map((old, index) => (index === seat ? seatDraft : old)) });
  }

  private async start(event: Event): Promise<void> {
    event.preventDefault();
    const { entry, draft } = this;
    if (!entry || !draft || this.isStarting) return;
    if ((draft.begin === "fen" || draft.begin === "hand") && !draft.fen.trim()) {
      this.message = "There is no position to begin from yet. Give one, or begin from the usual start.";
      return;
    }
    this.isStarting = true;
    this.message = "";
    try {
      const play: Play = await startPlay(await requestOf(entry, draft));
      location.hash = `#/play/${play.id}`;
    } catch (error) {
      this.message = sentence(error);
    } finally {
      this.isStarting = false;
    }
  }

  override render() {
    const { entry, draft } = this;
    if (!entry || !draft) return html`<p class="quiet">Loading the games…</p>`;
    return html`
      <form @submit=${(event: Event) => this.start(event)}>
        <div class="card">
          <fieldset class="games">
            <legend class="label">Game</legend>
            ${this.entries.map(
              (other) => html`<label>
                <input
                  type="radio"
                  name="game"
                  value=${other.id}
                  .checked=${other.id === draft.game}
                  @change=${() => this.chooseGame(other)}
                />${other.title}
              </label>`,
            )}
          </fieldset>
          ${draft.seats.map(
            (seat, index) => html`<boardgym-play-seat
              .name=${entry.seats[index] ?? `seat ${index + 1}`}
              .seat=${seat}
              .suggestions=${entry.policies}
              .agents=${this.agents.filter((agent) => agent.game === entry.id)}
              @seat=${(event: CustomEvent<SeatDraft>) => this.changeSeat(index, event.detail)}
            ></boardgym-play-seat>`,
          )}
          ${this.renderSwap()}
          <boardgym-play-options
            .entry=${entry}
            .draft=${draft}
            @draft=${(event: CustomEvent<Partial<Draft>>) => this.change(event.detail)}
          ></boardgym-play-options>
          <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
          <button class="primary start" ?disabled=${this.isStarting}>${this.isStarting ? "Starting…" : "Start the game"}</button>
        </div>
        <boardgym-play-position
          .entry=${entry}
          .draft=${draft}
          @start=${(event: Event) => this.start(event)}
          @draft=${(event: CustomEvent<Partial<Draft>>) => this.change(event.detail)}
        ></boardgym-play-position>
      </form>
    `;
  }

  private renderSwap() {
    const seats = this.draft?.seats ?? [];
    if (seats.length < 2) return nothing;
    return html`<button type="button" @click=${() => this.change({ seats: [...seats.slice(1), ...seats.slice(0, 1)] })}>
      Swap seats
    </button>`;
  }
}
