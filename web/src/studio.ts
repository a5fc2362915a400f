// The shell: the bar of rooms, the room that the address names, and what holds for all of them: title, focus, connection.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, state } from "lit/decorators.js";
import { connection } from "./api.js";
import { PreferencesController, THEMES, preferences, type Theme } from "./preferences.js";
import { ROOMS, nowhere, routeOf, type Route } from "./rooms.js";
import { controls, tokens } from "./style.js";
import { showTitle } from "./title.js";

const THEME_NAMES: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

@customElement("boardgym-studio")
export class Studio extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 100vh;
        background: var(--page);
      }
      .skip {
        position: absolute;
        left: 0.5rem;
        top: -4rem;
        z-index: 10;
      }
      .skip:focus {
        top: 0.5rem;
      }
      header {
        display: flex;
        align-items: center;
        gap: 0.25rem 1rem;
        padding: 0 1rem;
        border-bottom: 1px solid var(--edge);
        background: var(--surface);
      }
      .name {
        display: flex;
        align-items: center;
        gap: 0.5rem;
        font-weight: 700;
        color: inherit;
        text-decoration: none;
        padding: 0.6rem 0;
        white-space: nowrap;
      }
      nav {
        display: flex;
        flex: 1;
        min-width: 0;
        overflow-x: auto;
      }
      nav a {
        padding: 0.75rem;
        color: var(--quiet);
        text-decoration: none;
        border: solid transparent;
        border-width: 3px 0;
        outline-offset: -3px;
      }
      nav a:hover {
        color: var(--text);
      }
      nav a[aria-current="page"] {
        color: var(--text);
        border-bottom-color: var(--accent);
        font-weight: 600;
      }
      .display {
        position: relative;
      }
      .display > div {
        position: absolute;
        right: 0;
        top: calc(100% + 0.6rem);
        z-index: 5;
        width: 15rem;
        background: var(--raised);
        border: 1px solid var(--edge);
        border-radius: var(--radius);
        padding: 0.8rem;
        box-shadow: 0 8px 24px rgb(0 0 0 / 0.25);
      }
      .display summary {
        list-style: none;
        border-radius: var(--radius);
        padding: 0.4rem 0.6rem;
        color: var(--quiet);
      }
      .display summary::-webkit-details-marker {
        display: none;
      }
      .check {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        font-weight: 400;
        margin: 0;
      }
      .lost {
        background: var(--bad-tint);
        color: var(--bad);
        padding: 0.6rem 1rem;
        text-align: center;
        position: sticky;
        top: 0;
        z-index: 4;
      }
      main {
        flex: 1;
        width: 100%;
        max-width: 82rem;
        margin: 0 auto;
        padding: 1.25rem 1rem 3rem;
      }
      main:focus {
        outline: none;
      }
      @media (max-width: 32rem) {
        header {
          padding: 0 0.6rem;
          gap: 0.25rem;
        }
        .name span {
          display: none;
        }
        nav {
          mask-image: linear-gradient(to right, transparent, black 0.75rem calc(100% - 0.75rem), transparent);
        }
        main {
          padding: 0.75rem 0.75rem 3rem;
        }
      }
    `,
  ];

  @state() private route = routeOf(location.hash);

  constructor() {
    super();
    new PreferencesController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
    connection.addEventListener("change", this.connectionChanged);
    addEventListener("pointerdown", this.closeDisplay);
  }

  override disconnectedCallback(): void {
    removeEventListener("hashchange", this.follow);
    connection.removeEventListener("change", this.connectionChanged);
    removeEventListener("pointerdown", this.closeDisplay);
    super.disconnectedCallback();
  }

  private connectionChanged = (): void => this.requestUpdate();

  private follow = (): void => {
    const before = this.route;
    this.route = routeOf(location.hash);
    if (addressOf(before) !== addressOf(this.route)) void this.updateComplete.then(() => this.focusRoom());
  };

  private closeDisplay = (event: Event): void => {
    const display = this.renderRoot.querySelector("details");
    if (display?.open && !event.composedPath().includes(display)) display.open = false;
  };

  private focusRoom(event?: Event): void {
    event?.preventDefault();
    scrollTo(0, 0);
    this.renderRoot.querySelector("main")?.focus({ preventScroll: true });
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has("route")) return;
    showTitle(ROOMS.find(({ path }) => path === this.route.room)?.title ?? "Nothing here");
    this.centreRoom();
  }

  /** Where the bar is narrower than its links, scrolls it alone: scrollIntoView would move the page and the place of the Tab key. */
  private centreRoom(): void {
    const nav = this.renderRoot.querySelector("nav");
    const link = nav?.querySelector<HTMLElement>("[aria-current=page]");
    if (nav && link) nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
  }

  override render() {
    const room = ROOMS.find(({ path }) => path === this.route.room);
    return html`
      <a class="skip button primary" href="#main" @click=${(event: Event) => this.focusRoom(event)}>Skip to the room</a>
      <header>
        <a class="name" href="#/${ROOMS[0]?.path ?? ""}" aria-label="boardgym studio, first room">
          <img src="/static/icon.svg" alt="" width="26" height="26" /><span>boardgym</span>
        </a>
        <nav aria-label="Rooms">
          ${ROOMS.map(
            ({ path, title }) =>
              html`<a href="#/${path}" aria-current=${path === this.route.room ? "page" : "false"}>${title}</a>`,
          )}
        </nav>
        ${this.renderDisplay()}
      </header>
      <div role="status">
        ${connection.isLost
          ? html`<div class="lost">
              The studio does not answer: is <code>boardgym studio</code> still running? This page goes on as soon as it is back.
            </div>`
          : nothing}
      </div>
      <main id="main" tabindex="-1" aria-label=${room?.title ?? "Nothing here"}>
        ${room ? room.draw(this.route) : nowhere(this.route)}
      </main>
    `;
  }

  private renderDisplay() {
    return html`<details
      class="display"
      @keydown=${(event: KeyboardEvent) => {
        const display = event.currentTarget as HTMLDetailsElement;
        if (event.key !== "Escape" || !display.open) return;
        display.open = false;
        display.querySelector("summary")?.focus();
      }}
    >
      <summary>Display</summary>
      <div>
        <div class="field">
          <label for="theme">Theme</label>
          <select
            id="theme"
            @change=${(event: Event) => preferences.setTheme((event.target as HTMLSelectElement).value as Theme)}
          >
            ${THEMES.map(
              (theme) =>
                html`<option value=${theme} ?selected=${theme === preferences.theme}>${THEME_NAMES[theme]}</option>`,
            )}
          </select>
        </div>
        <label class="check">
          <input
            type="checkbox"
            .checked=${preferences.isColourBlind}
            @change=${(event: Event) => preferences.setColourBlind((event.target as HTMLInputElement).checked)}
          />
          Colour-blind palette
        </label>
      </div>
    </details>`;
  }
}

const addressOf = (route: Route): string => [route.room, ...route.rest].join("/");
