// <boardgym-board>: a board drawn from a game's description, and played on.
import { LitElement, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { BoardState, GameDescription } from "./description.js";

@customElement("boardgym-board")
export class BoardElement extends LitElement {
  @property({ attribute: false }) game?: GameDescription;
  @property({ attribute: false }) state?: BoardState;

  override render() {
    return html`<p>${this.state?.status}</p>`;
  }
}
