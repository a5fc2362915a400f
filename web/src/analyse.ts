// <boardgym-analyse-room>: the room Analyse. #/analyse?game=..&option=NAME=VALUE&fen=..&moves=4 4 3&at=2
import { LitElement, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { roomAddress } from "./addresses.js";
import "./analyse_begin.js";
import type { Beginning } from "./analyse_begin.js";
import { boardValues, valueText } from "./analyse_words.js";
import "./analyse_judge.js";
import "./analyse_moves.js";
import "./analyse_openings.js";
import "./analyse_panel.js";
import type { Settings } from "./analyse_panel.js";
import "./analyse_search_tree.js";
import { look } from "./analyse_look.js";
import { Session } from "./analyse_session.js";
import type { MoveNode } from "./analyse_tree_of_moves.js";
import { sentence } from "./api.js";
import "./board.js";
import { isFree } from "./keys.js";
import { games, type GameEntry, type Options } from "./play_data.js";
import { asOption, entryFor } from "./play_draft.js";
import { PreferencesController } from "./preferences.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";

const TABS = { search: "Search", openings: "Openings", tree: "Search tree", begin: "Position" } as const;
type Tab = keyof typeof TABS;

@customElement("boardgym-analyse-room")
export class AnalyseRoom extends LitElement {
  static override styles = [tokens, controls, look];

  @property({ attribute: false }) route!: Route;
  @state() private entries: GameEntry[] = [];
  @state() private tab: Tab = "search";
  @state() private isFlipped = false;
  @state() private message = "";
  private readonly preferences = new PreferencesController(this);
  private session = new Session(() => this.follow());
  private address = "";

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    removeEventListener("keydown", this.onKey);
    this.session.close();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("route") && location.hash !== this.address) void this.load();
  }

  private async load(): Promise<void> {
    const { query } = this.route;
    this.message = "";
    try {
      if (this.entries.length === 0) this.entries = await games();
      const entry = entryFor(this.entries, query.get("game"));
      if (!entry) throw new Error(`There is no game “${query.get("game") ?? ""}”.`);
      const options: Options = {};
      for (const text of query.getAll("option")) {
        const [name = "", value = ""] = text.split(/=(.*)/s);
        const known = entry.options[name];
        if (known) options[name] = asOption(value, known.value);
      }
      const moves = (query.get("moves") ?? "").split(/\s+/).filter(Boolean);
      await this.session.begin(entry.id, options, query.get("fen"), moves, Number(query.get("at") ?? moves.length));
      if (location.hash !== this.address) this.address = ""; // it has failed: the address is again that of what stays
      this.follow();
    } catch (error) {
      this.message = sentence(error);
    }
  }

  /** Draws anew, and keeps the address that of the line and position on the board. */
  private follow(): void {
    this.requestUpdate();
    const { session } = this;
    if (!session.position || !this.isConnected || this.route.room !== "analyse") return;
    const line = session.current.line;
    const address = roomAddress("analyse", session.game, session.options, {
      fen: session.start ?? "",
      moves: line.slice(1).map(({ move }) => move).join(" "),
      at: session.current === line.at(-1) ? "" : String(session.current.ply),
    });
    if (address === this.address) return;
    this.address = address;
    history.replaceState(history.state, "", address);
    showTitle("Analyse", session.position.game.title);
  }

  private onKey = (event: KeyboardEvent): void => {
    if (!isFree(event)) return;
    const plies = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (plies === undefined) return;
    event.preventDefault();
    this.session.step(plies);
  };

  private begin({ game, options, start, moves }: Beginning): void {
    void this.session.begin(game, options, start, moves);
  }

  private show(event: CustomEvent<MoveNode>): void {
    void this.session.show(event.detail);
  }

  private play(event: CustomEvent<{ action: number }>): void {
    const move = this.session.position?.state.actions.find(({ action }) => action === event.detail.action)?.move;
    if (move !== undefined) void this.session.play([move]);
  }

  private tryMoves(event: CustomEvent<string[]>): void {
    void this.session.play(event.detail);
  }

  override render() {
    const { session } = this;
    const message = this.message || session.message;
    return html`
      <h1 class="visually-hidden">Analyse</h1>
      <div role="alert">${message ? html`<p class="error">${message}</p>` : nothing}</div>
      ${session.position ? this.renderRoom() : message ? nothing : html`<p class="quiet">Loading …</p>`}
    `;
  }

  private renderRoom() {
    const { session } = this;
    return html`
      <div class="room">
        <section class="board" aria-label="Board">${this.renderBoard()}</section>
        <section class="side" aria-label="Analysis">
          <div class="tabs" role="group" aria-label="What to look at">
            ${(Object.keys(TABS) as Tab[]).map(
              (tab) => html`<button aria-pressed=${tab === this.tab} @click=${() => (this.tab = tab)}>${TABS[tab]}</button>`,
            )}
          </div>
          ${this.renderTab()}
          <div class="card">
            <h2>Moves</h2>
            <boardgym-analyse-moves
              .root=${session.root}
              .current=${session.current}
              .version=${session.version}
              @show=${this.show}
              @forget=${(event: CustomEvent<MoveNode>) => session.forget(event.detail)}
            ></boardgym-analyse-moves>
          </div>
          ${session.current.line.length > 1
            ? html`<div class="card">
                <boardgym-analyse-judge .session=${session} .version=${session.version}></boardgym-analyse-judge>
              </div>`
            : nothing}
        </section>
      </div>
    `;
  }

  private renderBoard() {
    const { session } = this;
    const { position } = session;
    const found = session.findings.perfect.found ?? session.findings.first.found;
    return html`
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${position!.game}
        .state=${position!.state}
        .values=${found && session.isShown ? boardValues(found) : {}}
        .flipped=${this.isFlipped}
        ?interactive=${session.hasMove && session.isShown}
        @play=${this.play}
      ></boardgym-board>
      ${this.renderSteps()}
      <p class="row under">
        <button @click=${() => (this.isFlipped = !this.isFlipped)}>Turn the board</button>
        <a class="button" href=${this.playAddress}>Play from here</a>
      </p>
    `;
  }

  private get playAddress(): string {
    const { session } = this;
    return roomAddress("play", session.game, session.options, { fen: session.position!.state.fen });
  }

  private renderSteps() {
    const { session } = this;
    const line = session.current.line;
    const at = session.current.ply;
    const step = (sign: string, name: string, plies: number, isPossible: boolean) =>
      html`<button aria-label=${name} title=${name} ?disabled=${!isPossible} @click=${() => session.step(plies)}>${sign}</button>`;
    return html`<div class="steps" role="group" aria-label="Browse the moves">
      ${step("«", "First position", -Infinity, at > 0)} ${step("‹", "One move back", -1, at > 0)}
      ${step("›", "One move on", 1, at < line.length - 1)} ${step("»", "Last position", Infinity, at < line.length - 1)}
    </div>`;
  }

  private renderTab() {
    const { session } = this;
    if (this.tab === "search") return this.renderSearch();
    if (this.tab === "openings")
      return html`<div class="card">
        <boardgym-analyse-openings
          .place=${this.place}
          .seats=${session.position!.game.seats}
          .palette=${session.position!.game.palette}
          @try=${this.tryMoves}
        ></boardgym-analyse-openings>
      </div>`;
    if (this.tab === "tree")
      return html`<div class="card">
        <boardgym-analyse-search-tree .place=${this.place} @try=${this.tryMoves}></boardgym-analyse-search-tree>
      </div>`;
    return html`<div class="card">
      <boardgym-analyse-begin
        .entries=${this.entries}
        .game=${session.game}
        .options=${session.options}
        .fen=${session.position!.state.fen}
        .moves=${session.current.line.slice(1).map(({ move }) => move)}
        .position=${session.position}
        @begin=${(event: CustomEvent<Beginning>) => this.begin(event.detail)}
      ></boardgym-analyse-begin>
    </div>`;
  }

  private shownPlace = this.session.place;

  /** The same object while the position is the same. */
  private get place() {
    const { place } = this.session;
    if (JSON.stringify(place) !== JSON.stringify(this.shownPlace)) this.shownPlace = place;
    return this.shownPlace;
  }

  private renderSearch() {
    const { session } = this;
    const { position } = session;
    if (!session.hasMove) return html`<div class="card">${position!.rolls.length > 0 ? this.renderRolls() : html`<p>${position!.state.status}</p>`}</div>`;
    return html`
      ${position!.has_solver ? html`<div class="card">${this.renderPanel("perfect", "Perfect play")}</div>` : nothing}
      <div class="card">${this.renderPanel("first", "Search")}</div>
      ${session.isOn.second || session.findings.second.found
        ? html`<div class="card">${this.renderPanel("second", "Another")}</div>
            ${this.renderAgreement()}`
        : html`<p><button @click=${() => session.compare(true)}>Compare with another agent</button></p>`}
    `;
  }

  private renderRolls() {
    const { session } = this;
    return html`
      <h2>What does chance bring?</h2>
      <div class="row">${session.position!.rolls.map(({ move }) => html`<button @click=${() => void session.play([move])}>${move}</button>`)}</div>
    `;
  }

  private renderPanel(name: "first" | "second" | "perfect", heading: string) {
    const { session } = this;
    return html`<boardgym-analyse-panel
      .heading=${heading}
      .settings=${name === "perfect" ? undefined : session.settings[name]}
      .finding=${session.findings[name]}
      .suggestions=${this.suggestions}
      ?exact=${name === "perfect"}
      ?leavable=${name === "second"}
      @settings=${(event: CustomEvent<Partial<Settings>>) => name !== "perfect" && session.change(name, event.detail)}
      @toggle=${() => session.toggle(name)}
      @leave=${() => session.compare(false)}
      @try=${this.tryMoves}
    ></boardgym-analyse-panel>`;
  }

  private get suggestions(): string[] {
    const own = this.entries.find(({ id }) => id === this.session.game)?.policies ?? [];
    return [...new Set(["uct", "minimax", "puct", ...own])].filter((spec) => !/^(random|human)/.test(spec));
  }

  private renderAgreement() {
    const { first, second } = this.session.findings;
    if (!first.found || !second.found) return nothing;
    const [one, other] = [this.session.settings.first.policy, this.session.settings.second.policy];
    const gap = valueText(Math.abs(first.found.value - second.found.value)).replace("+", "");
    return html`<p role="status">
      ${first.found.move === second.found.move
        ? html`Both play <strong>${first.found.move}</strong>; their values differ by ${gap}.`
        : html`${one} plays <strong>${first.found.move}</strong>, ${other} <strong>${second.found.move}</strong>; their values differ by ${gap}.`}
    </p>`;
  }
}
