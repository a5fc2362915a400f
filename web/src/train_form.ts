// <boardgym-bot-form>: makes a bot. The fields are the server's; what is as it shows at first is not sent.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { refusal, sentence } from "./api.js";
import { controls, tokens } from "./style.js";
import {
  learnerForm,
  learners,
  makeBot,
  onePage,
  type FormField,
  type Given,
  type LearnerEntry,
  type LearnerForm,
  type Value,
} from "./train_data.js";
import { capital } from "./train_field.js";
import { drawGroups, formLook, ofFields, withValue } from "./train_groups.js";

const USUAL = "create-bot";
const OPEN_GROUPS = ["Game", "Opponent", "Length", "Bot", "Algorithm", "Memory"]; // open at first
const NAMES = ["Alexander", "Capablanca", "Judit", "Vera", "Tal", "Menchik", "Botvinnik", "Polgar"];

@customElement("boardgym-bot-form")
export class BotForm extends LitElement {
  static override styles = [
    tokens,
    controls,
    formLook,
    css`
      :host {
        display: block;
      }
      form {
        max-width: 62rem;
      }
      .notes {
        margin: 0 0 1rem;
        padding-left: 1.2rem;
      }
    `,
  ];

  @property({ attribute: false }) query = new URLSearchParams();
  @state() private entries: LearnerEntry[] = [];
  @state() private form?: LearnerForm;
  @state() private given: Given = {};
  @state() private errors: Record<string, string> = {};
  @state() private message = "";
  @state() private isBusy = false;
  private wanted = "";
  private asked = 0; // counts the forms asked for
  private botName = NAMES[Math.floor(Math.random() * NAMES.length)] ?? "Bot";
  private description = "";

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.begin();
  }

  /** The form that the address names, filled as the bot that it names was. */
  private async begin(): Promise<void> {
    const asked = ++this.asked;
    try {
      if (this.entries.length === 0) this.entries = await learners();
      if (asked !== this.asked) return;
      const like = this.query.get("like");
      if (like) {
        const { bot } = await onePage(like);
        if (asked !== this.asked) return;
        this.botName = bot.name;
        this.description = bot.description;
        await this.choose(bot.form || USUAL, bot.given);
      } else await this.choose(this.query.get("form") ?? USUAL, {});
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
  }

  /** Shows a form. Of a learner whose defaults depend on what is given, with those. isAgain: it is shown, and keeps what it holds. */
  private async choose(name: string, given: Given, isAgain = false): Promise<void> {
    const asked = ++this.asked;
    this.wanted = name;
    this.message = "";
    try {
      const query = new URLSearchParams();
      for (const depends of ["game", "preset"]) if (given[depends]) query.set(depends, String(given[depends]));
      const form = await learnerForm(name, query);
      if (asked !== this.asked) return;
      this.form = form;
      if (!isAgain) Object.assign(this, { given: ofFields(given, form.fields), errors: {} });
    } catch (error) {
      if (asked !== this.asked) return;
      this.wanted = this.form?.name ?? "";
      Object.assign(this, { errors: refusal(error).errors, message: sentence(error) });
    }
  }

  private async change(field: FormField, value: Value): Promise<void> {
    const given = withValue(this.given, field, value);
    this.given = given;
    const { [field.name]: _, ...others } = this.errors;
    this.errors = others;
    if (field.redraws && this.form?.name === this.wanted) await this.choose(this.wanted, given, true);
  }

  private async make(event: Event): Promise<void> {
    event.preventDefault();
    if (!this.form || this.isBusy) return;
    this.isBusy = true;
    this.errors = {};
    this.message = "";
    try {
      const bot = await makeBot({
        name: this.botName.trim() || "Bot",
        description: this.description,
        form: this.form.name,
        given: this.given,
      });
      location.hash = `#/train/${bot.id}`;
    } catch (error) {
      Object.assign(this, refusal(error));
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    } finally {
      this.isBusy = false;
    }
  }

  override render() {
    const { form } = this;
    return html`<form novalidate @submit=${(event: Event) => this.make(event)}>
      <div class="card grid">
        <div class="field">
          <label for="learner">Learner</label>
          <select id="learner" @change=${(event: Event) => this.choose((event.target as HTMLSelectElement).value, {})}>
            ${this.entries.map(
              ({ name, title }) => html`<option value=${name} ?selected=${name === form?.name}>${title}</option>`,
            )}
          </select>
          <p class="help">${capital(this.entries.find(({ name }) => name === form?.name)?.help ?? "")}</p>
        </div>
        <div class="field">
          <label for="name">Name</label>
          <input
            id="name"
            maxlength="80"
            autocomplete="off"
            .value=${this.botName}
            @input=${(event: Event) => (this.botName = (event.target as HTMLInputElement).value)}
          />
        </div>
        <div class="field">
          <label for="description">Description</label>
          <textarea
            id="description"
            rows="2"
            maxlength="2000"
            .value=${this.description}
            @input=${(event: Event) => (this.description = (event.target as HTMLTextAreaElement).value)}
          ></textarea>
        </div>
      </div>
      ${form ? this.renderFields(form) : nothing}
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      <button class="primary make" ?disabled=${this.isBusy || !form}>${this.isBusy ? "Checking…" : "Create and train"}</button>
    </form>`;
  }

  private renderFields({ fields, notes }: LearnerForm) {
    const { given, errors } = this;
    return html`${drawGroups(fields, { given, errors, open: OPEN_GROUPS, change: (field, value) => this.change(field, value) })}
      ${notes.length > 0
        ? html`<ul class="notes quiet">
            ${notes.map((note) => html`<li>${note}</li>`)}
          </ul>`
        : nothing}`;
  }
}
