// What the forms of learners hold.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FormField } from "../src/train_data.js";
import { ofFields, withValue } from "../src/train_groups.js";

const field = (name: string, change: Partial<FormField> = {}): FormField => ({
  name,
  label: "",
  kind: "int",
  item: "",
  default: 1,
  is_optional: false,
  choices: [],
  labels: [],
  count: 0,
  help: "",
  group: "Method",
  redraws: false,
  is_policy: false,
  ...change,
});

test("a form that is filled as an older bot was leaves out what it has no field for", () => {
  assert.deepEqual(ofFields({ games: 5, judges: ["random"] }, [field("games"), field("seed")]), { games: 5 });
});

test("a value as the form shows it at first is none that was given", () => {
  assert.deepEqual(withValue({ games: 5, seed: 2 }, field("games"), 1), { seed: 2 });
  assert.deepEqual(withValue({}, field("game", { redraws: true }), 1), { game: 1 });
});
