// <boardgym-play-seat>: who plays at one seat of a new game.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { TrainedAgent } from "./play_data.js";
import { opponentOf, type SeatDraft, type Who } from "./play_draft.js";
import { helpOf } from "./play_policies.js";
import { controls, tokens } from "./style.js";

const CHOICES: [Who, string][] = [
  ["you", "You"],
  ["person", "Another person"],
  ["policy", "A policy"],
  ["agent", "A trained agent"],
];

@customElement("boardgym-play-seat")
export class PlaySeat extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      fieldset {
        border: 0;
        padding: 0;
        margin: 0 0 0.9rem;
        min-width: 0;
      }
      legend {
        padding: 0;
        font-weight: 600;
        font-size: 0.9rem;
        margin-bottom: 0.2rem;
      }
      legend::first-letter {
        text-transform: uppercase;
      }
      .choice {
        display: grid;
        grid-template-columns: minmax(8.5rem, 11rem) minmax(0, 1fr);
        gap: 0.5rem;
      }
      .help {
        min-height: 1.3rem;
        margin-top: 0.2rem;
      }
      .suggestions {
        margin-top: 0.3rem;
        gap: 0.3rem;
      }
      .suggestions button {
        min-height: 1.9rem;
        padding: 0.1rem 0.6rem;
        font-size: 0.85rem;
      }
      @media (max-width: 26rem) {
        .choice {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property() name = "";
  @property({ attribute: false }) seat!: SeatDraft;
  @property({ attribute: false }) suggestions: string[] = [];
  @property({ attribute: false }) agents: TrainedAgent[] = [];

  private change(seat: Partial<SeatDraft>): void {
    this.dispatchEvent(new CustomEvent<SeatDraft>("seat", { detail: { ...this.seat, ...seat } }));
  }

  private choose(who: Who): void {
    if (who === "agent") this.change({ who, spec: this.agents[0]?.id ?? "" });
    else if (this.seat.who === "agent") this.change({ who, spec: opponentOf(this.suggestions) });
    else this.change({ who });
  }

  override render() {
    const { who } = this.seat;
    const choices = CHOICES.filter(([choice]) => choice !== "agent" || this.agents.length > 0 || who === "agent");
    return html`<fieldset>
      <legend>${this.name}</legend>
      <div class="choice">
        <select
          aria-label="Who plays ${this.name}"
          @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value as Who)}
        >
          ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === who}>${text}</option>`)}
        </select>
        ${who === "policy" ? this.renderSpec() : who === "agent" ? this.renderAgents() : nothing}
      </div>
      ${who === "policy" ? this.renderSuggestions() : nothing}
    </fieldset>`;
  }

  private renderSpec() {
    return html`<input
      class="mono"
      aria-label="Policy that plays ${this.name}"
      aria-describedby="help"
      maxlength="200"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      .value=${this.seat.spec}
      @input=${(event: Event) => this.change({ spec: (event.target as HTMLInputElement).value })}
    />`;
  }

  private renderSuggestions() {
    return html`<div class="help" id="help">
        ${helpOf(this.seat.spec)}
      </div>
      <div class="row suggestions" role="group" aria-label="Suggested policies">
      ${this.suggestions.map(
        (spec) =>
          html`<button type="button" class="mono" aria-pressed=${spec === this.seat.spec} @click=${() => this.change({ spec })}>
            ${spec}
          </button>`,
      )}
    </div>`;
  }

  private renderAgents() {
    return html`<select
      aria-label="Agent that plays ${this.name}"
      @change=${(event: Event) => this.change({ spec: (event.target as HTMLSelectElement).value })}
    >
      ${this.agents.map(({ id, name }) => html`<option value=${id} .selected=${id === this.seat.spec}>${name}</option>`)}
    </select>`;
  }
}
