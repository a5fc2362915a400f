// The shell: the bar of rooms, and the room that the address names.
import { LitElement, css, html } from "lit";
import { customElement, state } from "lit/decorators.js";
import { ROOMS, nowhere, routeOf } from "./rooms.js";
import { tokens } from "./style.js";

@customElement("boardgym-studio")
export class Studio extends LitElement {
  static override styles = [tokens, css`:host { display: block; }`];

  @state() private route = routeOf(location.hash);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
  }

  override disconnectedCallback(): void {
    removeEventListener("hashchange", this.follow);
    super.disconnectedCallback();
  }

  private follow = (): void => {
    this.route = routeOf(location.hash);
  };

  override render() {
    const room = ROOMS.find(({ path }) => path === this.route.room);
    return html`
      <header>
        <nav aria-label="Rooms">
          ${ROOMS.map(
            ({ path, title }) =>
              html`<a href="#/${path}" aria-current=${path === this.route.room ? "page" : "false"}>${title}</a>`,
          )}
        </nav>
      </header>
      <main>${room ? room.draw(this.route) : nowhere(this.route)}</main>
    `;
  }
}
