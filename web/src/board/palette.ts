// Colours by role. Each is the CSS custom property --boardgym-ROLE where a page sets it, else the game's own.
import type { GameDescription } from "../description.js";

export const DARK = "#22252a";
export const LIGHT = "#ffffff";
export const MARK = "var(--boardgym-mark, #e8543f)"; // of the last move
export const HINT = "var(--boardgym-hint, #7a3ff2)";
export const COLOUR_BLIND = "colour-blind";

type Rgb = [number, number, number];
const VIVID = [ // by Okabe and Ito, told apart by nearly all: for most boards, and for blue ones
  ["#0072b2", "#e69f00", "#cc79a7", "#f0e442"],
  ["#d55e00", "#f0e442", "#cc79a7", "#e69f00"],
];
const FAR = 100; // between colours that are told apart, in steps of red, green and blue
const BAD: Rgb = [0xc0, 0x39, 0x2b];
const EVEN: Rgb = [0xc9, 0xcc, 0xd1];
const GOOD: Rgb = [0x1e, 0x84, 0x49];
const BAD_BLIND: Rgb = [0xd5, 0x5e, 0x00];
const GOOD_BLIND: Rgb = [0x00, 0x72, 0xb2];

function rgb(colour: string): Rgb | null {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  return found ? [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)] : null;
}

function brightness(colour: string): number {
  const [red, green, blue] = rgb(colour) ?? [255, 255, 255];
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** A colour that can be read on another. */
export const inkOn = (colour: string): string => (brightness(colour) > 140 ? DARK : LIGHT);

function distance(one: string, other: string): number {
  const [a, b] = [rgb(one) ?? [0, 0, 0], rgb(other) ?? [0, 0, 0]];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function isVivid(colour: string): boolean {
  const parts = rgb(colour);
  return parts !== null && Math.max(...parts) - Math.min(...parts) > 70;
}

/** Colours from red at -1 over grey to green at 1; for the colour-blind from orange to blue. */
export function valueColour(share: number, palette: string): string {
  const isBlind = palette === COLOUR_BLIND;
  const end = share > 0 ? (isBlind ? GOOD_BLIND : GOOD) : isBlind ? BAD_BLIND : BAD;
  const weight = Math.min(Math.abs(share), 1);
  const mixed = EVEN.map((middle, i) => Math.round(middle + (end[i]! - middle) * weight));
  return "#" + mixed.map((part) => part.toString(16).padStart(2, "0")).join("");
}

const property = (role: string): string => `--boardgym-${role.replace(/[^a-z0-9-]/gi, "-")}`;

export class Palette {
  private readonly paints = new Map<string, string>();
  private readonly vivid: string[];

  constructor(
    private readonly game: GameDescription,
    readonly name: string,
  ) {
    const board = game.palette["board"] ?? "";
    this.vivid = VIVID.find((colours) => colours.slice(0, game.seats.length).every((colour) => distance(colour, board) > FAR)) ?? VIVID[0]!;
  }

  /** The game's colour of a role, #rrggbb in most games. */
  colour(role: string): string {
    const own = this.game.palette[role] ?? "#808080";
    if (this.name === COLOUR_BLIND && role.startsWith("piece-") && isVivid(own) && this.isOfSeats(role))
      return this.vivid[Number(role.slice(6)) % this.vivid.length]!;
    return CSS.supports("color", own) ? own : "#808080";
  }

  /** What fill and stroke take: a role's property with the game's colour behind it. */
  paint(role: string): string {
    if (role === "none") return role;
    let paint = this.paints.get(role);
    if (paint === undefined) {
      paint = `var(${property(role)}, ${this.inBothSchemes(role)})`;
      this.paints.set(role, paint);
    }
    return paint;
  }

  /** The colour of a text beside the board: bright in the dark. */
  ink(role: string): string {
    const colour = this.colour(role);
    return `var(${property(role)}, light-dark(${colour}, oklch(from ${colour} max(l, 0.7) c h)))`;
  }

  private isOfSeats(role: string): boolean {
    return Number(role.slice(6)) < this.game.seats.length;
  }

  /** In the dark, white boards are dark where their pieces can be seen on it. */
  private inBothSchemes(role: string): string {
    const colour = this.colour(role);
    const isPiece = role.startsWith("piece-");
    if (isPiece || brightness(colour) < 225 || !this.hasBrightPieces()) return colour;
    return `light-dark(${colour}, oklch(from ${colour} 0.29 calc(c * 0.7) h))`;
  }

  private hasBrightPieces(): boolean {
    const roles = Object.keys(this.game.palette).filter((role) => role.startsWith("piece-"));
    return roles.every((role) => brightness(this.colour(role)) > 60);
  }
}
