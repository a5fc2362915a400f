// <boardgym-othello-game>: the game window: the board, PASS and END GAME, the history, the discs, and whose turn it is.
import { LitElement, css, html, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { nameOf, othelloBots, othelloLook } from "./othello_data.js";
import { drawMessages, drawPlayBoard, isPersonsTurn } from "./play_board.js";
import { isHuman, stepsOf, type Play } from "./play_data.js";
import { look } from "./play_look.js";
import "./play_moves.js";
import "./play_seats.js";
import { PlaySession } from "./play_session.js";
import { PreferencesController } from "./preferences.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";
import type { Bot } from "./train_data.js";

@customElement("boardgym-othello-game")
export class OthelloGame extends LitElement {
  static override styles = [
    tokens,
    controls,
    look,
    othelloLook,
    css`
      .board {
        width: min(100%, 80vh);
      }
      boardgym-board::part(line),
      boardgym-board::part(notes),
      boardgym-board::part(moves) {
        display: none;
      }
      .score {
        display: flex;
        justify-content: space-between;
        flex-wrap: wrap;
        gap: 0.25rem 1rem;
        padding-top: 0.6rem;
        font-weight: 600;
        font-variant-numeric: tabular-nums;
      }
      .buttons {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: 0.5rem;
      }
    `,
  ];

  @property() playId = "";
  @state() private bots: Bot[] = [];
  private readonly session = new PlaySession(this);
  private readonly preferences = new PreferencesController(this);

  override connectedCallback(): void {
    super.connectedCallback();
    othelloBots().then(
      (bots) => (this.bots = bots),
      () => undefined, // the page's bar says that the studio is lost; nets are then called by their files
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("playId")) this.session.follow(this.playId);
  }

  protected override updated(): void {
    const { play } = this.session;
    if (play) showTitle(`Othello: ${play.state.status}`);
  }

  /** Machines that play each other wait from now on; the game itself is kept, and can go on in the room Play. */
  private async endGame(play: Play): Promise<void> {
    if (!play.is_over && !play.paused && !play.seats.some(isHuman)) await this.session.pause();
    location.hash = "#/othello/play";
  }

  override render() {
    const { session } = this;
    const { play, isGone, message } = session;
    if (isGone) {
      return html`<h1 tabindex="-1">This game is not here</h1>
        <p class="error" role="alert">${message}</p>
        <p><a class="button primary" href="#/othello/play">Start another game</a></p>`;
    }
    if (!play) return html`<p class="quiet">Loading the game…</p>`;
    const names = play.seats.map((seat) => nameOf(seat, this.bots));
    const { palette } = this.preferences;
    const steps = stepsOf(play).map((step) => ({ ...step, move: step.move.toUpperCase() }));
    return html`
      <h1 class="visually-hidden">Othello</h1>
      <div class="game">
        <div class="board">
          ${drawPlayBoard(play, session, { palette, names, isFlipped: false, typing: false })}
          ${this.renderScore(play)} ${drawMessages(play, session)}
        </div>
        <div class="side">
          <boardgym-play-seats
            class="card"
            .play=${play}
            .names=${names}
            palette=${palette}
          ></boardgym-play-seats>
          ${this.renderButtons(play)}
          <h2>Game History</h2>
          <boardgym-play-moves
            class="card"
            .steps=${steps}
            .seats=${play.game.seats}
            .shown=${session.shownIndex}
            @show=${(event: CustomEvent<number>) => session.show(event.detail)}
          ></boardgym-play-moves>
        </div>
      </div>
    `;
  }

  /** The discs at the left, at the right who is to play or has won. */
  private renderScore(play: Play) {
    const shown = this.session.shown ?? play.state;
    const count = (seat: number): number => shown.pieces.filter((piece) => piece?.colour === seat).length;
    const discs = play.game.seats.map((name, seat) => `${name} ${count(seat)}`);
    return html`<div class="score">
      <span>${discs.join(" · ")}</span><span>${shown.status}</span>
    </div>`;
  }

  private renderButtons(play: Play) {
    const { session } = this;
    const only = play.state.actions.length === 1 ? play.state.actions[0] : undefined;
    const pass = only?.clicks.length === 0 && isPersonsTurn(play, session) ? only : undefined;
    return html`<div class="buttons">
      <button ?disabled=${!pass || session.isBusy} @click=${() => pass && session.move(pass.action)}>PASS</button>
      <button @click=${() => this.endGame(play)}>END GAME</button>
    </div>`;
  }
}
