// <boardgym-analyse-begin>: which game is analysed, by which rules, from which position: the start, a string, or set up by hand.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Position } from "./analyse_data.js";
import "./play_brush.js";
import type { GameEntry, Options } from "./play_data.js";
import { ruleFields } from "./rule_fields.js";
import { controls, tokens } from "./style.js";

export interface Beginning {
  game: string;
  options: Options;
  start: string | null;
  moves: string[];
}

/** Event: "begin" (a Beginning). */
@customElement("boardgym-analyse-begin")
export class AnalyseBegin extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
        gap: 0 0.8rem;
        padding-top: 0.4rem;
      }
      .load {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
      }
    `,
  ];

  @property({ attribute: false }) entries: GameEntry[] = [];
  @property() game = "";
  @property({ attribute: false }) options: Options = {};
  @property({ attribute: false }) moves: string[] = []; // of the game that is analysed
  @property() fen = ""; // of the position on the board
  @property({ attribute: false }) position?: Position;
  @state() private isByHand = false;
  @state() private byHand = "";
  @state() private pasted = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("game")) this.isByHand = false;
  }

  private begin(part: Partial<Beginning>): void {
    const detail = { game: this.game, options: this.options, start: null, moves: [], ...part };
    this.dispatchEvent(new CustomEvent<Beginning>("begin", { detail }));
  }

  private get entry(): GameEntry | undefined {
    return this.entries.find(({ id }) => id === this.game);
  }

  override render() {
    return html`
      <div class="fields">
        <div class="field">
          <label for="game">Game</label>
          <select id="game" @change=${(event: Event) => this.begin({ game: (event.target as HTMLSelectElement).value, options: {} })}>
            ${this.entries.map(({ id, title }) => html`<option value=${id} .selected=${id === this.game}>${title}</option>`)}
          </select>
        </div>
      </div>
      ${this.renderRules()} ${this.renderTexts()}
      <p class="row">
        <button @click=${() => this.begin({})}>Standard start</button>
        ${this.position?.game.brush
          ? html`<button aria-pressed=${this.isByHand} @click=${() => (this.isByHand = !this.isByHand)}>Set up by hand</button>`
          : nothing}
      </p>
      ${this.isByHand && this.position ? this.renderByHand(this.position) : nothing}
    `;
  }

  private renderRules() {
    if (!this.entry) return nothing;
    const fields = ruleFields(this.entry, this.options, (name, value) => this.begin({ options: { ...this.options, [name]: value } }));
    if (fields.length === 0) return nothing;
    return html`<details>
      <summary>Rules</summary>
      <div class="fields">${fields}</div>
    </details>`;
  }

  private renderTexts() {
    return html`
      <div class="field">
        <label for="fen">Position string</label>
        <input
          id="fen"
          class="mono"
          maxlength="4000"
          autocomplete="off"
          spellcheck="false"
          .value=${this.fen}
          @change=${(event: Event) => this.begin({ start: (event.target as HTMLInputElement).value.trim() || null })}
        />
      </div>
      <form
        class="field"
        @submit=${(event: Event) => {
          event.preventDefault();
          const moves = this.pasted.replace(/\d+\.(?=\s|\D|$)/g, " ").split(/\s+/).filter(Boolean);
          this.begin({ moves });
        }}
      >
        <label for="moves">Moves of a game, from the standard start</label>
        <div class="load">
          <input
            id="moves"
            class="mono"
            maxlength="20000"
            autocomplete="off"
            spellcheck="false"
            placeholder=${this.moves.join(" ")}
            .value=${this.pasted}
            @input=${(event: Event) => (this.pasted = (event.target as HTMLInputElement).value)}
          />
          <button ?disabled=${!this.pasted.trim()}>Load</button>
        </div>
      </form>
    `;
  }

  private renderByHand(position: Position) {
    return html`
      <boardgym-play-brush
        .game=${position.game}
        .start=${position.state}
        .options=${this.options}
        .gameId=${this.game}
        @fen=${(event: CustomEvent<string>) => (this.byHand = event.detail)}
      ></boardgym-play-brush>
      <p><button class="primary" ?disabled=${!this.byHand} @click=${() => this.begin({ start: this.byHand })}>Analyse this position</button></p>
    `;
  }
}
