// <boardgym-games-room>: the room Games. #/games searches, #/games/ID replays one, #/games/ID/ID two side by side.
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { remove, sentence } from "./api.js";
import { find, recordFiles, sendRecords, type Found, type RecordEntry, type RecordFile } from "./games_data.js";
import { look } from "./games_look.js";
import "./games_pair.js";
import { amount, count } from "./numbers.js";
import { games, type GameEntry } from "./play_data.js";
import { entryFor } from "./play_draft.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";

const PAGE = 50;
const AGAIN_MS = 300; // until the list is asked for again that has not read all games yet
const COLUMNS: [string, string][] = [
  ["date", "Date"],
  ["game", "Game"],
  ["players", "Players"],
  ["result", "Result"],
  ["plies", "Plies"],
];
const SOURCES = { "": "everywhere", play: "played here", arena: "tournaments", file: "uploaded files" };
const MORE = ["source", "file", "fewest", "most", "since", "until", "fen"]; // fields that are folded away
const OF_PAGE = ["offset", "sort", "down", "with"]; // of an address, what does not look for games

@customElement("boardgym-games-room")
export class GamesRoom extends LitElement {
  static override styles = [tokens, controls, look];

  @property({ attribute: false }) route!: Route;
  @state() private entries: GameEntry[] = [];
  @state() private files: RecordFile[] = [];
  @state() private found?: Found;
  @state() private chosen: number[] = []; // to compare
  @state() private message = ""; // what came of the last thing that the user did
  @state() private trouble = ""; // why there is no list
  @state() private isBusy = false;
  private kept = ""; // the game that the address has named last, to be compared
  private asked = 0; // counts lists: late ones are passed over
  private timer = 0;

