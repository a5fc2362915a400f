import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOfPieces, neighbour, rowsOf } from "../src/board/cells.js";
import { stepsBetween } from "../src/board/motion.js";
import { movesOf, roundsOf } from "../src/board/movelist.js";
import { sayState } from "../src/board/saying.js";
import type { BoardState, GameDescription, Piece, Place } from "../src/description.js";

const SEATS = ["white", "black"];
const disc = (colour: number, label = ""): Piece => ({ kind: "disc", colour, label });
const place = (x: number, y: number, neighbours: Place["neighbours"]): Place => ({
  name: "",
  area: { kind: "rect", numbers: [] },
  middle: [x, y],
  neighbours,
});
const SQUARE = [place(0, 0, [-1, 1, 2, -1]), place(64, 3, [-1, -1, 3, 0]), place(0, 64, [0, 3, -1, -1]), place(64, 64, [1, -1, -1, 2])];

function after(ply: number, toPlay: number | null, moves: string[] = []): BoardState {
  const status = toPlay === null ? "white won" : `${SEATS[toPlay] ?? "chance"} to play`;
  const empty = { pieces: [], moved: [], winning: [], lines: [], notes: [], actions: [], outcome: null };
  return { fen: `${ply}`, ply, to_play: toPlay, status, last_move: moves.at(-1) ?? null, moves, ...empty };
}

test("what lies on a place, in words", () => {
  assert.equal(nameOfPieces([null, null], SEATS), "empty");
  assert.equal(nameOfPieces([disc(1)], SEATS), "black disc");
  assert.equal(nameOfPieces([disc(0), disc(0), null], SEATS), "2 white discs");
  assert.equal(nameOfPieces([disc(0), disc(0), disc(0, "7")], SEATS), "7 white discs"); // a stack's last says how many
  assert.equal(nameOfPieces([{ kind: "card", colour: 2, label: "K" }], SEATS), "card K");
  assert.equal(nameOfPieces([{ kind: "card", colour: 2, label: "" }], SEATS), "card");
  assert.equal(nameOfPieces([{ kind: "hole", colour: 0, label: "" }], SEATS), "white disc");
});

test("rows as they are drawn, turned too", () => {
  assert.deepEqual(rowsOf(SQUARE, { size: [64, 64], flipped: false }), [[0, 1], [2, 3]]);
  assert.deepEqual(rowsOf(SQUARE, { size: [64, 64], flipped: true }), [[3, 2], [1, 0]]);
});

test("keys lead to neighbours as they are seen", () => {
  const game = { places: SQUARE } as GameDescription;
  const rows = rowsOf(SQUARE, { size: [64, 64], flipped: false });
  assert.equal(neighbour(game, rows, 0, "ArrowRight", false), 1);
  assert.equal(neighbour(game, rows, 0, "ArrowUp", false), -1);
  assert.equal(neighbour(game, rows, 0, "ArrowUp", true), 2);
  assert.equal(neighbour(game, rows, 2, "End", false), 3);
  assert.equal(neighbour(game, rows, 2, "x", false), undefined);
});

test("the list of moves begins a row when the turn has gone round", () => {
  const moves = ["62", "8/2", "7/5", "51", "a", "b"]; // a roll, two moves of one seat, a roll, the other's
  const states = [-1, 0, 0, -1, 1, 0, null].map((seat, k) => after(k, seat, moves.slice(0, k)));
  const rounds = roundsOf(movesOf(states), 2);
  assert.deepEqual(
    rounds.map((round) => round.map((turn) => turn.map(({ move, seat, index }) => [move, seat, index]))),
    [[[["62", -1, 1], ["8/2", 0, 2], ["7/5", 0, 3]], [["51", -1, 4], ["a", 1, 5]]], [[["b", 0, 6]], []]],
  );
  assert.deepEqual(movesOf([after(0, 0)]), []);
  assert.deepEqual(roundsOf([], 2), []);
  const alone = [0, 0, null].map((seat, k) => after(k, seat, ["a", "b"].slice(0, k)));
  assert.equal(roundsOf(movesOf(alone), 1).length, 2);
  const second = roundsOf([{ index: 1, move: "a", seat: 1 }], 2); // a game that begins with the second seat
  assert.deepEqual(second.map((round) => round.map(({ length }) => length)), [[0, 1]]);
});

test("what is said of a move", () => {
  assert.equal(sayState(after(0, 0), after(1, 1, ["d3"])), "d3; black to play");
  assert.equal(sayState(after(1, 1, ["d3"]), after(3, 1, ["d3", "c3", "pass"])), "c3, pass; black to play");
  assert.equal(sayState(after(1, 1), after(1, 1)), null);
});

test("pieces glide from where one of their kind has left", () => {
  const spots: [number, number][] = [[0, 0], [64, 0], [128, 0]];
  assert.deepEqual(stepsBetween(spots, [disc(0), null, null], [null, null, disc(0)]), [{ from: 0, to: 2 }]);
  assert.deepEqual(stepsBetween(spots, [disc(0), disc(0), null], [null, disc(0), disc(0)]), [{ from: 0, to: 2 }]);
  assert.deepEqual(stepsBetween(spots, [null, null, null], [disc(1), null, null]), []);
  assert.deepEqual(stepsBetween(spots, [disc(0), null, null], [disc(1), null, null]), []); // turned, not moved
});
