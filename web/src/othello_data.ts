// What the Othello program is about: its players, its networks, and how these are tested.
import { css } from "lit";
import { get } from "./api.js";
import { botNames, isHuman, specOfAgent, type Seat } from "./play_data.js";
import type { Bot, BotList, Given, TestPlan } from "./train_data.js";

export const GAME = "Othello-v0";
export const LEARNER = "q-network";

/** The benchmark players of the study, and its games against them: one from each of the openings, by colour. */
export const PLAYERS = { positional: "Positional player", mobility: "Mobility player" };
export const TESTS: TestPlan = { opponents: Object.keys(PLAYERS), openings: "openings-244", games: 488 };

/** The networks of the study, as the learner's settings have them; what else it sets is as the learner has it by itself. */
export const NETWORKS: { name: string; help: string; given: Given }[] = [
  { name: "Single-NN", help: "One network for each colour, with an output for each square.", given: { form: "single" } },
  { name: "Multi-NN", help: "64 networks for each colour, one for each square.", given: { form: "multi", hidden: 36 } },
];

const HUMAN = "human";
const NET = "net:"; // before the id of a bot

/** Whom a select of players has: "human", the spec of a benchmark player, or a saved net. */
export type Player = string;
export const human: Player = HUMAN;
export const playerOf = ({ id }: Pick<Bot, "id">): Player => NET + id;

export async function seatOf(player: Player): Promise<Seat> {
  if (player === HUMAN) return { kind: "human", spec: "" };
  return { kind: "policy", spec: player.startsWith(NET) ? await specOfAgent(player.slice(NET.length)) : player };
}

/** The bots that play Othello on the usual board; those that have learnt something are nets to play against. */
export async function othelloBots(): Promise<Bot[]> {
  const { bots } = await get<BotList>("/bots");
  return bots.filter(({ game, options }) => game === GAME && options["size"] === 8);
}

/** What a seat is called. bots: those that may sit there. */
export function nameOf(seat: Seat, bots: Bot[]): string {
  if (isHuman(seat)) return "Human";
  return botNames([seat], bots)[0] || ((PLAYERS as Record<string, string>)[seat.spec] ?? seat.spec);
}

/** The legal moves are small blue circles, as in the study's program. */
export const othelloLook = css`
  boardgym-board {
    display: block;
    --boardgym-hint: light-dark(#1a4fd6, #2f6bff);
  }
`;
