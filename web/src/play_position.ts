// <boardgym-play-position>: where a new game begins, with its board: the start, a set-up, a position string, or set up by hand.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import "./board.js";
import type { BoardState } from "./description.js";
import "./play_brush.js";
import { checkPosition, opening, type GameEntry, type Opening } from "./play_data.js";
import type { Begin, Draft } from "./play_draft.js";
import { PreferencesController } from "./preferences.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-position")
export class PlayPosition extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        min-width: 0;
      }
      .begin {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
        gap: 0 0.8rem;
      }
      boardgym-board {
        display: block;
        max-width: 30rem;
        margin: 0 auto;
      }
      .start {
        margin-top: 0.8rem;
        text-align: center;
      }
    `,
  ];

  @property({ attribute: false }) entry!: GameEntry;
  @property({ attribute: false }) draft!: Draft;
  @state() private opening?: Opening;
  @state() private shown?: BoardState; // of the position string
  @state() private message = "";
  private preferences = new PreferencesController(this);
  private opened = 0; // counts the openings asked for
  private checked = 0; // and the position strings

  private change(part: Partial<Draft>): void {
    this.dispatchEvent(new CustomEvent<Partial<Draft>>("draft", { detail: part }));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("draft");
    if (!changed.has("draft")) return;
    const isOtherGame = !before || before.game !== this.draft.game || !sameOptions(before, this.draft);
    if (isOtherGame) void this.load();
    else if (before.begin !== this.draft.begin || before.fen !== this.draft.fen) void this.check();
  }

  private async load(): Promise<void> {
    const { game, options } = this.draft;
    const opened = ++this.opened;
    this.checked += 1; // a check under way is of the game before
    this.message = "";
    try {
      const answer = await opening(game, options);
      if (opened !== this.opened) return;
      this.opening = answer;
      await this.check();
    } catch (error) {
      if (opened === this.opened) this.message = sentence(error);
    }
  }

  private async check(): Promise<void> {
    const checked = ++this.checked;
    const { game, options, begin, fen } = this.draft;
    this.message = "";
    if (begin === "hand") return; // which goes on from what is shown
    this.shown = undefined;
    if (begin !== "fen" || !fen.trim()) return;
    try {
      const { state } = await checkPosition({ game, options, fen: fen.trim() });
      if (checked === this.checked) this.shown = state;
    } catch (error) {
      if (checked === this.checked) this.message = sentence(error);
    }
  }

  override render() {
    const { begin, setup } = this.draft;
    const setups = this.entry.setups.filter((name) => name !== "standard");
    const ways: [Begin, string][] = [["start", "The usual start"]];
    if (setups.length > 0) ways.push(["setup", "A set-up or handicap"]);
    ways.push(["fen", "A position string"]);
    if (this.opening?.game.brush || begin === "hand") ways.push(["hand", "A board set up by hand"]);
    return html`
      <div class="begin">
        <div class="field">
          <label for="begin">Begin from</label>
          <select
            id="begin"
            @change=${(event: Event) => this.change({ begin: (event.target as HTMLSelectElement).value as Begin })}
          >
            ${ways.map(([value, text]) => html`<option value=${value} .selected=${value === begin}>${text}</option>`)}
          </select>
        </div>
        ${begin === "setup"
          ? html`<div class="field">
              <label for="setup">Set-up</label>
              <select id="setup" @change=${(event: Event) => this.change({ setup: (event.target as HTMLSelectElement).value })}>
                ${setups.map((name) => html`<option value=${name} .selected=${name === setup}>${name.replaceAll("_", " ")}</option>`)}
              </select>
              <div class="help">The board shows the usual start.</div>
            </div>`
          : nothing}
        ${begin === "fen" || begin === "hand" ? this.renderFen() : nothing}
      </div>
      <div role="status">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${this.renderBoard()}
      ${begin === "fen" || begin === "hand"
        ? html`<p class="start">
            <button type="button" ?disabled=${!this.draft.fen.trim()} @click=${() => this.dispatchEvent(new Event("start"))}>
              Start from this position
            </button>
          </p>`
        : nothing}
    `;
  }

  private renderFen() {
    return html`<div class="field">
      <label for="fen">Position string</label>
      <input
        id="fen"
        class="mono"
        maxlength="500"
        autocomplete="off"
        spellcheck="false"
        placeholder=${this.opening?.state.fen ?? ""}
        .value=${this.draft.fen}
        @change=${(event: Event) => this.change({ begin: "fen", fen: (event.target as HTMLInputElement).value })}
      />
    </div>`;
  }

  private renderBoard() {
    const { opening: at, draft } = this;
    if (!at) return nothing;
    if (draft.begin === "hand" && at.game.brush) {
      return html`<boardgym-play-brush
        .game=${at.game}
        .start=${this.shown ?? at.state}
        .options=${draft.options}
        .gameId=${draft.game}
        @fen=${(event: CustomEvent<string>) => this.change({ fen: event.detail })}
      ></boardgym-play-brush>`;
    }
    if (at.game.places.length === 0) return html`<p class="mono">${(this.shown ?? at.state).fen}</p>`;
    return html`<boardgym-board
      palette=${this.preferences.palette}
      .game=${at.game}
      .state=${this.shown ?? at.state}
      .interactive=${false}
      .showLegal=${false}
    ></boardgym-board>`;
  }
}

const sameOptions = (a: Draft, b: Draft): boolean => JSON.stringify(a.options) === JSON.stringify(b.options);
