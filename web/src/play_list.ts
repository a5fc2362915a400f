// <boardgym-play-list>: the games that the studio keeps, the latest first.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { GameEntry, PlayEntry } from "./play_data.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-list")
export class PlayList extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
        gap: 0.6rem;
      }
      li {
        display: flex;
        align-items: stretch;
        border: 1px solid var(--edge);
        border-radius: var(--radius);
        background: var(--raised);
        min-width: 0;
      }
      li:hover {
        border-color: var(--accent);
      }
      a {
        flex: 1;
        min-width: 0;
        padding: 0.6rem 0.8rem;
        color: inherit;
        text-decoration: none;
        border-radius: var(--radius);
      }
      .title {
        font-weight: 600;
      }
      .seats,
      .state {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    `,
  ];

  @property({ attribute: false }) plays: PlayEntry[] = [];
  @property({ attribute: false }) entries: GameEntry[] = [];

  override render() {
    if (this.plays.length === 0) return nothing;
    return html`<h2>Your games</h2>
      <ul>
        ${this.plays.map((play) => this.renderPlay(play))}
      </ul>`;
  }

  private forget(play: PlayEntry, title: string): void {
    if (!confirm(`Delete this game of ${title}? It cannot be brought back.`)) return;
    this.dispatchEvent(new CustomEvent<string>("forget", { detail: play.id }));
  }

  private renderPlay(play: PlayEntry) {
    const title = this.entries.find(({ id }) => id === play.game)?.title ?? play.game;
    const state = play.is_over ? play.result : play.ply === 0 ? "not begun" : `after ${play.ply} moves`;
    const seats = play.seats.map(({ kind, spec }) => (kind === "human" ? "a person" : spec)).join(" – ");
    return html`<li>
      <a href="#/play/${play.id}">
        <div class="title">${title}</div>
        <div class="seats quiet">${seats}</div>
        <div class="state quiet">${state}, <time datetime=${play.changed}>${ago(play.changed)}</time></div>
      </a>
      <button
        class="plain"
        aria-label="Delete this game of ${title}"
        title="Delete"
        @click=${() => this.forget(play, title)}
      >
        ✕
      </button>
    </li>`;
  }
}

const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago a time is, in words. */
function ago(time: string): string {
  const minutes = Math.round((Date.parse(time) - Date.now()) / 60_000);
  if (!Number.isFinite(minutes)) return "";
  if (minutes > -1) return "just now";
  if (minutes > -60) return WORDS.format(minutes, "minute");
  if (minutes > -60 * 24) return WORDS.format(Math.round(minutes / 60), "hour");
  return WORDS.format(Math.round(minutes / (60 * 24)), "day");
}
