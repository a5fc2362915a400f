// <boardgym-analyse-judge>: the line that is looked at, judged ply by ply: its graph and its mistakes in words.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import "./analyse_graph.js";
import { SIGNS } from "./analyse_moves.js";
import type { Session } from "./analyse_session.js";
import type { MoveNode } from "./analyse_tree_of_moves.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-analyse-judge")
export class AnalyseJudge extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .judge {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
        align-items: end;
        margin-bottom: 0.6rem;
      }
      .judge input {
        width: 100%;
      }
      .mistakes {
        list-style: none;
        margin: 0.5rem 0 0;
        padding: 0;
      }
      .mistakes button {
        display: flex;
        width: 100%;
        justify-content: flex-start;
        align-items: baseline;
        text-align: left;
        white-space: normal;
        border: 0;
        border-top: 1px solid var(--edge);
        border-radius: 0;
        background: none;
        padding: 0.35rem 0.2rem;
      }
      .mistakes button[aria-current="true"] {
        background: var(--tint);
      }
      .number {
        color: var(--quiet);
        font-variant-numeric: tabular-nums;
      }
      .sign {
        color: var(--bad);
        font-weight: 700;
        min-width: 1.3rem;
      }
    `,
  ];

  @property({ attribute: false }) session!: Session;
  @property({ type: Number }) version = 0;

  override render() {
    const { session } = this;
    const line = session.current.line;
    const mistakes = line.filter(({ judged }) => judged?.mark);
    const unknown = line.filter(({ judged }) => judged?.note);
    const isComplete = !session.isJudging && line.every(({ judged }) => judged);
    return html`
      <h2>The game</h2>
      <div class="judge">
        <div>
          <label for="judge">Judged by</label>
          <input
            id="judge"
            class="mono"
            maxlength="400"
            autocomplete="off"
            spellcheck="false"
            .value=${session.judge}
            @change=${(event: Event) => (session.judgePolicy = (event.target as HTMLInputElement).value.trim())}
          />
        </div>
        <button class="primary" @click=${() => session.judgeLine()}>${session.isJudging ? "Stop" : "Find the mistakes"}</button>
      </div>
      <div role="status">
        ${session.judgeMessage ? html`<p class="error">${session.judgeMessage}</p>` : nothing}
        ${isComplete && mistakes.length === 0 ? html`<p>No mistake was found.</p>` : nothing}
      </div>
      <boardgym-analyse-graph
        .nodes=${line}
        .current=${session.current}
        .seats=${session.position!.game.seats}
        .version=${session.version}
        @show=${(event: CustomEvent<MoveNode>) => void session.show(event.detail)}
      ></boardgym-analyse-graph>
      ${mistakes.length > 0
        ? html`<ol class="mistakes" aria-label="Mistakes">
            ${mistakes.map(
              (node) => html`<li>
                <button aria-current=${node === session.current ? "true" : nothing} @click=${() => void session.show(node)}>
                  <span class="number">${node.ply}.</span><span class="sign">${SIGNS[node.judged!.mark]}</span>
                  <span>${node.judged!.words}</span>
                </button>
              </li>`,
            )}
          </ol>`
        : nothing}
      ${unknown.length > 0 ? html`<p class="quiet">Unknown at ${unknown.length} positions: ${unknown[0]!.judged!.note}.</p>` : nothing}
    `;
  }
}
