// The board and the replay as widgets of a notebook, in the form that anywidget asks for: boardgym/web/widget.py is their other side.
import { restore } from "./widget_once.js";
import "./replay.js";
import { type PackedReplay, unpack } from "./board/packed.js";
import type { BoardState } from "./description.js";

restore();

/** What is used of anywidget's model. */
interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: object): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

const BOARD = ["game", "state", "interactive", "flipped", "palette", "values", "arrows"];
const REPLAY = ["index", "flipped", "palette"];

/** Shows a widget. Returns what ends that. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const replay = model.get("replay") as PackedReplay | undefined;
  const element = document.createElement(replay ? "boardgym-replay" : "boardgym-board");
  const names = replay ? REPLAY : BOARD;
  if (replay) Object.assign(element, unpack(replay));
  const follow = (): void => {
    for (const name of names) Object.assign(element, { [name]: model.get(name) });
  };
  follow();
  element.addEventListener("play", (event) => {
    const { action } = (event as CustomEvent<{ action: number }>).detail;
    model.send({ action, ply: (model.get("state") as BoardState).ply });
  });
  element.addEventListener("step", (event) => {
    model.set("index", (event as CustomEvent<{ index: number }>).detail.index);
    model.save_changes();
  });
  for (const name of names) model.on(`change:${name}`, follow);
  el.append(element);
  return () => {
    for (const name of names) model.off(`change:${name}`, follow);
    element.remove();
  };
}

export default { render };