  private get query(): URLSearchParams {
    return this.route.query;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("route") || this.route.room !== "games") return;
    this.leave();
    this.message = "";
    if (this.route.rest.length > 0) return;
    const kept = this.query.get("with") ?? "";
    if (kept && kept !== this.kept) this.chosen = [Number(kept)];
    this.kept = kept;
    void this.load();
  }

  /** What was asked for is no longer wanted. */
  private leave(): void {
    clearTimeout(this.timer);
    this.asked += 1;
  }

  override disconnectedCallback(): void {
    this.leave();
    super.disconnectedCallback();
  }

  private async load(): Promise<void> {
    this.leave();
    const { asked } = this;
    const query = new URLSearchParams(this.query);
    query.delete("with");
    query.set("limit", String(PAGE));
    try {
      const [entries, files] = await Promise.all([this.entries.length > 0 ? this.entries : games(), recordFiles()]);
      if (asked !== this.asked) return;
      Object.assign(this, { entries, files });
      const found = await find(query);
      if (asked !== this.asked) return;
      Object.assign(this, { found, trouble: "" });
      if (found.unread > 0) this.timer = setTimeout(() => void this.load(), AGAIN_MS);
    } catch (error) {
      if (asked === this.asked) Object.assign(this, { trouble: sentence(error), found: undefined });
    }
  }

  /** Goes to the address with other values; empty ones are left out. */
  private go(values: Record<string, string>): void {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    location.hash = `#/games${query.size > 0 ? `?${query}` : ""}`;
  }

  private search(event: Event): void {
    event.preventDefault();
    const data = new FormData(this.renderRoot.querySelector("form") ?? undefined);
    this.go({ offset: "", ...Object.fromEntries([...data].map(([name, value]) => [name, String(value).trim()])) });
  }

  private async upload(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    field.value = "";
    if (!file) return;
    Object.assign(this, { isBusy: true, message: "" });
    try {
      const { id } = await sendRecords(file);
      location.hash = `#/games?file=${id}`;
    } catch (error) {
      this.message = sentence(error);
    } finally {
      this.isBusy = false;
    }
  }

  private async forget({ id, name }: RecordFile): Promise<void> {
    if (!confirm(`Delete ${name} with its games? They cannot be brought back.`)) return;
    this.message = "";
    try {
      await remove(`/records/files/${id}`);
    } catch (error) {
      this.message = sentence(error);
      return;
    }
    if (this.query.get("file") === String(id)) this.go({ file: "", offset: "" });
    else await this.load();
  }

  private choose(id: number, isChosen: boolean): void {
    this.chosen = [...this.chosen.filter((other) => other !== id), ...(isChosen ? [id] : [])].slice(-2);
  }

  private titleOf(game: string): string {
    return this.entries.find(({ id }) => id === game)?.title ?? game;
  }

  override render() {
    if (this.route.rest.length > 0)
      return html`<boardgym-recorded-games .ids=${this.route.rest.slice(0, 2)}></boardgym-recorded-games>`;
    const { found } = this;
    const said = this.message || this.trouble;
    return html`<h1>Games</h1>
      ${this.renderForm()}
      <div role="alert">${said ? html`<p class="error">${said}</p>` : nothing}</div>
      ${found ? this.renderFound(found) : said ? nothing : html`<p class="quiet">Loading the games…</p>`}
      ${this.renderFiles()}`;
  }

  private renderForm() {
    const isMore = MORE.some((name) => this.query.has(name));
    return html`<form class="card" @submit=${(event: Event) => this.search(event)}>
      <div class="fields">
        ${this.renderSelect("game", "Game", [["", "all games"], ...this.entries.map(({ id, title }): [string, string] => [id, title])])}
        ${this.renderText("players", "Players")}
        ${this.renderSelect("result", "Result", [
          ["", "any"],
          ["0", "the first seat won"],
          ["1", "the second seat won"],
          ["2", "the third seat won"],
          ["draw", "drawn"],
          ["open", "not over"],
        ])}
        ${this.renderText("opening", "First moves", "b2 a1")}
        <div class="field"><button class="primary">Search</button></div>
      </div>
      <details ?open=${isMore}>
        <summary>More</summary>
        <div class="fields">
          ${this.renderSelect("source", "From", Object.entries(SOURCES))}
          ${this.renderSelect("file", "File", [["", "all files"], ...this.files.map(({ id, name }): [string, string] => [String(id), name])])}
          ${this.renderText("fewest", "Fewest plies", "", "number")} ${this.renderText("most", "Most plies", "", "number")}
          ${this.renderText("since", "Since", "", "date")} ${this.renderText("until", "Until", "", "date")}
          ${this.renderText("fen", "Position that occurs", "a position string")}
        </div>
      </details>
    </form>`;
  }

  private renderSelect(name: string, label: string, choices: [string, string][]) {
    const asked = this.query.get(name);
    const now = name === "game" && asked ? entryFor(this.entries, asked)?.id : (asked ?? "");
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <select id=${name} name=${name} @change=${(event: Event) => this.search(event)}>
        ${choices.map(([value, text]) => html`<option value=${value} .selected=${value === now}>${text}</option>`)}
      </select>
    </div>`;
  }

  private renderText(name: string, label: string, placeholder = "", type = "text") {
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <input id=${name} name=${name} type=${type} min="0" maxlength="1000" placeholder=${placeholder} autocomplete="off"
        spellcheck="false" .value=${this.query.get(name) ?? ""} />
    </div>`;
  }

  private renderFound({ games: list, total, unread }: Found) {
    const query = new URLSearchParams(this.query);
    for (const name of OF_PAGE) query.delete(name);
    const offset = Number(this.query.get("offset") ?? 0);
    const [one, other] = this.chosen;
    return html`<div class="row tools">
        <span role="status">${gamesIn(total)}${unread > 0 ? `; ${count(unread)} more are being read` : ""}</span>
        ${query.has("tournament") ? html`<button @click=${() => this.go({ tournament: "", line: "" })}>Not of this tournament alone</button>` : nothing}
        ${total > 0
          ? html`<a class="button" download href="/api/records/download?${query}&format=game">Download as a game file</a>
              <a class="button" download href="/api/records/download?${query}&format=json">as JSON lines</a>`
          : nothing}
        ${other === undefined
          ? nothing
          : html`<a class="button primary" href="#/games/${one}/${other}">Compare the two games</a>`}
        ${this.chosen.length === 1 ? html`<span class="quiet">Choose a second game to compare.</span>` : nothing}
      </div>
      ${total === 0 ? html`<p class="card">No game is found. Play one, upload a file, or look for less.</p>` : this.renderTable(list)}
      ${total > PAGE
        ? html`<div class="row tools" role="group" aria-label="Pages">
            <button ?disabled=${offset === 0} @click=${() => this.go({ offset: String(Math.max(0, offset - PAGE) || "") })}>Earlier in the list</button>
            <span class="quiet">${offset + 1} – ${offset + list.length}</span>
            <button ?disabled=${offset + PAGE >= total} @click=${() => this.go({ offset: String(offset + PAGE) })}>Later in the list</button>
          </div>`
        : nothing}`;
  }

  private renderTable(list: RecordEntry[]) {
    const sort = this.query.get("sort") ?? "date";
    const isDown = this.query.get("down") !== "false";
    return html`<table>
      <thead>
        <tr>
          <th scope="col"><span class="visually-hidden">Compare</span></th>
          ${COLUMNS.map(
            ([name, title]) => html`<th scope="col" aria-sort=${name === sort ? (isDown ? "descending" : "ascending") : "none"}>
              <button class="plain" @click=${() => this.go({ sort: name, down: String(name === sort ? !isDown : false), offset: "" })}>
                ${title}${name === sort ? (isDown ? " ↓" : " ↑") : ""}
              </button>
            </th>`,
          )}
          <th scope="col">First moves</th>
        </tr>
      </thead>
      <tbody>
        ${list.map((game) => this.renderRow(game))}
      </tbody>
    </table>`;
  }

  private renderRow(game: RecordEntry) {
    const title = this.titleOf(game.game);
    return html`<tr>
      <td>
        <input type="checkbox" aria-label="Compare ${title}, ${game.players}" .checked=${this.chosen.includes(game.id)}
          @change=${(event: Event) => this.choose(game.id, (event.target as HTMLInputElement).checked)} />
      </td>
      <td><time datetime=${game.date}>${game.date.slice(0, 16).replace("T", " ")}</time></td>
      <td>${title}</td>
      <td class="players"><a href="#/games/${game.id}">${game.players}</a></td>
      <td>${game.result}</td>
      <td class="number ${game.plies === 1 ? "one" : ""}">${game.plies}</td>
      <td class="opening quiet">${game.opening}</td>
    </tr>`;
  }

  private renderFiles() {
    return html`<section class="files" aria-labelledby="files">
      <h2 id="files">Files</h2>
      ${this.files.length > 0
        ? html`<ul>
            ${this.files.map(
              (file) => html`<li>
                <a href="#/games?file=${file.id}">${file.name}</a>
                <span class="quiet">${gamesIn(file.games)}</span>
                <button class="plain" aria-label="Delete ${file.name}" title="Delete" @click=${() => this.forget(file)}>✕</button>
              </li>`,
            )}
          </ul>`
        : nothing}
      <label class="button">
        ${this.isBusy ? "Reading the file…" : "Upload a file of games"}
        <input class="visually-hidden" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy}
          @change=${(event: Event) => this.upload(event)} />
      </label>
      <p class="help">Game files, JSON lines, and transcripts of Othello, Connect Four and backgammon. All of a file is kept, or nothing.</p>
    </section>`;
  }
}

const gamesIn = (number: number): string => amount(number, "games");
