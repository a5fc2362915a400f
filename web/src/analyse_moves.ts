// <boardgym-analyse-moves>: the moves with their marks, and the variations that were tried, in brackets.
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Mark } from "./analyse_data.js";
import type { MoveNode } from "./analyse_tree_of_moves.js";
import { showWithin } from "./scrolling.js";
import { controls, tokens } from "./style.js";

export const SIGNS: Record<Mark, string> = { "": "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** Events: "show" (a MoveNode), "forget" (a MoveNode). */
@customElement("boardgym-analyse-moves")
export class AnalyseMoves extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .list {
        max-height: 14rem;
        overflow-y: auto;
        scrollbar-width: thin;
      }
      button.move {
        min-height: 1.8rem;
        padding: 0 0.3rem;
        border-color: transparent;
        background: none;
      }
      button.move[aria-current="true"] {
        background: var(--accent);
        color: var(--on-accent);
        font-weight: 600;
      }
      .number {
        color: var(--quiet);
        padding: 0 0.15rem 0 0.35rem;
        font-variant-numeric: tabular-nums;
      }
      .sign {
        color: var(--bad);
        font-weight: 700;
      }
      [aria-current="true"] .sign {
        color: inherit;
      }
      .variation {
        display: block;
        margin: 0 0 0.2rem 0.6rem;
        padding-left: 0.5rem;
        border-left: 2px solid var(--edge);
        color: var(--quiet);
        font-size: 0.93rem;
      }
      .roll {
        color: var(--quiet);
      }
    `,
  ];

  @property({ attribute: false }) root!: MoveNode;
  @property({ attribute: false }) current!: MoveNode;
  @property({ type: Number }) version = 0; // changes when the tree does

  private tell(name: string, node: MoveNode): void {
    this.dispatchEvent(new CustomEvent<MoveNode>(name, { detail: node }));
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("current")) return; // what is searched or judged leaves the list where one has scrolled it
    const list = this.renderRoot.querySelector<HTMLElement>(".list");
    const shown = this.renderRoot.querySelector<HTMLElement>('[aria-current="true"]');
    if (!list) return;
    if (shown) showWithin(list, shown);
    else list.scrollTop = 0;
  }

  override render() {
    const isTried = this.current.parent && this.current.parent.children[0] !== this.current;
    return html`
      <div class="list" tabindex="0" role="region" aria-label="Moves">
        ${this.root.children.length === 0 ? html`<p class="quiet">Click a move on the board, or a line of the search.</p>` : this.renderFrom(this.root, true)}
      </div>
      ${isTried ? html`<button class="plain" @click=${() => this.tell("forget", this.current)}>Remove this variation</button>` : nothing}
    `;
  }

  /** What follows a position: its main line, and after each move of it the other moves that were tried in its place. */
  private renderFrom(node: MoveNode, isNumbered: boolean): TemplateResult[] {
    const parts: TemplateResult[] = [];
    for (let at = node, numbered = isNumbered; at.children[0]; ) {
      const [main, ...others] = at.children;
      parts.push(this.renderMove(main!, numbered || main!.ply % 2 === 1));
      for (const other of others) {
        parts.push(html`<span class="variation">${this.renderMove(other, true)}${this.renderFrom(other, false)}</span>`);
      }
      numbered = others.length > 0;
      at = main!;
    }
    return parts;
  }

  private renderMove(node: MoveNode, isNumbered: boolean): TemplateResult {
    const mark = node.judged?.mark ?? "";
    return html`${isNumbered ? html`<span class="number">${node.ply}.</span>` : nothing}<button
        class="move ${node.judged?.seat === -1 ? "roll" : ""}"
        aria-current=${node === this.current ? "true" : nothing}
        title=${node.judged?.words || nothing}
        @click=${() => this.tell("show", node)}
      >
        ${node.move}${mark ? html`<span class="sign" aria-hidden="true">${SIGNS[mark]}</span><span class="visually-hidden">${mark}</span>` : nothing}
      </button>`;
  }
}
