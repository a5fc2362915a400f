// <boardgym-demo>: of `boardgym studio --demo`, what there is to see, as three links. Nothing in any other studio.
import { LitElement, css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { get } from "./api.js";
import { controls, tokens } from "./style.js";

interface Guide {
  folder: string;
  message: string;
  is_whole: boolean;
  steps: { title: string; text: string; address: string }[];
}

const LOOK_MS = 1000;

/** Event "grown", when something has been made since the page looked last. */
@customElement("boardgym-demo")
export class DemoElement extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      .card {
        margin-bottom: 1.25rem;
      }
      h2 {
        margin: 0 0 0.6rem;
      }
      ol {
        list-style: none;
        margin: 0 0 0.7rem;
        padding: 0;
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
        gap: 0.75rem;
      }
      li {
        display: flex;
        flex-direction: column;
        gap: 0.4rem;
        align-items: start;
      }
      p {
        margin: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  @state() private guide?: Guide;
  private timer = 0;
  private asked = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.look();
  }

  override disconnectedCallback(): void {
    clearTimeout(this.timer);
    this.asked += 1;
    super.disconnectedCallback();
  }

  private async look(): Promise<void> {
    const asked = ++this.asked;
    const before = JSON.stringify(this.guide?.steps);
    const guide = await get<Guide>("/demo").catch(() => this.guide); // the page's bar says that the studio is lost
    if (asked !== this.asked) return;
    this.guide = guide;
    const steps = this.guide?.steps ?? [];
    if (before && JSON.stringify(steps) !== before) this.dispatchEvent(new Event("grown"));
    if (steps.length > 0 || !guide) this.timer = window.setTimeout(() => void this.look(), LOOK_MS);
  }

  override render() {
    const { guide } = this;
    if (!guide || guide.steps.length === 0) return nothing;
    return html`<section class="card" aria-labelledby="guide">
      <h2 id="guide">Begin here</h2>
      <ol>
        ${guide.steps.map(
          ({ title, text, address }) => html`<li>
            ${address ? html`<a class="button primary" href=${address}>${title}</a>` : html`<button disabled>${title}</button>`}
            <p>${text}</p>
          </li>`,
        )}
      </ol>
      <p class="quiet">
        ${guide.is_whole ? nothing : html`Games and bots are being made; the page can be used meanwhile. `}This is the demo: it is kept
        apart from your own games, in ${guide.folder}. ${guide.message}
      </p>
    </section>`;
  }
}
