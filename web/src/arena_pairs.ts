// <boardgym-pairs>: the pairs of games behind an interval: each from one opening, with the seats swapped.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import { find, type RecordEntry } from "./games_data.js";
import { amount, count } from "./numbers.js";
import { controls, tokens } from "./style.js";

const PAGE = 100; // games

@customElement("boardgym-pairs")
export class Pairs extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      ol {
        list-style: none;
        margin: 0 0 0.6rem;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
        gap: 0.4rem;
      }
      a {
        display: block;
        padding: 0.4rem 0.7rem;
        border: 1px solid var(--edge);
        border-radius: var(--radius);
        background: var(--raised);
        color: inherit;
        text-decoration: none;
      }
      a:hover {
        border-color: var(--accent);
      }
      .score {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) tournamentId = "";
  @property({ attribute: false }) line = 0;
  @property({ attribute: false }) games = 0; // how many there are by now
  @property({ attribute: false }) isPaired = true;
  @property({ attribute: false }) seats: string[] = [];
  @state() private offset = 0;
  @state() private found: RecordEntry[] = [];
  @state() private message = "";
  @state() private isAsking = false;
  private asked = 0; // counts pages that are asked for: late answers are passed over
  private known = -1; // how many games there were when the page was asked for

  protected override willUpdate(changed: PropertyValues): void {
    const isOther = changed.has("line") || changed.has("tournamentId");
    if (isOther) Object.assign(this, { offset: 0, found: [] });
    const isGrown = this.found.length < PAGE && this.games !== this.known && !this.isAsking;
    if (isOther || changed.has("offset") || isGrown) void this.load();
  }

  /** Asks for the games of the page that is shown. */
  private async load(): Promise<void> {
    const asked = ++this.asked;
    this.isAsking = true;
    this.known = this.games;
    const query = new URLSearchParams({ tournament: this.tournamentId, line: String(this.line), sort: "number", down: "false" });
    query.set("limit", String(PAGE));
    query.set("offset", String(this.offset));
    try {
      const { games } = await find(query);
      if (asked === this.asked) Object.assign(this, { found: games, message: "" });
    } catch (error) {
      if (asked === this.asked) this.message = sentence(error);
    }
    if (asked !== this.asked) return;
    this.isAsking = false; // and looks again: there may be more games by now
  }

  override render() {
    const step = this.isPaired ? 2 : 1;
    const parts: RecordEntry[][] = [];
    for (let k = 0; k < this.found.length; k += step) parts.push(this.found.slice(k, k + step));
    const last = this.offset + this.found.length;
    return html`<div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${parts.length === 0 && !this.message
        ? html`<p class="quiet">${this.isAsking ? "Loading the games…" : "No game of these has ended yet."}</p>`
        : nothing}
      <ol>
        ${parts.map((games, k) => this.renderPart(games, this.offset / step + k + 1))}
      </ol>
      ${this.games > PAGE
        ? html`<div class="row" role="group" aria-label="Pages">
            <button ?disabled=${this.offset === 0} @click=${() => (this.offset -= PAGE)}>Earlier</button>
            <span class="quiet">games ${this.offset + 1} – ${last} of ${count(this.games)}</span>
            <button ?disabled=${last >= this.games} @click=${() => (this.offset += PAGE)}>Later</button>
          </div>`
        : nothing}`;
  }

  private renderPart(games: RecordEntry[], number: number) {
    const score = games.reduce((sum, { winner, seat }) => sum + (winner < 0 ? 0.5 : winner === seat ? 1 : 0), 0);
    return html`<li>
      <a href="#/games/${games.map(({ id }) => id).join("/")}">
        <span class="score">${this.isPaired ? "Pair" : "Game"} ${number}: ${score} of ${games.length}</span>
        ${games.map(
          ({ winner, seat, plies }) => html`<div class="quiet">
            as ${this.seats[seat] ?? "?"}: ${winner < 0 ? "drawn" : winner === seat ? "won" : "lost"} in ${amount(plies, "plies", "ply")}
          </div>`,
        )}
      </a>
    </li>`;
  }
}
