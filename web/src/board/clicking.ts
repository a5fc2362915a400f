// What clicking places means: which actions the places clicked so far may still become. Nothing here draws.
import type { Action } from "../description.js";

export type Answer =
  | { kind: "chosen"; places: number[] } // more clicks are to follow; with no places, the choice is cleared
  | { kind: "play"; action: number }
  | { kind: "ask"; places: number[]; actions: Action[] } // all of them have these clicks; longer ones may still follow
  | { kind: "refused"; places: number[] };

const beginsWith = (way: number[], places: number[]): boolean =>
  way.length >= places.length && places.every((place, i) => way[i] === place);

/** The actions one of whose clicks begins with these places. */
export const candidates = (actions: Action[], places: number[]): Action[] =>
  actions.filter(({ clicks }) => clicks.some((way) => beginsWith(way, places)));

/** The actions that are whole with these places. */
export const complete = (actions: Action[], places: number[]): Action[] =>
  actions.filter(({ clicks }) => clicks.some((way) => way.length === places.length && beginsWith(way, places)));

/** The places that may be clicked next. */
export function nextPlaces(actions: Action[], places: number[]): Set<number> {
  const next = new Set<number>();
  for (const { clicks } of actions)
    for (const way of clicks) if (way.length > places.length && beginsWith(way, places)) next.add(way[places.length]!);
  return next;
}

/** The places where an action may end with the next click. */
export function lastPlaces(actions: Action[], places: number[]): Set<number> {
  const next = new Set<number>();
  for (const { clicks } of actions)
    for (const way of clicks) if (way.length === places.length + 1 && beginsWith(way, places)) next.add(way[places.length]!);
  return next;
}

/** What a click on a place does, after those on the chosen ones. */
export function click(actions: Action[], chosen: number[], place: number): Answer {
  const places = [...chosen, place];
  const found = candidates(actions, places);
  if (found.length === 0) return clickElsewhere(actions, chosen, place);
  const whole = complete(actions, places);
  if (whole.length === 0) return { kind: "chosen", places };
  if (whole.length === 1 && found.length === 1) return { kind: "play", action: whole[0]!.action };
  return { kind: "ask", places, actions: whole };
}

/** A click that leads on from nothing chosen: it ends the choice, or begins another, or is refused. */
function clickElsewhere(actions: Action[], chosen: number[], place: number): Answer {
  if (chosen.length > 0 && chosen.at(-1) === place) {
    const whole = complete(actions, chosen);
    if (whole.length === 1) return { kind: "play", action: whole[0]!.action }; // a second click says: no more
    return { kind: "chosen", places: [] };
  }
  if (chosen.length > 0 && candidates(actions, [place]).length > 0) return click(actions, [], place);
  return { kind: "refused", places: [...chosen, place] };
}

/** What a drag from a place to another does: two clicks, the first of which may have been made before. */
export function drag(actions: Action[], chosen: number[], from: number, to: number): Answer {
  if (chosen.at(-1) === from && candidates(actions, [...chosen, to]).length > 0) return click(actions, chosen, to);
  const first = click(actions, chosen.includes(from) ? [] : chosen, from);
  return first.kind === "chosen" || first.kind === "ask" ? click(actions, first.places, to) : first;
}

/** The actions that have no place, and get buttons. */
export const unplaced = (actions: Action[]): Action[] => actions.filter(({ clicks }) => clicks.length === 0);

/** The action that a typed move means: as written, or but for capitals and blanks; null where none does, or several do. */
export function typedAction(actions: Action[], text: string): Action | null {
  const plain = (move: string): string => move.toLowerCase().replace(/\s+/g, "");
  const exact = actions.filter(({ move }) => move === text.trim());
  const alike = exact.length > 0 ? exact : actions.filter(({ move }) => plain(move) === plain(text));
  return alike.length === 1 ? alike[0]! : null;
}
