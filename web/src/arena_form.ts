// <boardgym-arena-form>: makes a tournament. Its fields are those of the command; policies are suggested for the game.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { refusal, sentence } from "./api.js";
import { formOf, kinds, makeTournament, onePage, type Kind } from "./arena_data.js";
import { games, trainedAgents, type GameEntry, type TrainedAgent } from "./play_data.js";
import { entryFor } from "./play_draft.js";
import { controls, tokens } from "./style.js";
import { type FormField, type Given, type LearnerForm, type Value } from "./train_data.js";
import { drawField, fieldLook } from "./train_field.js";

const FIRST = ["games", "openings"]; // after the policies and the game; the others are folded away

@customElement("boardgym-arena-form")
export class ArenaForm extends LitElement {
  static override styles = [
    tokens,
    controls,
    fieldLook,
    css`
      .chips {
        gap: 0.3rem;
        margin: 0 0 0.8rem;
      }
      .chips button {
        min-height: 1.9rem;
        padding: 0.1rem 0.6rem;
        font-size: 0.85rem;
      }
      .card {
        margin-bottom: 1rem;
      }
      @media (min-width: 46rem) {
        .first {
          grid-template-columns: minmax(0, 1fr) minmax(0, 3fr);
        }
      }
    `,
  ];

  @property({ attribute: false }) query = new URLSearchParams();
  @state() private kinds: Kind[] = [];
  @state() private entries: GameEntry[] = [];
  @state() private agents: TrainedAgent[] = [];
  @state() private form?: LearnerForm;
  @state() private given: Given = {};
  @state() private errors: Record<string, string> = {};
  @state() private message = "";
  @state() private isBusy = false;
  private tournamentName = "";
  private asked = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.begin();
  }

  /** The form that the address names, filled as the tournament that it names was. */
  private async begin(): Promise<void> {
    const asked = ++this.asked;
    try {
      [this.kinds, this.entries, this.agents] = await Promise.all([kinds(), games(), trainedAgents()]);
      const like = this.query.get("like");
      const page = like ? await onePage(like) : undefined;
      if (asked !== this.asked) return;
      if (page) this.tournamentName = page.tournament.name;
      await this.choose(page?.tournament.kind ?? this.query.get("kind") ?? "match", page?.tournament.given ?? {});
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
  }

  /** Shows a form, which keeps of what is given all that it asks for too. */
  private async choose(kind: string, given: Given): Promise<void> {
    const asked = ++this.asked;
    try {
      const form = await formOf(kind);
      if (asked !== this.asked) return;
      const kinds = new Map(form.fields.map(({ name, kind }) => [name, kind]));
      const kept = Object.entries(given).filter(([name, value]) => kinds.has(name) && (kinds.get(name) === "list") === Array.isArray(value));
      Object.assign(this, { form, given: Object.fromEntries(kept), errors: {}, message: "" });
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
  }

  private change(name: string, value: Value): void {
    this.given = { ...this.given, [name]: value };
    const { [name]: _, ...others } = this.errors;
    this.errors = others;
  }

  private async make(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.form || this.isBusy) return;
    Object.assign(this, { isBusy: true, errors: {}, message: "" });
    try {
      const made = await makeTournament({ name: this.tournamentName.trim(), kind: this.form.name, given: this.given });
      location.hash = `#/arena/${made.id}`;
    } catch (error) {
      Object.assign(this, refusal(error));
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    } finally {
      this.isBusy = false;
    }
  }

  private get entry(): GameEntry | undefined {
    const game = this.form?.fields.find(({ name }) => name === "game")?.default ?? null;
    return entryFor(this.entries, String(this.given["game"] ?? game));
  }

  override render() {
    const { form } = this;
    return html`<p class="quiet"><a href="#/arena">All tournaments</a></p>
      <h1>New tournament</h1>
      ${form ? this.renderForm(form) : this.message ? nothing : html`<p class="quiet">Loading the form…</p>`}
      <div role="alert">${this.message && !form ? html`<p class="error">${this.message}</p>` : nothing}</div>`;
  }

  private renderForm(form: LearnerForm) {
    const policies = form.fields.filter(({ is_policy }) => is_policy);
    const rest = form.fields.filter(({ name, is_policy }) => !is_policy && name !== "game" && !FIRST.includes(name));
    const isOpen = rest.some(({ name }) => name in this.given || name in this.errors);
    return html`<form novalidate @submit=${(event: Event) => this.make(event)}>
      <div class="card">
        <div class="grid">${this.renderKind(form)} ${this.renderGame()} ${this.renderName()}</div>
        <div class="grid">${policies.map((field) => this.renderPolicy(field))}</div>
        <div class="grid first">${form.fields.filter(({ name }) => FIRST.includes(name)).map((field) => this.renderField(field))}</div>
        <details ?open=${isOpen}>
          <summary>More</summary>
          <div class="grid">${rest.map((field) => this.renderField(field))}</div>
        </details>
      </div>
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      <button class="primary make" ?disabled=${this.isBusy}>${this.isBusy ? "Checking the players…" : "Begin"}</button>
    </form>`;
  }

  private renderKind(form: LearnerForm) {
    return html`<div class="field">
      <label for="kind">Kind</label>
      <select id="kind" aria-describedby="kind-help"
        @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value, this.given)}>
        ${this.kinds.map(({ name, title }) => html`<option value=${name} .selected=${name === form.name}>${title}</option>`)}
      </select>
      <p class="help" id="kind-help">${form.help}</p>
    </div>`;
  }

  private renderGame() {
    return html`<div class="field" ?data-wrong=${"game" in this.errors}>
      <label for="game">Game</label>
      <select id="game" aria-invalid=${"game" in this.errors ? "true" : "false"}
        @change=${(event: Event) => this.change("game", (event.target as HTMLSelectElement).value)}>
        ${this.entries
          .filter(({ seats }) => seats.length === 2)
          .map(({ id, title }) => html`<option value=${id} .selected=${id === this.entry?.id}>${title}</option>`)}
      </select>
      ${this.errors["game"] ? html`<p class="wrong">${this.errors["game"]}</p>` : nothing}
    </div>`;
  }

  private renderName() {
    return html`<div class="field">
      <label for="name">Name</label>
      <input id="name" maxlength="80" autocomplete="off" placeholder="made from kind and game" .value=${this.tournamentName}
        @input=${(event: Event) => (this.tournamentName = (event.target as HTMLInputElement).value)} />
    </div>`;
  }

  private renderField(field: FormField) {
    const choices = field.name === "openings" ? ["heldout", "train", "start", ...(this.entry?.setups ?? [])] : field.choices;
    const value = field.name in this.given ? (this.given[field.name] ?? null) : field.default;
    return drawField({ ...field, choices }, value, this.errors[field.name] ?? "", (now) => this.change(field.name, now), "as usual");
  }

  private renderPolicy(field: FormField) {
    const value = field.name in this.given ? this.given[field.name] : field.default;
    const chosen = Array.isArray(value) ? value.map(String) : [String(value ?? "")];
    const bots = this.agents.filter(({ game }) => game === this.entry?.id);
    const suggestions: [string, string][] = [
      ...(this.entry?.policies ?? []).map((spec): [string, string] => [spec, spec]),
      ...bots.map(({ id, name }): [string, string] => [`bot:${id}`, `${name} (bot)`]),
    ];
    const toggle = (spec: string): void => {
      const others = chosen.filter((other) => other !== spec);
      const isThere = others.length < chosen.length;
      this.change(field.name, field.kind === "list" ? (isThere ? others : [...chosen, spec]) : spec);
    };
    return html`<div>
      ${this.renderField(field)}
      <div class="row chips" role="group" aria-label="Suggestions: ${field.name}">
        ${suggestions.map(
          ([spec, name]) => html`<button type="button" class="mono" aria-pressed=${chosen.includes(spec)} @click=${() => toggle(spec)}>
            ${name}
          </button>`,
        )}
      </div>
    </div>`;
  }
}
