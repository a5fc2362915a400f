// <boardgym-play-list>: the games that the studio keeps, the latest first.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Play } from "./play_data.js";
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

  @property({ attribute: false }) plays: Play[] = [];

  override render() {
    if (this.plays.length === 0) return nothing;
    return html`<h2>Your games</h2>
      <ul>
        ${this.plays.map((play) => this.renderPlay(play))}
      </ul>`;
  }

  private renderPlay(play: Play) {
    const seats = play.seats.map(({ kind, spec }) => (kind === "human" ? "a person" : spec)).join(" – ");
    return html`<li>
      <a href="#/play/${play.id}">
        <div class="title">${play.game.title}</div>
        <div class="seats quiet">${seats}</div>
        <div class="state quiet">${play.state.status}</div>
      </a>
      <button
        class="plain"
        aria-label="Delete this game of ${play.game.title}"
        title="Delete"
        @click=${() => this.dispatchEvent(new CustomEvent<string>("forget", { detail: play.id }))}
      >
        ✕
      </button>
    </li>`;
  }
}
