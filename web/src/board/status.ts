// The line below the board: who is to play or has won.
import { html, nothing, svg, type TemplateResult } from "lit";
import type { BoardState, GameDescription } from "../description.js";
import type { Palette } from "./palette.js";

/** The seat to play, or the one that has won; -1 for chance, a draw and several winners. */
export function seatOf({ outcome, to_play }: BoardState): number {
  if (!outcome) return to_play ?? -1;
  const best = Math.max(...outcome.returns);
  const winners = outcome.returns.flatMap((pay, seat) => (pay === best ? [seat] : []));
  return winners.length === 1 ? winners[0]! : -1;
}

export function drawStatus(game: GameDescription, state: BoardState, palette: Palette): TemplateResult {
  const role = `piece-${seatOf(state)}`;
  const disc = svg`<circle cx="8" cy="8" r="7" fill=${palette.paint(role)} />`;
  return html`<p class="status" part="status">
    ${role in game.palette ? html`<svg class="seat" viewBox="0 0 16 16" aria-hidden="true">${disc}</svg>` : nothing}
    <span>${state.status}</span>
  </p>`;
}
