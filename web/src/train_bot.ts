// <boardgym-bot>: one bot: its curve as it grows, stop and go on, play, trials, memory, file.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { remove, sentence } from "./api.js";
import { Followed } from "./followed.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";
import "./part_tests.js";
import "./train_checkpoints.js";
import type { CheckpointsElement } from "./train_checkpoints.js";
import "./train_curve.js";
import { agentAddress, canResume, command, isUnderWay, playAddress, snapshot, type BotPage } from "./train_data.js";
import { chip, howFar, look, progressBar } from "./train_look.js";
import "./train_memory.js";
import "./train_trials.js";

@customElement("boardgym-bot")
export class BotElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    css`
      :host {
        display: block;
      }
      .title {
        display: flex;
        flex-wrap: wrap;
        gap: 0.3rem 0.8rem;
        align-items: center;
      }
      .title h1 {
        margin: 0;
        overflow-wrap: anywhere;
        min-width: 0;
      }
      .buttons {
        margin: 0.8rem 0 1.2rem;
      }
      .card {
        margin-bottom: 1rem;
      }
      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
        gap: 0 1rem;
        align-items: start;
      }
      pre {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        max-height: 16rem;
        overflow: auto;
        margin: 0.3rem 0;
        font-size: 0.82rem;
      }
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: 0.1rem 1rem;
        margin: 0.3rem 0;
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .danger {
        color: var(--bad);
        margin-left: auto;
      }
      @media (max-width: 32rem) {
        .buttons > * {
          flex: 1 1 auto;
        }
      }
    `,
  ];

  @property({ attribute: false }) botId = "";
  @property({ attribute: false }) fen = ""; // a position to look at in the course of its training
  @state() private message = "";
  @state() private isSure = false;
  private readonly followed = new Followed<BotPage>(this, "/bots", ({ bot }) => showTitle(bot.name, "Train"));

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("botId")) return;
    Object.assign(this, { message: "", isSure: false });
    this.followed.follow(this.botId);
  }

  private get page(): BotPage | undefined {
    return this.followed.now;
  }

  private async tell(verb: "stop" | "resume" | "trials" | "tests"): Promise<void> {
    this.message = "";
    await command(this.botId, verb).catch((error: unknown) => (this.message = sentence(error)));
  }

  /** Plays against what it has learnt so far, which stays as it is while it goes on. */
  private async play(): Promise<void> {
    this.message = "";
    try {
      if (this.page) location.hash = playAddress(this.page.bot, await snapshot(this.botId));
    } catch (error) {
      this.message = sentence(error);
    }
  }

  private open(at: number): void {
    (this.renderRoot.querySelector("boardgym-checkpoints") as CheckpointsElement | null)?.play(at);
  }

  private async forget(): Promise<void> {
    if (!this.isSure) {
      this.isSure = true;
      return;
    }
    this.followed.stop();
    try {
      await remove(`/bots/${this.botId}`);
      location.hash = "#/train";
    } catch (error) {
      this.message = sentence(error);
      void this.followed.begin();
    }
  }

  override render() {
    const back = html`<p class="quiet"><a href="#/train">All bots</a></p>`;
    const message = this.message || this.followed.message;
    const alert = html`<div role="alert">${message ? html`<p class="error">${message}</p>` : nothing}</div>`;
    if (!this.page) return html`${back}${alert}${message ? nothing : html`<p class="quiet">Loading the bot…</p>`}`;
    const { bot, curve, snapshots, log } = this.page;
    return html`${back}
      <div class="title"><h1 tabindex="-1">${bot.name}</h1>${chip(bot)}<span class="quiet">${bot.title}</span></div>
      ${bot.description ? html`<p>${bot.description}</p>` : nothing} ${progressBar(bot)}
      <p class="quiet" role="status">${[howFar(bot), bot.message].filter((text) => text).join(" — ")}</p>
      ${alert}${this.renderButtons()}
      ${bot.learner
        ? html`<section class="card" aria-labelledby="curve">
            <h2 id="curve">Training curve</h2>
            <boardgym-curve .curve=${curve} opens @point=${(event: CustomEvent<{ at: number }>) => this.open(event.detail.at)}></boardgym-curve>
            <p class="quiet">A click on a point shows a game of the bot as it was then.</p>
          </section>
          <section class="card" aria-labelledby="checkpoints">
            <h2 id="checkpoints">Then and now</h2>
            <boardgym-checkpoints .bot=${bot} .snapshots=${snapshots} .fen=${this.fen}></boardgym-checkpoints>
          </section>`
        : nothing}
      ${this.page.tests
        ? html`<section class="card" aria-label="Tests">
            <boardgym-part-tests .tests=${this.page.tests} @again=${() => this.tell("tests")}></boardgym-part-tests>
          </section>`
        : nothing}
      <div class="two">
        <section class="card" aria-labelledby="trials">
          <h2 id="trials">Trials</h2>
          <boardgym-trials .bot=${bot} @try=${() => this.tell("trials")}></boardgym-trials>
        </section>
        <section class="card" aria-labelledby="made">
          <h2 id="made">How it was made</h2>
          ${this.renderMade(log)}
        </section>
      </div>
      ${bot.has_memory
        ? html`<section class="card" aria-labelledby="memory">
            <h2 id="memory">Memory</h2>
            <boardgym-memory .botId=${bot.id} .learnt=${bot.progress?.done ?? 0}></boardgym-memory>
          </section>`
        : nothing}`;
  }

  private renderButtons() {
    const bot = this.page?.bot;
    if (!bot) return nothing;
    return html`<div class="row buttons">
      ${isUnderWay(bot) ? html`<button @click=${() => this.tell("stop")}>Stop</button>` : nothing}
      ${canResume(bot) ? html`<button class="primary" @click=${() => this.tell("resume")}>Go on</button>` : nothing}
      ${bot.has_agent
        ? html`<button class=${canResume(bot) ? "" : "primary"} @click=${() => this.play()}>Play against it</button>
            <a class="button" href=${agentAddress(bot.id)} download>Download its memory</a>`
        : nothing}
      ${bot.form ? html`<a class="button" href="#/train/new?like=${bot.id}">Make one like it</a>` : nothing}
      <button class="danger" @click=${() => this.forget()} @blur=${() => (this.isSure = false)}>
        ${this.isSure ? "Yes, delete all that it has learnt" : "Delete"}
      </button>
    </div>`;
  }

  private renderMade(log: string) {
    const bot = this.page?.bot;
    if (!bot?.learner) return html`<p>Its file was uploaded: ${bot?.message.replace(/^uploaded: /, "")}.</p>`;
    const given = Object.entries(bot.given);
    return html`<p class="quiet">The same on the command line:</p>
      <pre><code>${bot.command}</code></pre>
      ${given.length > 0
        ? html`<dl>
            ${given.map(([name, value]) => html`<dt class="quiet">${name}</dt><dd>${value === null ? "empty" : Array.isArray(value) ? value.join(" ") : String(value)}</dd>`)}
          </dl>`
        : nothing}
      ${log
        ? html`<details>
            <summary class="quiet">What its process said</summary>
            <pre tabindex="0">${log}</pre>
          </details>`
        : nothing}`;
  }
}
