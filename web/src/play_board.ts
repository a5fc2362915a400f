// The board of a game in progress with what is said of it below: shared by the rooms in which games are played.
import { html, nothing } from "lit";
import "./board.js";
import { isHuman, nameOfSeat, type Play } from "./play_data.js";
import type { PlaySession } from "./play_session.js";

export interface BoardLook {
  palette: string;
  isFlipped: boolean;
  typing?: boolean; // whether moves may be typed
  names?: string[]; // of the seats, in place of those that they have of themselves
}

/** Whether a person is to move on the position that is shown. */
export const isPersonsTurn = (play: Play, session: PlaySession): boolean =>
  !play.is_over && !session.isPast && isHuman(play.seats[play.state.to_play ?? -1]);

export function drawPlayBoard(play: Play, session: PlaySession, { palette, isFlipped, typing = true, names = [] }: BoardLook) {
  const isMine = isPersonsTurn(play, session);
  return html`
    <boardgym-board
      palette=${palette}
      .game=${play.game}
      .state=${session.shown}
      .interactive=${isMine}
      .showLegal=${isMine}
      .flipped=${isFlipped}
      .typing=${typing}
      .arrows=${session.hint && !session.isPast ? [session.hint.action] : []}
      @play=${(event: CustomEvent<{ action: number }>) => session.move(event.detail.action)}
      @refused=${(event: CustomEvent<{ places: number[]; text?: string }>) => refused(session, event.detail)}
      @pick=${() => notYours(play, session, names)}
    ></boardgym-board>
    ${session.isPast
      ? html`<div class="past" role="status">
          <span>After ${session.shownIndex} of ${play.state.moves.length} moves.</span>
          <button @click=${() => session.show(play.state.moves.length)}>Back to the game</button>
        </div>`
      : nothing}
  `;
}

function refused(session: PlaySession, { places, text }: { places: number[]; text?: string }): void {
  if (places.length > 0) void session.askWhy(places);
  else session.say(`“${text ?? ""}” is no legal move here.`);
}

function notYours(play: Play, session: PlaySession, names: string[]): void {
  const seat = play.state.to_play ?? -1;
  if (session.isPast) session.say("This is an earlier position. Go back to the game to play on.");
  else if (play.is_over) session.say("The game is over.");
  else session.say(`It is the turn of ${names[seat] || nameOfSeat(play, seat)}.`);
}

/** Why the last request did nothing, what a policy did wrong, and the hint. */
export function drawMessages(play: Play, session: PlaySession) {
  const { hint, message, isPast } = session;
  return html`
    <div role="alert">
      ${message ? html`<p class="error">${message}</p>` : nothing}
      ${play.message ? drawFailure(play, session) : nothing}
    </div>
    <div role="status">${hint && !isPast ? html`<p class="hint">Hint: <b>${hint.move}</b></p>` : nothing}</div>
  `;
}

/** What a policy did wrong, and how to go on. */
function drawFailure(play: Play, session: PlaySession) {
  const seat = play.state.to_play ?? -1;
  const isStuck = !play.is_over && play.seats[seat]?.kind === "policy";
  return html`<div class="error">
    <p>${play.message}</p>
    ${isStuck
      ? html`<form class="row" @submit=${(event: SubmitEvent) => replace(event, session, seat)}>
          <button type="button" ?disabled=${session.isBusy} @click=${session.askAgain}>Ask it again</button>
          <button type="button" ?disabled=${session.isBusy} @click=${() => session.replace(seat, { kind: "human", spec: "" })}>
            Take the seat yourself
          </button>
          <input class="mono" name="spec" value="greedy" maxlength="200" required aria-label="Another policy" />
          <button ?disabled=${session.isBusy}>Let this play</button>
        </form>`
      : nothing}
  </div>`;
}

function replace(event: SubmitEvent, session: PlaySession, seat: number): void {
  event.preventDefault();
  const spec = String(new FormData(event.target as HTMLFormElement).get("spec") ?? "").trim();
  void session.replace(seat, { kind: "policy", spec });
}
