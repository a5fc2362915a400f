// From a description's units to the picture's: the same, or turned by half a circle, with texts left upright.
import type { GameDescription } from "../description.js";

export type Point = [number, number];

export interface Frame {
  size: Point;
  flipped: boolean;
}

export const frameOf = (game: GameDescription, flipped: boolean): Frame => ({ size: game.size, flipped });

export function point({ size, flipped }: Frame, x: number, y: number): Point {
  return flipped ? [size[0] - x, size[1] - y] : [x, y];
}

/** Numbers x, y, x, y, ... as "x,y x,y". */
export function points(frame: Frame, numbers: number[]): string {
  const found: string[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) found.push(point(frame, numbers[i]!, numbers[i + 1]!).join(","));
  return found.join(" ");
}

/** The left upper corner of a rectangle. */
export function corner(frame: Frame, x: number, y: number, width: number, height: number): Point {
  return frame.flipped ? point(frame, x + width, y + height) : [x, y];
}

/** The direction from one point to another, of length 1. */
export function towards([x, y]: Point, [toX, toY]: Point): Point {
  const length = Math.hypot(toX - x, toY - y) || 1;
  return [(toX - x) / length, (toY - y) / length];
}
