// A game whose places are its spots: to set a position up, each spot must be clickable, also where people click columns to play.
import type { GameDescription, Place } from "./description.js";

const RADIUS = 28; // units, of a spot to click
const ASIDE = 2; // what a step aside costs, one ahead being 1

const isOnePlaceASpot = (game: GameDescription): boolean =>
  game.places.length === game.spots.length && game.place_of_spot.every((place, spot) => place === spot);

export function withSpotsAsPlaces(game: GameDescription): GameDescription {
  if (isOnePlaceASpot(game)) return game;
  const places = game.spots.map((middle, spot): Place => {
    const column = game.places[game.place_of_spot[spot] ?? -1]?.name ?? "";
    return {
      name: `${column} spot ${spot + 1}`.trim(),
      area: { kind: "circle", numbers: [...middle, RADIUS] },
      middle,
      neighbours: [nearest(game, spot, 0, -1), nearest(game, spot, 1, 0), nearest(game, spot, 0, 1), nearest(game, spot, -1, 0)],
    };
  });
  return { ...game, places, place_of_spot: game.spots.map((_, spot) => spot) };
}

/** The spot that lies nearest in a direction; -1 if there is none. */
function nearest(game: GameDescription, from: number, across: number, down: number): number {
  const [x, y] = game.spots[from] ?? [0, 0];
  let best = -1;
  let least = Infinity;
  for (const [spot, [otherX, otherY]] of game.spots.entries()) {
    const ahead = (otherX - x) * across + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down - (otherY - y) * across);
    if (ahead > 0 && aside <= ahead && ahead + ASIDE * aside < least) [best, least] = [spot, ahead + ASIDE * aside];
  }
  return best;
}
