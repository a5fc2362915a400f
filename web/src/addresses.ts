// Addresses of rooms with a game: its rules, and what the room reads beside them.
import type { Options } from "./play_data.js";

/** The name of a game without its version, as addresses have it. */
export const shortName = (game: string): string => game.replace(/-v\d+$/, "");

/** A room with a game. values: more of its address; empty ones are left out. */
export function roomAddress(room: "play" | "analyse", game: string, options: Options, values: Record<string, string>): string {
  const query = new URLSearchParams({ game: shortName(game) });
  for (const [name, value] of Object.entries(options)) query.append("option", `${name}=${value}`);
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
  return `#/${room}?${query}`;
}
