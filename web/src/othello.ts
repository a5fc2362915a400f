// <boardgym-othello-room>: the Othello program of Andorkó's study: #/othello, #/othello/train/ID and #/othello/play/ID.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import "./board.js";
import { GAME, othelloLook } from "./othello_data.js";
import "./othello_game.js";
import "./othello_play.js";
import "./othello_train.js";
import { opening, type Opening } from "./play_data.js";
import { PreferencesController } from "./preferences.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-othello-room")
export class OthelloRoom extends LitElement {
  static override styles = [
    tokens,
    controls,
    othelloLook,
    css`
      :host {
        display: block;
      }
      .start {
        display: grid;
        grid-template-columns: minmax(0, 24rem) minmax(0, 24rem);
        gap: 2rem;
        align-items: center;
        justify-content: center;
      }
      .picture {
        aspect-ratio: 1;
      }
      boardgym-board::part(line),
      boardgym-board::part(notes) {
        display: none;
      }
      nav {
        display: grid;
        gap: 0.75rem;
        margin-top: 1.25rem;
      }
      nav .button {
        min-height: 3.5rem;
        font-size: 1.2rem;
        font-weight: 600;
        letter-spacing: 0.05em;
      }
      @media (max-width: 48rem) {
        .start {
          grid-template-columns: minmax(0, 1fr);
          gap: 1rem;
        }
        .picture {
          width: 60%;
          margin: 0 auto;
        }
      }
    `,
  ];

  @property({ attribute: false }) route!: Route;
  @state() private opening?: Opening;
  @state() private message = "";
  private readonly preferences = new PreferencesController(this);

  override connectedCallback(): void {
    super.connectedCallback();
    opening(GAME, {}).then(
      (found) => (this.opening = found),
      (error: unknown) => (this.message = sentence(error)),
    );
  }

  override render() {
    const [window = "", id = ""] = this.route.rest;
    if (window === "train") return html`<boardgym-othello-train .botId=${id}></boardgym-othello-train>`;
    if (window === "play" && id) return html`<boardgym-othello-game .playId=${id}></boardgym-othello-game>`;
    if (window === "play") return html`<boardgym-othello-play .query=${this.route.query}></boardgym-othello-play>`;
    return html`<div class="start">
      <div class="picture">
        ${this.opening
          ? html`<boardgym-board
              palette=${this.preferences.palette}
              .game=${this.opening.game}
              .state=${this.opening.state}
            ></boardgym-board>`
          : nothing}
      </div>
      <div>
        <h1 tabindex="-1">Othello</h1>
        <p>
          Neural networks learn Othello by Q-learning, against each other. Train them here, see how they do against two players
          with fixed strategies, and play against them.
        </p>
        <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
        <nav aria-label="Othello">
          <a class="button primary" href="#/othello/play">PLAY</a>
          <a class="button" href="#/othello/train">TRAIN</a>
          <a class="button" href="#/">EXIT</a>
        </nav>
      </div>
    </div>`;
  }
}
