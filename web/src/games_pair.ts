// <boardgym-recorded-games>: one recorded game to replay, or two side by side, whose boards step together.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import { unpack } from "./board/packed.js";
import { analyseAddress, oneGame, playFrom, type RecordedGame } from "./games_data.js";
import { parting, type Course } from "./games_parting.js";
import { PreferencesController } from "./preferences.js";
import "./replay.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";

interface Shown extends ReturnType<typeof unpack> {
  record: RecordedGame;
}

@customElement("boardgym-recorded-games")
export class RecordedGames extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .two {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
        gap: 1rem 1.5rem;
      }
      section {
        min-width: 0;
      }
      h1,
      h2 {
        overflow-wrap: anywhere;
      }
      .buttons {
        margin: 0 0 0.8rem;
      }
    `,
  ];

  @property({ attribute: false }) ids: string[] = []; // one or two
  @state() private shown: Shown[] = [];
  @state() private index = 0;
  @state() private message = "";
  private asked = 0;
  private preferences = new PreferencesController(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("ids") && changed.get("ids")?.join() !== this.ids.join()) void this.load();
  }

  private async load(): Promise<void> {
    const asked = ++this.asked;
    Object.assign(this, { shown: [], index: 0, message: "" });
    try {
      const found = await Promise.all(this.ids.map(oneGame));
      if (asked !== this.asked) return;
      this.shown = found.map((record) => ({ record, ...unpack(record.replay) }));
      showTitle(found.map(({ players }) => players).join(" / "), "Games");
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
  }

  override render() {
    const { shown } = this;
    return html`<p class="quiet"><a href="#/games">All games</a></p>
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${shown.length === 0 && !this.message ? html`<p class="quiet">Loading…</p>` : nothing}
      ${shown.length === 2 ? this.renderParting(shown[0]!.record, shown[1]!.record) : nothing}
      <div class=${shown.length === 2 ? "two" : ""}>${shown.map((one) => this.renderGame(one))}</div>`;
  }

  private renderParting(one: RecordedGame, other: RecordedGame) {
    const [shared, words] = parting(courseOf(one), courseOf(other));
    return html`<h1>Two games</h1>
      <p>
        <span role="status">${words}</span>
        ${shared > 0 ? html`<button @click=${() => (this.index = shared)}>Go to where they part</button>` : nothing}
      </p>`;
  }

  private renderGame({ record, game, states, comments }: Shown) {
    const isAlone = this.shown.length === 1;
    const title = `${game.title}: ${record.players}`;
    const at = Math.min(this.index, states.length - 1);
    const said = [record.result, record.date.slice(0, 10), ...Object.entries(record.tags).map(([name, text]) => `${name}: ${text}`)];
    return html`<section aria-label=${title}>
      ${isAlone ? html`<h1>${title}</h1>` : html`<h2>${record.players}</h2>`}
      <p class="quiet">${said.join(" · ")}</p>
      <div class="row buttons">
        <a class="button" href=${analyseAddress(record, at)}>Analyse</a>
        <a class="button" href=${playFrom(record, at)}>Play from here</a>
        ${isAlone ? html`<a class="button" href="#/games?with=${record.id}">Compare with another</a>` : nothing}
        ${record.play_id ? html`<a class="button" href="#/play/${record.play_id}">Its page in Play</a>` : nothing}
        ${record.tournament_id ? html`<a class="button" href="#/arena/${record.tournament_id}">Its tournament</a>` : nothing}
      </div>
      <boardgym-replay
        palette=${this.preferences.palette}
        .game=${game}
        .states=${states}
        .comments=${comments}
        .index=${at}
        @step=${(event: CustomEvent<{ index: number }>) => (this.index = event.detail.index)}
      ></boardgym-replay>
    </section>`;
  }
}

const courseOf = (record: RecordedGame): Course => ({ ...record, moves: record.replay.states.at(-1)?.moves ?? [] });
