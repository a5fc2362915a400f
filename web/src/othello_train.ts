// <boardgym-othello-train>: the window TRAIN: networks and their parameters, the training as it goes on, tables, saved nets.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiError, refusal, sentence } from "./api.js";
import { Followed } from "./followed.js";
import { count } from "./numbers.js";
import { GAME, LEARNER, NETWORKS, TESTS, othelloBots } from "./othello_data.js";
import "./part_tests.js";
import { controls, tokens } from "./style.js";
import {
  canResume,
  command,
  copyNet,
  isUnderWay,
  learnerForm,
  makeBot,
  type Bot,
  type BotPage,
  type FormField,
  type Given,
  type LearnerForm,
  type Value,
} from "./train_data.js";
import { drawGroups, formLook, withValue } from "./train_groups.js";
import { chip, howFar, look, progressBar } from "./train_look.js";

const OPEN = ["Length", "Rates"]; // groups of parameters that come first, and are open
const SET_HERE = ["game", "option", "form"]; // fields that this window sets

@customElement("boardgym-othello-train")
export class OthelloTrain extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    formLook,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr) 22rem;
        gap: 1.25rem;
        align-items: start;
      }
      h1 {
        grid-column: 1 / -1;
        margin: 0;
      }
      .networks {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 0.4rem;
      }
      .networks + .help {
        margin: 0.4rem 0 0.8rem;
      }
      .train {
        flex: 1 1 100%;
        min-height: 3rem;
      }
      .save {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.4rem;
      }
      .title {
        justify-content: space-between;
        margin-top: 0.8rem;
      }
      @media (max-width: 60rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  @property() botId = ""; // of the training that the address names
  @state() private form?: LearnerForm;
  @state() private given: Given = { ...NETWORKS[0]?.given };
  @state() private errors: Record<string, string> = {};
  @state() private others: Bot[] = []; // trainings that go on from before
  @state() private message = "";
  @state() private saved?: Bot;
  @state() private isBusy = false;
  private netName = "";
  private readonly followed = new Followed<BotPage>(this, "/bots", ({ bot }) => this.take(bot));

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  /** Shows a training, with the parameters that it has; none: those of the study. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("botId")) return;
    Object.assign(this, { message: "", errors: {}, saved: undefined });
    if (!this.botId) this.given = { ...NETWORKS[0]?.given };
    this.followed.follow(this.botId);
  }

  private get page(): BotPage | undefined {
    return this.followed.now;
  }

  private take({ name, given: { game: _, ...given } }: Bot): void {
    this.given = given;
    this.netName ||= name;
  }

  private async load(): Promise<void> {
    try {
      this.form = await learnerForm(LEARNER, new URLSearchParams({ game: GAME }));
      if (!this.botId) this.others = (await othelloBots()).filter((bot) => bot.learner === LEARNER && isUnderWay(bot));
    } catch (error) {
      this.message = sentence(error);
    }
  }

  private change(field: FormField, value: Value): void {
    this.given = withValue(this.given, field, value);
    const { [field.name]: _, ...others } = this.errors;
    this.errors = others;
  }

  /** Begins a training with the parameters as they are set; one that goes on stops. */
  private async train(): Promise<void> {
    this.errors = {};
    const network = NETWORKS.find(({ given }) => given["form"] === this.given["form"])?.name ?? LEARNER;
    const games = this.given["games"] ?? this.form?.fields.find(({ name }) => name === "games")?.default;
    const name = `${network}, ${count(Number(games))} games`;
    const bot = await makeBot({ name, description: "", form: LEARNER, given: { game: GAME, ...this.given }, tests: TESTS });
    const before = this.page?.bot;
    this.netName = "";
    location.replace(`#/othello/train/${bot.id}`); // which shows it, also when the page is loaded again
    if (before && isUnderWay(before)) await this.stop(before);
  }

  private async stop({ id }: Bot): Promise<void> {
    await command(id, "stop").catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 409)) throw error; // it has just ended by itself
    });
  }

  private async save(bot: Bot): Promise<void> {
    this.saved = undefined;
    this.saved = await copyNet(bot.id, this.netName.trim() || bot.name);
  }

  /** Does what a button says; what goes wrong is said. */
  private async during(work: () => Promise<unknown>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.message = "";
    try {
      await work();
    } catch (error) {
      this.errors = refusal(error).errors;
      this.message = sentence(error);
    } finally {
      this.isBusy = false;
    }
  }

  override render() {
    return html`<h1 tabindex="-1">Train</h1>
      <section aria-label="Training">${this.renderTraining()}</section>
      <section aria-label="Parameters">${this.renderParameters()}</section>`;
  }

  private renderParameters() {
    const { given, errors, form } = this;
    if (!form) return this.message ? nothing : html`<p class="quiet">Loading the parameters…</p>`;
    const groups = [...new Set([...OPEN, ...form.fields.map(({ group }) => group)])];
    const fields = groups.flatMap((name) => form.fields.filter(({ group }) => group === name));
    const shown = fields.filter(({ name }) => !SET_HERE.includes(name));
    return drawGroups(shown, { given, errors, open: OPEN, change: (field, value) => this.change(field, value) });
  }

  private renderNetworks() {
    const chosen = NETWORKS.find(({ given }) => given["form"] === this.given["form"]);
    const { hidden: _, ...given } = this.given; // which is the network's
    return html`<div class="networks" role="group" aria-label="Networks">
        ${NETWORKS.map(
          (one) => html`<button aria-pressed=${one === chosen} @click=${() => (this.given = { ...given, ...one.given })}>
            ${one.name}
          </button>`,
        )}
      </div>
      <p class="help">${chosen?.help ?? ""}</p>`;
  }

  private renderTraining() {
    const { page } = this;
    const message = this.message || this.followed.message;
    const bot = page?.bot;
    return html`<div class="card">
        ${this.renderNetworks()}
        <div class="row">
          <button class="primary train" ?disabled=${this.isBusy || !this.form} @click=${() => this.during(() => this.train())}>
            TRAIN THE NEURAL NETWORKS
          </button>
          <button
            ?disabled=${!bot || !isUnderWay(bot) || this.isBusy}
            @click=${() => bot && this.during(() => this.stop(bot))}
          >
            STOP
          </button>
          ${bot && canResume(bot)
            ? html`<button ?disabled=${this.isBusy} @click=${() => this.during(() => command(bot.id, "resume"))}>GO ON</button>`
            : nothing}
          <a class="button" href="#/othello">BACK</a>
        </div>
        <div role="alert">${message ? html`<p class="error">${message}</p>` : nothing}</div>
        ${bot ? this.renderProgress(bot) : this.renderOthers()}
      </div>
      ${page?.tests
        ? html`<boardgym-part-tests
            .tests=${page.tests}
            @again=${() => this.during(() => command(page.bot.id, "tests"))}
          ></boardgym-part-tests>`
        : nothing}`;
  }

  private renderProgress(bot: Bot) {
    return html`<div class="row title">
        <a href="#/train/${bot.id}">${bot.name}</a>${chip(bot)}
      </div>
      ${progressBar(bot)}
      <p class="quiet" role="status">${[howFar(bot), bot.message].filter((text) => text).join(" — ")}</p>
      <div class="save">
        <input
          aria-label="Name of the saved nets"
          maxlength="80"
          autocomplete="off"
          .value=${this.netName}
          @input=${(event: Event) => (this.netName = (event.target as HTMLInputElement).value)}
        />
        <button ?disabled=${!bot.has_agent || this.isBusy} @click=${() => this.during(() => this.save(bot))}>SAVE</button>
      </div>
      <p class="quiet" role="status">
        ${this.saved
          ? html`Saved as “${this.saved.name}”. <a href="#/othello/play?white=${this.saved.id}">Play against it</a>`
          : nothing}
      </p>`;
  }

  private renderOthers() {
    if (this.others.length === 0) return nothing;
    return html`<p class="quiet">Under way:
      ${this.others.map((bot) => html`<a href="#/othello/train/${bot.id}">${bot.name}, ${howFar(bot)}</a> `)}
    </p>`;
  }
}
