// A game and the variations that were tried: each node is a position, its first child the main line.
import type { Ply, Position } from "./analyse_data.js";

export class MoveNode {
  children: MoveNode[] = [];
  position?: Position; // once the server has told it
  judged?: Ply;
  next?: MoveNode; // the child that was looked at last

  constructor(
    readonly move: string,
    readonly parent?: MoveNode,
  ) {}

  get ply(): number {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** From the root to this node, the root included. */
  get path(): MoveNode[] {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  get moves(): string[] {
    return this.path.slice(1).map(({ move }) => move);
  }

  /** The path to this node and on to the end of its line. */
  get line(): MoveNode[] {
    const nodes = this.path;
    for (let last: MoveNode | undefined = this.next ?? this.children[0]; last; last = last.next ?? last.children[0]) nodes.push(last);
    return nodes;
  }

  /** The node after a move, made if it is not there. */
  after(move: string): MoveNode {
    let child = this.children.find((other) => other.move === move);
    if (!child) {
      child = new MoveNode(move, this);
      this.children.push(child);
    }
    this.next = child;
    return child;
  }

  /** Makes every node of its path the one that is looked at. */
  choose(): void {
    for (const node of this.path) if (node.parent) node.parent.next = node;
  }

  /** Takes this node and all that follows out of the game. */
  forget(): void {
    const { parent } = this;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child !== this);
    if (parent.next === this) parent.next = undefined;
  }
}
