// How the board and what stands around it look.
import { css } from "lit";

export const look = css`
  :host { display: block; position: relative; max-width: 100%; --hint: var(--boardgym-hint, #7a3ff2); }
  :host([hidden]) { display: none; }
  .frame { position: relative; }
  .board { display: block; max-width: 100%; height: auto; max-height: var(--boardgym-board-height, 80vh); font: 600 16px system-ui, sans-serif;
    user-select: none; -webkit-user-select: none; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
  .drags { touch-action: none; }
  text { font-variant-numeric: tabular-nums; }
  .label { font-weight: 500; }
  .under, .over { pointer-events: none; }
  .mark { fill: none; stroke-width: 7.5; stroke-linecap: round; stroke-linejoin: round; }
  .edge { stroke: #000; stroke-opacity: 0.35; stroke-width: 2; }
  .groove { fill: none; stroke: #808080; stroke-opacity: 0.28; stroke-width: 2.5; }
  .face { stroke: #3c3f45; stroke-width: 1.5; }
  .face:not([fill]) { fill: #fdfcf8; }
  .back { fill: none; stroke: #fff; stroke-opacity: 0.7; stroke-width: 2; }
  .can { fill: none; stroke: var(--hint); stroke-width: 2.5; stroke-opacity: 0.55; }
  .lifted { opacity: 0.3; }
  .cell { outline: none; }
  .area { fill: transparent; stroke: none; }
  .acts .cell { cursor: pointer; }
  .acts .cell.next:hover .area { fill: var(--hint); fill-opacity: 0.16; }
  .cell.chosen .area { fill: var(--hint); fill-opacity: 0.3; }
  .cell.aimed .area { fill: var(--hint); fill-opacity: 0.3; }
  .cell:focus-visible .area { stroke: var(--hint); stroke-width: 4; stroke-opacity: 1; }
  .line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 0.9em; min-height: 2.2em; padding: 0.4em 0 0; }
  .status { display: flex; align-items: center; gap: 0.5em; font-weight: 600; margin: 0; }
  .seat { width: 0.85em; height: 0.85em; flex: none; overflow: visible; }
  .seat circle { stroke: light-dark(#0007, #fff9); stroke-width: 1.5; }
  .notes { margin: 0; color: light-dark(#5b6169, #a3aab4); display: flex; flex-wrap: wrap; gap: 0 1em; }
  .moves { display: flex; flex-wrap: wrap; gap: 0.4em; padding: 0.5em 0 0; max-height: 14em; overflow: auto; }
  button, input { font: inherit; color: inherit; border: 1px solid light-dark(#c3c7ce, #4a505a); border-radius: 6px;
    background: light-dark(#fff, #22252b); padding: 0.35em 0.75em; min-height: 2.3em; box-sizing: border-box; }
  button { cursor: pointer; }
  button:hover { border-color: var(--hint); }
  button:focus-visible, input:focus-visible { outline: 2px solid var(--hint); outline-offset: 1px; }
  .move .value { margin-left: 0.5em; font-variant-numeric: tabular-nums; color: light-dark(#5b6169, #a3aab4); }
  .typed { margin-left: auto; display: flex; }
  .typed input { width: 8.5em; }
  .chooser { position: absolute; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; max-width: 90%;
    padding: 0.5em; border-radius: 8px; background: light-dark(#fff, #2b2f36); box-shadow: 0 2px 14px #0006; }
  .said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .blank { margin: 0; padding: 2em 1em; text-align: center; overflow-wrap: anywhere; border-radius: 8px;
    background: light-dark(#f3f4f6, #22252b); font-family: ui-monospace, monospace; }
`;
