// <boardgym-analyse-panel>: one agent's search: which, for how long, what it has found so far; its lines can be played.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Found, Line } from "./analyse_data.js";
import { effort, exactText, valueText } from "./analyse_words.js";
import { controls, tokens } from "./style.js";

export interface Settings {
  policy: string;
  seconds: number; // 0: the policy's own limit
  lines: number;
}

/** What a panel shows of its search. */
export interface Finding {
  found?: Found;
  elapsed: number;
  isSearching: boolean;
  isReady: boolean; // else what it needs is compiled
  message: string;
  note: string; // why nothing is known
}

export const NOTHING_YET: Finding = { elapsed: 0, isSearching: false, isReady: true, message: "", note: "" };
const TIMES = [1, 3, 10, 30, 60, 300];
const LINE_SHOWN = 14; // moves of a line

/** Events: "settings" (part of Settings), "toggle", "try" (moves of a line, up to the one that was clicked), "leave". */
@customElement("boardgym-analyse-panel")
export class AnalysePanel extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      .head {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 0.6rem;
        align-items: baseline;
      }
      .value {
        font-size: 1.35rem;
        font-weight: 700;
        font-variant-numeric: tabular-nums;
      }
      .effort {
        color: var(--quiet);
        font-size: 0.87rem;
        font-variant-numeric: tabular-nums;
        min-height: 1.3em;
      }
      .toggle {
        margin-left: auto;
      }
      .fields {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        gap: 0.5rem;
        align-items: end;
      }
      .fields input,
      .fields select {
        width: 100%;
      }
      ol {
        list-style: none;
        margin: 0.5rem 0 0;
        padding: 0;
        border-top: 1px solid var(--edge);
      }
      li {
        display: flex;
        gap: 0.5rem;
        align-items: baseline;
        padding: 0.15rem 0;
        border-bottom: 1px solid var(--edge);
      }
      li .worth {
        flex: none;
        min-width: 3.2rem;
        font-weight: 650;
        font-variant-numeric: tabular-nums;
      }
      li .moves {
        display: flex;
        flex-wrap: wrap;
        min-width: 0;
      }
      li button {
        border: 0;
        background: none;
        min-height: 1.7rem;
        padding: 0 0.25rem;
      }
      li button:first-child {
        font-weight: 650;
      }
      .others {
        display: flex;
        flex-wrap: wrap;
        gap: 0.15rem 0.8rem;
        margin: 0.4rem 0 0;
        padding: 0;
        color: var(--quiet);
        font-size: 0.87rem;
        font-variant-numeric: tabular-nums;
      }
    `,
  ];

  @property() heading = "";
  @property({ attribute: false }) settings!: Settings;
  @property({ attribute: false }) finding: Finding = NOTHING_YET;
  @property({ attribute: false }) suggestions: string[] = [];
  @property({ type: Boolean }) exact = false; // of perfect play, which has no settings
  @property({ type: Boolean }) leavable = false;

  private tell(name: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  private change(part: Partial<Settings>): void {
    this.tell("settings", part);
  }

  override render() {
    const { finding, exact } = this;
    return html`
      <div class="head">
        <h2>${this.heading}</h2>
        ${finding.found ? html`<span class="value">${this.worthOf(finding.found)}</span>` : nothing}
        ${finding.note
          ? nothing
          : html`<button class="toggle" aria-pressed=${finding.isSearching} @click=${() => this.tell("toggle")}>
              ${finding.isSearching ? "Stop" : "Search"}
            </button>`}
        ${this.leavable ? html`<button class="plain" aria-label="Remove this agent" @click=${() => this.tell("leave")}>✕</button>` : nothing}
      </div>
      ${finding.note ? nothing : html`<p class="effort">${this.effortText()}</p>`}
      ${exact ? nothing : this.renderSettings()}
      <div role="status">
        ${finding.message ? html`<p class="error">${finding.message}</p>` : nothing}
        ${finding.note ? html`<p class="quiet">${finding.note[0]!.toUpperCase()}${finding.note.slice(1)}.</p>` : nothing}
      </div>
      ${finding.found ? this.renderFound(finding.found) : nothing}
    `;
  }

  private worthOf(found: Found): string {
    const row = found.moves[0];
    if (this.exact && row) return exactText(row);
    return `${valueText(found.value)}${found.is_proven ? " proven" : ""}`;
  }

  private effortText(): string {
    const { found, isSearching, isReady, elapsed } = this.finding;
    if (found) return effort(isSearching && elapsed > found.elapsed ? { ...found, elapsed } : found);
    if (isSearching && !isReady) return `getting ready · ${elapsed.toFixed(1)} s`;
    return isSearching ? `searching · ${elapsed.toFixed(1)} s` : "";
  }

  private renderSettings() {
    const { settings } = this;
    const times = TIMES.includes(settings.seconds) || settings.seconds === 0 ? TIMES : [...TIMES, settings.seconds];
    return html`<div class="fields">
      <div>
        <label for="policy">Policy</label>
        <input
          id="policy"
          class="mono"
          list="policies"
          maxlength="400"
          autocomplete="off"
          spellcheck="false"
          .value=${settings.policy}
          @change=${(event: Event) => this.change({ policy: (event.target as HTMLInputElement).value.trim() })}
        />
        <datalist id="policies">${this.suggestions.map((spec) => html`<option value=${spec}></option>`)}</datalist>
      </div>
      <div>
        <label for="seconds">Time</label>
        <select id="seconds" @change=${(event: Event) => this.change({ seconds: Number((event.target as HTMLSelectElement).value) })}>
          ${times.map((time) => html`<option value=${time} .selected=${time === settings.seconds}>${time} s</option>`)}
          <option value="0" .selected=${settings.seconds === 0}>its own</option>
        </select>
      </div>
      <div>
        <label for="lines">Lines</label>
        <select id="lines" @change=${(event: Event) => this.change({ lines: Number((event.target as HTMLSelectElement).value) })}>
          ${[1, 2, 3, 4, 5].map((count) => html`<option value=${count} .selected=${count === settings.lines}>${count}</option>`)}
        </select>
      </div>
    </div>`;
  }

  private renderFound(found: Found) {
    const lined = new Set(found.lines.map(({ action }) => action));
    const others = found.moves.filter(({ action, value }) => !lined.has(action) && value !== null);
    return html`
      <ol aria-label="Lines of ${this.heading}">
        ${found.lines.map((line) => this.renderLine(line, found))}
      </ol>
      ${others.length > 0
        ? html`<p class="others">${others.map((row) => html`<span>${row.move} ${this.exact ? exactText(row) : valueText(row.value)}</span>`)}</p>`
        : nothing}
    `;
  }

  private renderLine(line: Line, found: Found) {
    const row = found.moves.find(({ action }) => action === line.action);
    return html`<li>
      <span class="worth">${this.exact && row ? exactText(row) : valueText(line.value)}</span>
      <span class="moves">
        ${line.moves
          .slice(0, LINE_SHOWN)
          .map((move, index) => html`<button title="Show the position after ${move}" @click=${() => this.tell("try", line.moves.slice(0, index + 1))}>${move}</button>`)}
        ${line.moves.length > LINE_SHOWN ? html`<span class="quiet">…</span>` : nothing}
      </span>
    </li>`;
  }
}
