// <boardgym-analyse-search-tree>: the tree of a small search, folded out node by node: why a search plays what it plays.
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { searchTree, type Place, type SearchTree, type TreeNode } from "./analyse_data.js";
import { valueText } from "./analyse_words.js";
import { sentence } from "./api.js";
import { count } from "./numbers.js";
import { controls, tokens } from "./style.js";

const GREEK = { alpha: "α", beta: "β" };

/** Event: "try" (the moves that lead to a node). */
@customElement("boardgym-analyse-search-tree")
export class AnalyseSearchTree extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      ul {
        list-style: none;
        margin: 0;
        padding-left: 1.1rem;
        border-left: 1px solid var(--edge);
      }
      .tree {
        padding: 0;
        border: 0;
        overflow-x: auto;
      }
      li > .node {
        display: flex;
        gap: 0.4rem;
        align-items: baseline;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      .node button {
        min-height: 1.7rem;
        padding: 0 0.4rem;
        border-color: transparent;
        background: none;
      }
      .fold {
        width: 1.7rem;
        color: var(--quiet);
      }
      .best > .node .move {
        font-weight: 700;
        color: var(--accent);
      }
      .pruned > .node {
        color: var(--quiet);
      }
      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0.5rem;
        align-items: end;
        margin-bottom: 0.5rem;
      }
      .check {
        display: flex;
        gap: 0.4rem;
        align-items: center;
        font-weight: 400;
      }
    `,
  ];

  @property({ attribute: false }) place!: Place;
  @state() private policy = "minimax:3";
  @state() private pruning = true;
  @state() private tree?: SearchTree;
  private grown = { policy: "", pruning: true }; // how the tree on the page was
  @state() private open = new Set<TreeNode>();
  @state() private message = "";
  @state() private isBusy = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("place")) this.tree = undefined;
  }

  private async grow(): Promise<void> {
    const { place, policy, pruning } = this;
    this.message = "";
    this.isBusy = true;
    try {
      const tree = await searchTree(place, policy, [], pruning);
      if (place === this.place) {
        this.tree = tree;
        this.grown = { policy, pruning };
        this.open = new Set([tree.root]);
      }
    } catch (error) {
      if (place === this.place) this.message = sentence(error);
    }
    this.isBusy = false;
  }

  private async fold(node: TreeNode, path: string[]): Promise<void> {
    const { tree, grown, place } = this;
    if (!this.open.delete(node)) {
      if (node.below > 0) {
        try {
          const { root } = await searchTree(place, grown.policy, path, grown.pruning);
          if (tree !== this.tree) return;
          Object.assign(node, { children: root.children, below: root.below });
        } catch (error) {
          if (tree === this.tree) this.message = sentence(error);
          return;
        }
      }
      this.open.add(node);
    }
    this.open = new Set(this.open);
  }

  override render() {
    return html`
      <p class="quiet">The tree of <code>minimax:DEPTH</code> or <code>uct:SIMULATIONS</code>, for small ones: up to 50,000 positions.</p>
      <form
        class="fields"
        @submit=${(event: Event) => {
          event.preventDefault();
          void this.grow();
        }}
      >
        <div>
          <label for="search">Search</label>
          <input
            id="search"
            class="mono"
            maxlength="100"
            autocomplete="off"
            .value=${this.policy}
            @input=${(event: Event) => (this.policy = (event.target as HTMLInputElement).value.trim())}
          />
        </div>
        <button ?disabled=${this.isBusy}>${this.isBusy ? "Growing …" : "Show its tree"}</button>
        <label class="check">
          <input type="checkbox" .checked=${this.pruning} @change=${(event: Event) => (this.pruning = (event.target as HTMLInputElement).checked)} />
          alpha-beta cuts
        </label>
      </form>
      <div role="status">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      ${this.tree ? this.renderTree(this.tree) : nothing}
    `;
  }

  private renderTree({ root, seat }: SearchTree) {
    const whose = root.visits === null ? `for ${seat}, who takes the greatest` : "for the seat that moves there";
    return html`
      <p class="quiet">Values are ${whose}. Bold: the best line.</p>
      <ul class="tree" aria-label="Tree of the search">
        ${this.renderNode(root, [])}
      </ul>
    `;
  }

  private renderNode(node: TreeNode, path: string[]): TemplateResult {
    const isOpen = this.open.has(node);
    const count = node.children.length + node.below;
    const name = node.move || "here";
    return html`<li class="${node.is_best ? "best" : ""} ${node.pruned ? "pruned" : ""}">
      <div class="node">
        ${count > 0
          ? html`<button class="fold" aria-expanded=${isOpen} aria-label="Moves after ${name}" @click=${() => this.fold(node, path)}>
              ${isOpen ? "▾" : "▸"}
            </button>`
          : html`<span class="fold"></span>`}
        <button class="move" title="Show the position after ${name}" @click=${() => this.dispatchEvent(new CustomEvent("try", { detail: path }))}>
          ${name}
        </button>
        <span>${this.facts(node)}</span>
      </div>
      ${isOpen && node.children.length > 0
        ? html`<ul>
            ${node.children.map((child) => this.renderNode(child, [...path, child.move]))}
          </ul>`
        : nothing}
    </li>`;
  }

  private facts(node: TreeNode): string {
    if (node.pruned) return `cut off by ${GREEK[node.pruned]}`;
    const parts = [valueText(node.value)];
    if (node.proven && node.to_play) parts.push("proven");
    if (node.visits !== null) parts.push(`${count(node.visits)} visits`);
    if (node.to_play) parts.push(`${node.to_play} to move`);
    else parts.push("game over");
    return parts.join(" · ");
  }
}
