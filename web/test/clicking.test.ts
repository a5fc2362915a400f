import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, click, drag, lastPlaces, nextPlaces, typedAction, unplaced } from "../src/board/clicking.js";
import type { Action } from "../src/description.js";

const action = (number: number, move: string, ...clicks: number[][]): Action => ({ action: number, move, clicks });

const PLACING = [action(0, "a1", [0]), action(3, "b1", [3])];
const MOVING = [action(1, "a-b", [0, 1]), action(2, "a-c", [0, 2]), action(5, "d-b", [3, 1])];
const MILL = [action(7, "a-b x e", [0, 1, 4]), action(8, "a-b x f", [0, 1, 5]), action(9, "a-c", [0, 2])];
const DICE = [action(1, "2/off", [2, 9]), action(6, "2/off:6", [2, 9]), action(4, "3/2", [3, 2])];

test("one click plays what has one place", () => {
  assert.deepEqual(click(PLACING, [], 3), { kind: "play", action: 3 });
});

test("a click that begins no action is refused, and says which places", () => {
  assert.deepEqual(click(PLACING, [], 7), { kind: "refused", places: [7] });
  assert.deepEqual(click(MOVING, [0], 7), { kind: "refused", places: [0, 7] });
});

test("two clicks play from place to place", () => {
  assert.deepEqual(click(MOVING, [], 0), { kind: "chosen", places: [0] });
  assert.deepEqual(click(MOVING, [0], 2), { kind: "play", action: 2 });
});

test("a click on another piece that may move chooses that one", () => {
  assert.deepEqual(click(MOVING, [0], 3), { kind: "chosen", places: [3] });
});

test("a click on the chosen place ends the choice", () => {
  assert.deepEqual(click(MOVING, [0], 0), { kind: "chosen", places: [] });
});

test("a removal is a third click", () => {
  assert.deepEqual(click(MILL, [0], 1), { kind: "chosen", places: [0, 1] });
  assert.deepEqual(click(MILL, [0, 1], 5), { kind: "play", action: 8 });
  assert.deepEqual(click(MILL, [0, 1], 6), { kind: "refused", places: [0, 1, 6] });
});

test("actions with the same clicks are asked for", () => {
  assert.deepEqual(click(DICE, [2], 9), { kind: "ask", places: [2, 9], actions: [DICE[0], DICE[1]] });
});

test("what is whole but may go on is asked for, and a second click plays it", () => {
  const longer = [action(1, "one", [0, 1]), action(2, "two", [0, 1, 2])];
  assert.deepEqual(click(longer, [0], 1), { kind: "ask", places: [0, 1], actions: [longer[0]] });
  assert.deepEqual(click(longer, [0, 1], 1), { kind: "play", action: 1 });
  assert.deepEqual(click(longer, [0, 1], 2), { kind: "play", action: 2 });
});

test("an action may be clicked in several ways", () => {
  const line = [action(1, "a1b2", [0, 1, 2], [1, 0, 2])];
  assert.deepEqual(click(line, [1, 0], 2), { kind: "play", action: 1 });
  assert.deepEqual([...nextPlaces(line, [])], [0, 1]);
});

test("a drag is two clicks, the first of which may have been made", () => {
  assert.deepEqual(drag(MOVING, [], 0, 1), { kind: "play", action: 1 });
  assert.deepEqual(drag(MOVING, [0], 0, 1), { kind: "play", action: 1 });
  assert.deepEqual(drag(MOVING, [3], 0, 1), { kind: "play", action: 1 });
  assert.deepEqual(drag(MOVING, [], 0, 6), { kind: "refused", places: [0, 6] });
  assert.deepEqual(drag(MOVING, [], 6, 0), { kind: "refused", places: [6] });
  assert.deepEqual(drag(MILL, [], 0, 1), { kind: "chosen", places: [0, 1] });
});

test("a drag after clicks goes on from the last of them", () => {
  const long = [action(1, "abc", [0, 1, 2])];
  assert.deepEqual(drag(long, [0, 1], 1, 2), { kind: "play", action: 1 });
});

test("next places, and those where a move may end", () => {
  assert.deepEqual([...nextPlaces(MILL, [])], [0]);
  assert.deepEqual([...lastPlaces(MILL, [])], []);
  assert.deepEqual([...nextPlaces(MILL, [0])], [1, 2]);
  assert.deepEqual([...lastPlaces(MILL, [0])], [2]);
  assert.deepEqual(candidates(MILL, [0, 1]), MILL.slice(0, 2));
});

test("what has no place gets a button, and no click plays it", () => {
  const pass = action(60, "pass");
  assert.deepEqual(unplaced([...PLACING, pass]), [pass]);
  assert.deepEqual(click([pass], [], 0), { kind: "refused", places: [0] });
});

test("typed moves", () => {
  const moves = [action(1, "d3", [0]), action(2, "D3", [1]), action(3, "2/off", [2]), action(4, "a1 b2", [3])];
  assert.equal(typedAction(moves, " d3 ")?.action, 1);
  assert.equal(typedAction(moves, "2/OFF")?.action, 3);
  assert.equal(typedAction(moves, "A1B2")?.action, 4);
  assert.equal(typedAction(moves, "e9"), null);
  assert.equal(typedAction(moves.slice(0, 2), "D 3"), null); // either could be meant
});
