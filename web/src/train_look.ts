// What the room Train shares: the state of a bot as a chip, how far it has come as a bar.
import { css, html, nothing } from "lit";
import { amount, count } from "./numbers.js";
import { STATES, type Bot } from "./train_data.js";

export const look = css`
  .chip {
    display: inline-block;
    border-radius: 99px;
    padding: 0.1rem 0.6rem;
    font-size: 0.85rem;
    font-weight: 600;
    background: var(--surface);
    border: 1px solid var(--edge);
    white-space: nowrap;
  }
  .chip.training {
    background: var(--tint);
    border-color: var(--accent);
    color: var(--accent);
  }
  .chip.finished {
    color: var(--good);
    border-color: var(--good);
  }
  .chip.failed {
    color: var(--bad);
    border-color: var(--bad);
    background: var(--bad-tint);
  }
  progress {
    display: block;
    width: 100%;
    height: 0.5rem;
    margin: 0.35rem 0;
    accent-color: var(--accent);
    border: 0;
    border-radius: 99px;
    overflow: hidden;
    background: var(--edge);
  }
  progress::-webkit-progress-bar {
    background: var(--edge);
  }
  progress::-webkit-progress-value {
    background: var(--accent);
  }
  progress::-moz-progress-bar {
    background: var(--accent);
  }
`;

export const chip = (bot: Bot) => html`<span class="chip ${bot.state}">${STATES[bot.state]}</span>`;

export function progressBar({ progress, name, state }: Bot) {
  if (!progress || state === "uploaded") return nothing;
  return html`<progress
    aria-label="How far ${name} has come"
    max=${Math.max(progress.total, 1)}
    value=${progress.done}
  ></progress>`;
}

export function howFar({ progress, state }: Bot): string {
  if (!progress) return state === "training" ? "starting…" : "";
  const { done, total, unit, size } = progress;
  const reached = total > done ? `${count(done)} of ${amount(total, unit)}` : amount(done, unit);
  return `${reached}${size ? ` · ${size}` : ""}`;
}
