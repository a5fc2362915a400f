// <boardgym-bot-list>: all bots as they train, how many may train at once, and agents' files from elsewhere.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { call, events, sentence } from "./api.js";
import { controls, tokens } from "./style.js";
import { canResume, changedList, command, isUnderWay, uploadAgent, type Bot, type BotList, type ListChange } from "./train_data.js";
import { chip, howFar, look, progressBar } from "./train_look.js";

@customElement("boardgym-bot-list")
export class BotListElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    css`
      :host {
        display: block;
      }
      .head {
        justify-content: space-between;
        margin-bottom: 1rem;
      }
      .head h1 {
        margin: 0;
      }
      ul {
        list-style: none;
        margin: 0 0 1.5rem;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
        gap: 0.75rem;
      }
      li {
        border: 1px solid var(--edge);
        border-radius: 12px;
        background: var(--raised);
        padding: 0.8rem 1rem;
        min-width: 0;
        display: flex;
        flex-direction: column;
      }
      li:hover {
        border-color: var(--accent);
      }
      .title {
        display: flex;
        justify-content: space-between;
        gap: 0.5rem;
        align-items: baseline;
      }
      .title a {
        font-weight: 600;
        font-size: 1.05rem;
        color: inherit;
        text-decoration: none;
        overflow: hidden;
        text-overflow: ellipsis;
        min-width: 0;
      }
      .title a:hover {
        text-decoration: underline;
      }
      .said {
        overflow-wrap: anywhere;
      }
      li .row {
        margin-top: auto;
        padding-top: 0.4rem;
      }
      .empty {
        text-align: center;
        padding: 2.5rem 1rem;
        margin-bottom: 1.5rem;
      }
      .below {
        display: flex;
        flex-wrap: wrap;
        gap: 1rem 2rem;
        align-items: flex-end;
      }
      .below input[type="number"] {
        width: 5rem;
      }
      label.button {
        font-weight: 400;
        font-size: inherit;
        margin: 0;
      }
      label.button:focus-within {
        outline: 2px solid var(--accent);
        outline-offset: 2px;
      }
    `,
  ];

  @state() private list?: BotList;
  @state() private message = "";
  @state() private isUploading = false;
  private end?: () => void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.end = events<ListChange>("/bots/events", (change) => (this.list = changedList(this.list, change)));
  }

  override disconnectedCallback(): void {
    this.end?.();
    super.disconnectedCallback();
  }

  private async tell(id: string, verb: "stop" | "resume"): Promise<void> {
    this.message = "";
    await command(id, verb).catch((error: unknown) => (this.message = sentence(error)));
  }

  private async setLimit(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    this.message = "";
    await call("PUT", "/bots/limit", { limit: field.valueAsNumber }).catch((error: unknown) => {
      this.message = sentence(error);
      field.value = String(this.list?.limit ?? 1);
    });
  }

  private async upload(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    field.value = "";
    if (!file) return;
    this.isUploading = true;
    this.message = "";
    try {
      const bot = await uploadAgent(file, file.name.replace(/\.safetensors$/, "") || "agent");
      location.hash = `#/train/${bot.id}`;
    } catch (error) {
      this.message = sentence(error);
    } finally {
      this.isUploading = false;
    }
  }

  override render() {
    const { list } = this;
    return html`<div class="row head">
        <h1>Train</h1>
        <a class="button primary" href="#/train/new">New bot</a>
      </div>
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${list === undefined ? html`<p class="quiet">Loading the bots…</p>` : this.renderBots(list.bots)}
      ${list ? this.renderBelow(list) : nothing}`;
  }

  private renderBots(bots: Bot[]) {
    if (bots.length === 0)
      return html`<div class="card empty">
        <p>A bot learns a game by playing it: tic-tac-toe takes seconds.</p>
        <p class="quiet">Watch its curve, play against it while it trains, look into what it remembers.</p>
        <a class="button primary" href="#/train/new">Make the first bot</a>
      </div>`;
    return html`<ul>
      ${bots.map((bot) => this.renderBot(bot))}
    </ul>`;
  }

  private renderBot(bot: Bot) {
    const verdicts = [...new Set(bot.trials.seats.map(({ verdict }) => verdict).filter((verdict) => verdict))];
    return html`<li>
      <div class="title"><a href="#/train/${bot.id}">${bot.name}</a>${chip(bot)}</div>
      <div class="quiet">
        ${bot.title}${bot.learner ? ` · ${bot.learner}` : ""}${verdicts.length > 0 ? ` · ${verdicts.join(", ")}` : ""}
      </div>
      ${progressBar(bot)}
      <div class="quiet said">${howFar(bot)}</div>
      ${bot.state === "failed" ? html`<div class="quiet said">${bot.message}</div>` : nothing}
      ${isUnderWay(bot) || canResume(bot)
        ? html`<div class="row">
            ${isUnderWay(bot)
              ? html`<button aria-label="Stop ${bot.name}" @click=${() => this.tell(bot.id, "stop")}>Stop</button>`
              : html`<button aria-label="Go on with ${bot.name}" @click=${() => this.tell(bot.id, "resume")}>Go on</button>`}
          </div>`
        : nothing}
    </li>`;
  }

  private renderBelow(list: BotList) {
    return html`<div class="below">
      <div>
        <label for="limit">Bots that train at once</label>
        <input
          id="limit"
          type="number"
          min="1"
          max="64"
          .value=${String(list.limit)}
          @change=${(event: Event) => this.setLimit(event)}
        />
      </div>
      <div>
        <label class="button">
          ${this.isUploading ? "Checking the file…" : "Upload an agent’s file"}
          <input
            class="visually-hidden"
            type="file"
            accept=".safetensors"
            ?disabled=${this.isUploading}
            @change=${(event: Event) => this.upload(event)}
          />
        </label>
        <p class="help">A bot’s memory from another studio, or agent.safetensors of boardgym train. Nothing in it is executed.</p>
      </div>
    </div>`;
  }
}
