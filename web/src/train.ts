// <boardgym-train-room>: the room Train. #/train lists the bots, #/train/new makes one, #/train/ID is one of them.
import { LitElement, css, html } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Route } from "./rooms.js";
import { controls, tokens } from "./style.js";
import "./train_bot.js";
import "./train_form.js";
import "./train_list.js";

const NEW = "new";

@customElement("boardgym-train-room")
export class TrainRoom extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
    `,
  ];

  @property({ attribute: false }) route!: Route;

  override render() {
    const id = this.route.rest[0] ?? "";
    if (id === NEW)
      return html`<p class="quiet"><a href="#/train">All bots</a></p>
        <h1>New bot</h1>
        <boardgym-bot-form .query=${this.route.query}></boardgym-bot-form>`;
    if (id) return html`<boardgym-bot .botId=${id} .fen=${this.route.query.get("fen") ?? ""}></boardgym-bot>`;
    return html`<boardgym-bot-list></boardgym-bot-list>`;
  }
}
