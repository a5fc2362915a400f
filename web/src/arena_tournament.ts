// <boardgym-tournament>: one tournament as it is played: ratings, results, and the pairs of games behind each interval.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { remove, sentence } from "./api.js";
import { canResume, command, eloText, howFar, isUnderWay, nameOf, scoreText, type Standing, type TournamentPage } from "./arena_data.js";
import { chip, drawInterval, intervals, progressBar, type Scale } from "./arena_look.js";
import "./arena_pairs.js";
import { Followed } from "./followed.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";
import { look } from "./train_look.js";

const SCORES: Scale = { from: 0, to: 1, mark: 0.5 };

@customElement("boardgym-tournament")
export class TournamentElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    intervals,
    css`
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
      .danger {
        color: var(--bad);
        margin-left: auto;
      }
      .wide {
        overflow-x: auto;
        outline-offset: -2px;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
      }
      th {
        text-align: left;
        font-weight: 600;
        font-size: 0.87rem;
        color: var(--quiet);
        padding: 0.2rem 1rem 0.2rem 0;
      }
      tbody th {
        color: var(--text);
        max-width: 16rem;
        overflow-wrap: break-word;
      }
      td {
        padding: 0.2rem 1rem 0.2rem 0;
        border-top: 1px solid var(--edge);
        white-space: nowrap;
      }
      tbody th {
        border-top: 1px solid var(--edge);
      }
      .picture {
        width: 40%;
      }
      .forfeit {
        margin: 0.2rem 0;
        max-width: 24rem;
        white-space: normal;
        overflow-wrap: anywhere;
      }
      @media (min-width: 46.01rem) {
        .elo {
          display: none;
        }
      }
      .cross {
        width: auto;
      }
      .cross td,
      .cross thead th {
        text-align: center;
        padding: 0.1rem 0.4rem;
      }
      .cross thead td {
        border: 0;
      }
      @media (max-width: 46rem) {
        .narrow thead {
          display: none;
        }
        .narrow tr {
          display: grid;
          grid-template-columns: minmax(0, 1fr) auto;
          column-gap: 0.6rem;
          border-top: 1px solid var(--edge);
          padding: 0.3rem 0;
        }
        .narrow tr > * {
          border: 0;
          padding: 0.1rem 0;
          white-space: normal;
        }
        .narrow .all,
        .narrow .picture {
          grid-column: 1 / 3;
          width: auto;
          max-width: none;
        }
      }
      pre {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
        font-size: 0.82rem;
      }
    `,
  ];

  @property({ attribute: false }) tournamentId = "";
  @state() private opened: number[] = []; // rows whose pairs are shown
  @state() private message = "";
  @state() private isSure = false;
  private readonly followed = new Followed<TournamentPage>(this, "/arena", ({ tournament }) => showTitle(tournament.name, "Arena"));

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("tournamentId")) return;
    Object.assign(this, { message: "", isSure: false, opened: [] });
    this.followed.follow(this.tournamentId);
  }

  private get page(): TournamentPage | undefined {
    return this.followed.now;
  }

  private async tell(verb: "stop" | "resume"): Promise<void> {
    this.message = "";
    await command(this.tournamentId, verb).catch((error: unknown) => (this.message = sentence(error)));
  }

  private async forget(): Promise<void> {
    if (!this.isSure) {
      this.isSure = true;
      return;
    }
    this.followed.stop();
    try {
      await remove(`/arena/${this.tournamentId}`);
      location.hash = "#/arena";
    } catch (error) {
      this.message = sentence(error);
      void this.followed.begin();
    }
  }

  private open(...lines: number[]): void {
    this.opened = lines.join() === this.opened.join() ? [] : lines;
  }

  private name(spec: string): string {
    return this.page ? nameOf(this.page.tournament, spec) : spec;
  }

  override render() {
    const { page } = this;
    const back = html`<p class="quiet"><a href="#/arena">All tournaments</a></p>`;
    const message = this.message || this.followed.message;
    const alert = html`<div role="alert">${message ? html`<p class="error">${message}</p>` : nothing}</div>`;
    if (!page) return html`${back}${alert}${message ? nothing : html`<p class="quiet">Loading the tournament…</p>`}`;
    const { tournament, rows, log } = page;
    return html`${back}
      <div class="row title"><h1>${tournament.name}</h1>${chip(tournament)}<span class="quiet">${tournament.title}</span></div>
      ${progressBar(tournament)}
      <p class="quiet" role="status">${[howFar(tournament), tournament.message].filter((text) => text).join(" — ")}</p>
      ${alert} ${this.renderButtons()} ${rows.length > 0 ? this.renderStandings(page) : nothing}
      <section class="card" aria-labelledby="made">
        <h2 id="made">How it was made</h2>
        <p class="quiet">The same on the command line:</p>
        <pre><code>${tournament.command}</code></pre>
        ${log
          ? html`<details>
              <summary class="quiet">What its process said</summary>
              <pre tabindex="0">${log}</pre>
            </details>`
          : nothing}
      </section>`;
  }

  private renderButtons() {
    const tournament = this.page?.tournament;
    if (!tournament) return nothing;
    const { id } = tournament;
    return html`<div class="row buttons">
      ${isUnderWay(tournament) ? html`<button @click=${() => this.tell("stop")}>Stop</button>` : nothing}
      ${canResume(tournament) ? html`<button class="primary" @click=${() => this.tell("resume")}>Go on</button>` : nothing}
      ${tournament.done > 0
        ? html`<a class="button" href="/api/arena/${id}/report" download>Report</a>
            <a class="button" href="/api/arena/${id}/record" download>Record</a>
            <a class="button" href="#/games?tournament=${id}&sort=number&down=false">All its games</a>`
        : nothing}
      <a class="button" href="#/arena/new?like=${id}">Make one like it</a>
      <button class="danger" @click=${() => this.forget()} @blur=${() => (this.isSure = false)}>
        ${this.isSure ? "Yes, delete it with its games" : "Delete"}
      </button>
    </div>`;
  }

  private renderStandings(page: TournamentPage) {
    return html`${page.ratings.length > 0 ? this.renderRatings(page) : nothing}
      <section class="card" aria-labelledby="results">
        <h2 id="results">Results</h2>
        <div class="wide" tabindex="0" role="group" aria-label="Results">${this.renderRows(page)}</div>
        ${page.ratings.length > 2 ? this.renderCross(page) : nothing}
        <p class="help">Intervals are of 95 %, over pairs of games from one opening with the seats swapped. Open one to see its pairs.</p>
      </section>
      ${this.opened.map((line) => this.renderPairs(page, line))}`;
  }

  private renderPairs({ tournament, rows }: TournamentPage, line: number) {
    const row = rows[line];
    if (!row) return nothing;
    return html`<section class="card" aria-labelledby="pairs-${line}">
      <h2 id="pairs-${line}">${this.name(row.a)} against ${this.name(row.b)}</h2>
      <boardgym-pairs
        .tournamentId=${tournament.id}
        .line=${line}
        .games=${row.games}
        .isPaired=${row.seat === null}
        .seats=${tournament.seats}
      ></boardgym-pairs>
    </section>`;
  }

  private renderRatings({ ratings, rows }: TournamentPage) {
    const ends = ratings.flatMap(({ elo, low, high }) => [elo, low, high]).filter((end): end is number => end !== null);
    const [least, most] = ends.length > 0 ? [Math.min(...ends), Math.max(...ends)] : [0, 0];
    const room = 0.06 * (most - least) + 10;
    const scale = { from: least - room, to: most + room, mark: 0 };
    const sorted = [...ratings].sort((one, other) => (other.elo ?? -Infinity) - (one.elo ?? -Infinity));
    return html`<section class="card" aria-labelledby="ratings">
      <h2 id="ratings">Ratings</h2>
      <table class="narrow">
        <thead>
          <tr><th scope="col">Player</th><th scope="col">Elo with its interval</th><th scope="col" class="picture">Picture</th></tr>
        </thead>
        <tbody>
          ${sorted.map(({ name, elo, low, high }) => {
            const lines = rows.flatMap(({ a, b }, line) => (a === name || b === name ? [line] : []));
            const isOpen = lines.join() === this.opened.join();
            return html`<tr>
              <th scope="row">${this.name(name)}</th>
              <td>${eloText(elo, low, high)}</td>
              <td class="picture">
                <button class="interval" aria-pressed=${isOpen} aria-label="Pairs of games of ${this.name(name)}"
                  @click=${() => this.open(...lines)}>${drawInterval(elo, low, high, scale)}</button>
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </section>`;
  }

  private renderRows({ rows, tournament }: TournamentPage) {
    return html`<table class="narrow">
      <thead>
        <tr>
          ${["Players", "Won – drawn – lost", "Score rate"].map((title) => html`<th scope="col">${title}</th>`)}
          <th scope="col" class="picture">Picture</th>
          <th scope="col">Elo difference</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row, line) => {
          const seat = row.seat === null ? "" : ` as ${tournament.seats[row.seat]}`;
          const title = `${this.name(row.a)}${seat} against ${this.name(row.b)}`;
          return html`<tr>
            <th scope="row" class="all">${title}</th>
            <td>${row.wins} – ${row.draws} – ${row.losses}${forfeits(row)}</td>
            <td>${scoreText(row.score)}</td>
            <td class="picture">
              <button class="interval" aria-pressed=${this.opened.includes(line)} aria-label="Pairs of games of ${title}"
                @click=${() => this.open(line)}>${drawInterval(row.score.value, row.score.low, row.score.high, SCORES)}</button>
            </td>
            <td class="all"><span class="elo">Elo </span>${eloText(row.elo.value, row.elo.low, row.elo.high)}</td>
          </tr>`;
        })}
      </tbody>
    </table>`;
  }

  private renderCross({ ratings, rows }: TournamentPage) {
    const names = ratings.map(({ name }) => name);
    const cell = (own: string, other: string) => {
      const line = rows.findIndex(({ a, b }) => (a === own && b === other) || (a === other && b === own));
      const row = rows[line];
      if (!row) return html`<td></td>`;
      const score = row.a === own ? row.score.value : 1 - row.score.value;
      return html`<td>
        <button class="plain" aria-label="Pairs of games of ${this.name(own)} against ${this.name(other)}" @click=${() => this.open(line)}>
          ${(100 * score).toFixed(0)} %
        </button>
      </td>`;
    };
    return html`<details>
      <summary>Cross table</summary>
      <div class="wide" tabindex="0" role="group" aria-label="Cross table">
        <table class="cross">
          <thead>
            <tr><td></td>${names.map((name) => html`<th scope="col">${this.name(name)}</th>`)}</tr>
          </thead>
          <tbody>
            ${names.map((own) => html`<tr><th scope="row">${this.name(own)}</th>${names.map((other) => cell(own, other))}</tr>`)}
          </tbody>
        </table>
      </div>
    </details>`;
  }
}

const forfeits = ({ forfeits: own, opponent_forfeits: theirs, messages }: Standing) =>
  own + theirs === 0
    ? nothing
    : html`<details>
        <summary>forfeits: ${own} own, ${theirs} of the other</summary>
        ${messages.map((message) => html`<p class="forfeit">${message}</p>`)}
      </details>`;
