// <boardgym-part-tests>: how a bot does at parts of its training: a table for each opponent and seat.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { count } from "./numbers.js";
import { controls, tokens } from "./style.js";
import type { PartTests } from "./train_data.js";

const SHARE = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Fires "again" when tests that have failed are to go on. */
@customElement("boardgym-part-tests")
export class PartTestsElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .tables {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
        gap: 1rem;
      }
      table {
        border-collapse: collapse;
        width: 100%;
        font-variant-numeric: tabular-nums;
        font-size: 0.9rem;
      }
      caption {
        text-align: left;
        font-weight: 600;
        padding-bottom: 0.2rem;
      }
      th,
      td {
        text-align: right;
        padding: 0.2rem 0 0.2rem 0.4rem;
        border-bottom: 1px solid var(--edge);
        font-weight: 400;
        white-space: nowrap;
      }
      thead th {
        color: var(--quiet);
      }
      td:last-child {
        font-weight: 600;
      }
    `,
  ];

  @property({ attribute: false }) tests!: PartTests;

  override render() {
    const { opponents, seats, state, message, parts, results, games, openings } = this.tests;
    return html`<h2>Tests</h2>
      <p class="quiet" role="status">
        ${results.length} of ${parts} parts tested, each by ${count(games / 2)} games in every table
        (${openings})${state === "running" ? "…" : ""}
      </p>
      <div role="alert">
        ${state === "failed"
          ? html`<div class="error">
              <p>The tests failed: ${message}</p>
              <button @click=${() => this.dispatchEvent(new CustomEvent("again"))}>Go on with the tests</button>
            </div>`
          : nothing}
      </div>
      <div class="tables">
        ${opponents.flatMap((opponent) => seats.map((name, seat) => this.renderTable(opponent, name, seat)))}
      </div>`;
  }

  private renderTable(opponent: string, name: string, seat: number) {
    const parts = Array.from({ length: this.tests.parts }, (_, index) => index + 1);
    return html`<table>
      <caption>
        As ${name} against ${opponent}, in %
      </caption>
      <thead>
        <tr>
          ${["Part", "After", "Won", "Lost", "Drawn", "Not lost"].map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${parts.map((part) => this.renderRow(part, opponent, seat))}
      </tbody>
    </table>`;
  }

  private renderRow(part: number, opponent: string, seat: number) {
    const found = this.tests.results.find((one) => one.part === part);
    const row = found?.rows.find((one) => one.opponent === opponent && one.seat === seat);
    const { won, lost, drawn } = row ?? { won: 0, lost: 0, drawn: 0 };
    const all = won + lost + drawn;
    const shares = [won, lost, drawn, won + drawn].map((games) => (all > 0 ? SHARE.format((100 * games) / all) : ""));
    return html`<tr>
      <th scope="row">${part}</th>
      <td>${found ? count(found.done) : "–"}</td>
      ${shares.map((share) => html`<td>${share}</td>`)}
    </tr>`;
  }
}
