// <boardgym-arena-room>: the room Arena. #/arena lists tournaments, #/arena/new makes one, #/arena/ID is one of them.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { events } from "./api.js";
import { howFar, type Tournament } from "./arena_data.js";
import "./arena_form.js";
import { chip, progressBar } from "./arena_look.js";
import "./arena_tournament.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";
import { look } from "./train_look.js";

@customElement("boardgym-arena-room")
export class ArenaRoom extends LitElement {
  @property({ attribute: false }) route!: Route;

  override render() {
    const id = this.route.rest[0] ?? "";
    if (id === "new") return html`<boardgym-arena-form .query=${this.route.query}></boardgym-arena-form>`;
    return id
      ? html`<boardgym-tournament .tournamentId=${id}></boardgym-tournament>`
      : html`<boardgym-tournament-list></boardgym-tournament-list>`;
  }
}

@customElement("boardgym-tournament-list")
export class TournamentList extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    css`
      .head {
        justify-content: space-between;
        margin-bottom: 1rem;
      }
      .head h1 {
        margin: 0;
      }
      ul {
        list-style: none;
        margin: 0;
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
        overflow-wrap: anywhere;
      }
      .title {
        display: flex;
        justify-content: space-between;
        gap: 0.5rem;
        align-items: baseline;
        font-weight: 600;
      }
      .empty {
        text-align: center;
        padding: 2.5rem 1rem;
      }
    `,
  ];

  @state() private list?: Tournament[];
  private end?: () => void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.end = events<{ tournaments: Tournament[] }>("/arena/events", ({ tournaments }) => (this.list = tournaments));
  }

  override disconnectedCallback(): void {
    this.end?.();
    super.disconnectedCallback();
  }

  override render() {
    const { list } = this;
    return html`<div class="row head">
        <h1>Arena</h1>
        <a class="button primary" href="#/arena/new">New tournament</a>
      </div>
      ${list === undefined
        ? html`<p class="quiet">Loading the tournaments…</p>`
        : list.length === 0
          ? html`<div class="card empty">
              <p>Which of two policies is stronger, and by how much?</p>
              <p class="quiet">Let them play pairs of games, with the seats swapped, and watch the interval close.</p>
              <a class="button primary" href="#/arena/new">Make the first tournament</a>
            </div>`
          : html`<ul>
              ${list.map((one) => this.renderOne(one))}
            </ul>`}`;
  }

  private renderOne(one: Tournament) {
    return html`<li>
      <div class="title"><a href="#/arena/${one.id}">${one.name}</a>${chip(one)}</div>
      <div class="quiet">${one.title} · ${one.kind}</div>
      ${progressBar(one)}
      <div class="quiet">${howFar(one)}</div>
      ${one.state === "failed" ? html`<div class="quiet">${one.message}</div>` : nothing}
    </li>`;
  }
}
