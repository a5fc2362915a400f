// <boardgym-play-game>: a game in progress, or one that is over: the board, who plays, the moves, and what one can do.
import { LitElement, html, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "./play_actions.js";
import { drawMessages, drawPlayBoard } from "./play_board.js";
import { botNames, isHuman, stepsOf, trainedAgents, type Play, type TrainedAgent } from "./play_data.js";
import { look } from "./play_look.js";
import "./play_moves.js";
import { PlaySession } from "./play_session.js";
import "./play_seats.js";
import { PreferencesController } from "./preferences.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";

@customElement("boardgym-play-game")
export class PlayGame extends LitElement {
  static override styles = [tokens, controls, look];

  @property() playId = "";
  @state() private bots: TrainedAgent[] = [];
  @state() private flipped?: boolean; // undefined: seen from the seat of the only person
  private readonly session = new PlaySession(this);
  private readonly preferences = new PreferencesController(this);

  override connectedCallback(): void {
    super.connectedCallback();
    trainedAgents().then(
      (bots) => (this.bots = bots),
      () => undefined, // the page's bar says that the studio is lost; bots are then called by their files
    );
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("playId")) return;
    this.flipped = undefined;
    this.session.follow(this.playId);
  }

  protected override updated(): void {
    const { play } = this.session;
    if (play) showTitle(`${play.game.title}: ${play.state.status}`);
  }

  override render() {
    const { play, isGone, message } = this.session;
    if (isGone) {
      return html`<h1 tabindex="-1">This game is not here</h1>
        <p class="error" role="alert">${message}</p>
        <p><a class="button primary" href="#/play">Start another game</a></p>`;
    }
    if (!play) return html`<p class="quiet">Loading the game…</p>`;
    const names = botNames(play.seats, this.bots);
    const { palette } = this.preferences;
    return html`
      <h1 class="visually-hidden">${play.game.title}</h1>
      <div class="game">
        <div class="board">
          ${drawPlayBoard(play, this.session, { palette, names, isFlipped: this.isFlipped(play) })}
          ${drawMessages(play, this.session)}
        </div>
        <div class="side">
          <boardgym-play-seats class="card" .play=${play} .names=${names} palette=${palette}></boardgym-play-seats>
          <boardgym-play-moves
            class="card"
            .steps=${stepsOf(play)}
            .seats=${play.game.seats}
            .shown=${this.session.shownIndex}
            @show=${(event: CustomEvent<number>) => this.session.show(event.detail)}
          ></boardgym-play-moves>
          <boardgym-play-actions
            .play=${play}
            .session=${this.session}
            .busy=${this.session.isBusy}
            .shown=${this.session.shownIndex}
            @flip=${() => (this.flipped = !this.isFlipped(play))}
          ></boardgym-play-actions>
        </div>
      </div>
    `;
  }

  private isFlipped(play: Play): boolean {
    if (this.flipped !== undefined) return this.flipped;
    const people = play.seats.map(isHuman);
    return people.length === 2 && people[1] === true && people[0] === false;
  }
}
