// Where two recorded games part.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parting, type Course } from "../src/games_parting.js";

const game = (moves: string[], change: Partial<Course> = {}): Course => ({
  game: "TicTacToe-v0",
  options: {},
  start: "3/3/3 x",
  moves,
  ...change,
});

const whole = game(["b2", "a1", "c3"]);

test("the first ply that differs is named", () => {
  assert.deepEqual(parting(whole, game(["b2", "a1", "c1"])), [2, "They part at ply 3: c3 in the first game, c1 in the second."]);
});

test("a game may end where the other one goes on", () => {
  assert.deepEqual(parting(whole, game(["b2"])), [1, "The second game ends where the first goes on: a1 at ply 2."]);
  assert.deepEqual(parting(game([]), whole), [0, "The first game ends where the second goes on: b2 at ply 1."]);
  assert.deepEqual(parting(whole, whole), [3, "All moves of these games are the same."]);
});

test("games of other rules or positions have no moves in common", () => {
  assert.equal(parting(whole, game(["b2"], { options: { size: 4 } }))[1], "These games have different rules.");
  assert.equal(parting(whole, game(["b2"], { start: "x2/3/3 o" }))[1], "These games begin from different positions.");
});
