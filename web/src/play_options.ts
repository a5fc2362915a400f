// <boardgym-play-options>: rule options, clock and seed of a new game, folded away until somebody wants them.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { GameEntry, OptionValue } from "./play_data.js";
import { changedOptions, type Draft } from "./play_draft.js";
import { ruleFields } from "./rule_fields.js";
import { controls, tokens } from "./style.js";

const CLOCKS: [string, number, number][] = [
  ["No clock", 0, 0],
  ["1 minute", 1, 0],
  ["3 minutes + 2 seconds a move", 3, 2],
  ["5 minutes", 5, 0],
  ["10 minutes + 5 seconds a move", 10, 5],
  ["30 minutes", 30, 0],
];

@customElement("boardgym-play-options")
export class PlayOptions extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        margin: 0.8rem 0;
      }
      .fields {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
        gap: 0 0.8rem;
        padding-top: 0.5rem;
      }
    `,
  ];

  @property({ attribute: false }) entry!: GameEntry;
  @property({ attribute: false }) draft!: Draft;

  private change(part: Partial<Draft>): void {
    this.dispatchEvent(new CustomEvent<Partial<Draft>>("draft", { detail: part }));
  }

  private changeOption(name: string, value: OptionValue): void {
    const begin = this.draft.begin === "hand" ? ({ begin: "start", fen: "" } as const) : {}; // what was set up is of other rules
    this.change({ options: { ...this.draft.options, [name]: value }, ...begin });
  }

  override render() {
    const fields = ruleFields(this.entry, this.draft.options, (name, value) => this.changeOption(name, value));
    const isChanged = Object.keys(changedOptions(this.entry, this.draft)).length > 0;
    return html`
      ${fields.length > 0
        ? html`<details ?open=${isChanged}>
            <summary>Rules</summary>
            <div class="fields">${fields}</div>
          </details>`
        : nothing}
      <details ?open=${this.draft.minutes > 0 || this.draft.seed !== ""}>
        <summary>Clock and seed</summary>
        <div class="fields">${this.renderClock()} ${this.renderSeed()}</div>
      </details>
    `;
  }

  private renderClock() {
    const { minutes, increment } = this.draft;
    return html`<div class="field">
      <label for="clock">Clock</label>
      <select
        id="clock"
        @change=${(event: Event) => {
          const [, chosen = 0, added = 0] = CLOCKS[(event.target as HTMLSelectElement).selectedIndex] ?? [];
          this.change({ minutes: chosen, increment: added });
        }}
      >
        ${CLOCKS.map(
          ([text, chosen, added]) => html`<option .selected=${chosen === minutes && added === increment}>${text}</option>`,
        )}
      </select>
    </div>`;
  }

  private renderSeed() {
    return html`<div class="field">
      <label for="seed">Seed</label>
      <input
        id="seed"
        inputmode="numeric"
        pattern="[0-9]{0,15}"
        placeholder="a fresh one"
        aria-describedby="seed-help"
        .value=${this.draft.seed}
        @change=${(event: Event) => this.change({ seed: (event.target as HTMLInputElement).value.trim() })}
      />
      <div class="help" id="seed-help">The same seed gives the same dice and random choices.</div>
    </div>`;
  }
}
