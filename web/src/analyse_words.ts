// Values in words and numbers.
import type { Found, MoveRow } from "./analyse_data.js";
import { valueText as shownValue } from "./board/overlays.js";

const MINUS = "−";

/** A value with its sign, as the board shows it; a dash where there is none. */
export const valueText = (value: number | null | undefined): string => (value == null ? "–" : shownValue(value));

/** A proven value in words. distance: plies to the end of the game. */
export function exactText({ value, distance, score }: MoveRow): string {
  if (value === null) return "–";
  const how = value === 1 ? "wins" : value === -1 ? "loses" : value === 0 ? "draws" : valueText(value);
  const when = distance && value !== 0 ? ` in ${distance}` : "";
  return `${how}${when}${score !== null && score !== undefined && value !== 0 ? ` (${signed(score)})` : ""}`;
}

export const signed = (number: number): string => (number > 0 ? `+${number}` : number < 0 ? `${MINUS}${-number}` : "0");

/** 1,234,567 as 1.2 M. */
export function countText(count: number): string {
  if (count < 10_000) return count.toLocaleString("en");
  return count < 1_000_000 ? `${(count / 1000).toFixed(0)} k` : `${(count / 1_000_000).toFixed(1)} M`;
}

/** What a search has done so far. */
export function effort(found: Found): string {
  const parts = [found.depth > 0 ? `depth ${found.depth}` : "", found.nodes > 0 ? `${countText(found.nodes)} nodes` : ""];
  return [...parts, `${found.elapsed.toFixed(1)} s`].filter(Boolean).join(" · ");
}

/** What the board shows on each action: a solver's scores if it tells them for all moves, else values. */
export function boardValues(found: Found): Record<number, number> {
  const hasScores = found.moves.every(({ score }) => score !== null && score !== undefined);
  const values: Record<number, number> = {};
  for (const { action, value, score } of found.moves) {
    const shown = hasScores ? score : value;
    if (shown !== null && shown !== undefined) values[action] = shown;
  }
  return values;
}
