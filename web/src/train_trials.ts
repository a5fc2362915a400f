// <boardgym-trials>: the study's tests of a bot, and the verdict.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { count, percent } from "./numbers.js";
import { controls, tokens } from "./style.js";
import type { Bot, Figure } from "./train_data.js";

const TESTS: Record<string, string> = {
  random: "Random: both play at random",
  clone: "Clone: it plays against itself",
  base: "Base: fixed replies",
};

@customElement("boardgym-trials")
export class TrialsElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .verdict {
        font-size: 1.6rem;
        font-weight: 700;
        line-height: 1.2;
      }
      .Invincible,
      .Strong {
        color: var(--good);
      }
      .Weak {
        color: var(--bad);
      }
      .wide {
        overflow-x: auto;
        margin-bottom: 0.6rem;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
      }
      th,
      td {
        text-align: right;
        padding: 0.3rem 0 0.3rem 0.5rem;
        border-bottom: 1px solid var(--edge);
        font-weight: 400;
        white-space: nowrap;
      }
      th:first-child {
        text-align: left;
        padding-left: 0;
        white-space: normal;
        min-width: 5.5rem;
      }
      @media (max-width: 32rem) {
        table {
          font-size: 0.87rem;
        }
      }
      thead th {
        color: var(--quiet);
        font-size: 0.87rem;
      }
    `,
  ];

  @property({ attribute: false }) bot!: Bot;

  override render() {
    const { trials, progress, has_agent, seats } = this.bot;
    const isOld = trials.seats.length > 0 && (progress?.done ?? 0) > trials.done;
    return html`${trials.seats.map(
        ({ seat, verdict, figures }) => html`${verdict ? html`<p class="verdict ${verdict}">${verdict}</p>` : nothing}
          ${this.renderTable(seats[seat] ?? `seat ${seat + 1}`, figures)}`,
      )}
      ${trials.seats.length > 0 ? html`<p class="help">${trials.rule}</p>` : nothing}
      ${isOld ? html`<p class="quiet">These are of the bot after ${count(trials.done)}; it has learnt more since.</p>` : nothing}
      <div role="status">
        ${trials.state === "running" ? html`<p>The trials are under way…</p>` : nothing}
        ${trials.state === "failed" ? html`<p class="error">The trials failed: ${trials.message}</p>` : nothing}
      </div>
      ${trials.state === "running"
        ? nothing
        : html`<button ?disabled=${!has_agent} @click=${() => this.dispatchEvent(new CustomEvent("try"))}>
            ${trials.seats.length > 0 ? "Try it again" : "Try it: random, clone and base test"}
          </button>`}`;
  }

  private renderTable(seat: string, figures: Figure[]) {
    return html`<div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">As ${seat}</th>
            <th scope="col">won</th>
            <th scope="col">drawn</th>
            <th scope="col">lost</th>
            <th scope="col">quality</th>
          </tr>
        </thead>
        <tbody>
          ${figures.map(
            ({ name, won, drawn, lost, quality }) =>
              html`<tr>
                <th scope="row">${TESTS[name] ?? name}</th>
                <td>${percent(won)}</td>
                <td>${percent(drawn)}</td>
                <td>${percent(lost)}</td>
                <td><strong>${percent(quality)}</strong></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}
