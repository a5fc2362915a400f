// <boardgym-board>: a board drawn from a game's description, and played on by clicks, drags, keys or typed moves.
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query, state as internal } from "lit/decorators.js";
import { neighbour, rowsOf } from "./board/cells.js";
import { type Answer, candidates, click, drag, typedAction, unplaced } from "./board/clicking.js";
import { Dragging } from "./board/dragging.js";
import { type Frame, frameOf, point } from "./board/frame.js";
import { look } from "./board/look.js";
import { flash, glide } from "./board/motion.js";
import { type Arrow, departureFrom, valueText } from "./board/overlays.js";
import { Palette } from "./board/palette.js";
import { type View, drawCells, drawOver, drawUnder } from "./board/picture.js";
import { sayState } from "./board/saying.js";
import { drawStatus } from "./board/status.js";
import type { Action, BoardState, GameDescription } from "./description.js";

export type { Arrow } from "./board/overlays.js";

const MOST_ENLARGED = 2; // pixels a unit: small boards are not blown up
const MOST_GLIDING = 2; // plies at once, a move and its answer, that are shown by gliding pieces

/**
 * Events, which bubble and leave the shadow tree: "play" {action}; "refused" {places, text} when clicks or a typed text play
 * nothing; "pick" {places} for a click while it is not interactive.
 */
@customElement("boardgym-board")
export class BoardElement extends LitElement {
  static override styles = look;

  @property({ attribute: false }) game?: GameDescription;
  @property({ attribute: false }) state?: BoardState;
  @property({ type: Boolean, reflect: true }) interactive = false;
  @property({ type: Boolean, reflect: true }) flipped = false;
  @property({ reflect: true }) palette = ""; // or "colour-blind"
  @property({ attribute: false }) values: Record<number, number> = {}; // action -> value for the seat to play
  @property({ attribute: false }) arrows: (Arrow | number)[] = []; // a number: of an action
  @property({ attribute: false }) showLegal = true;
  @property({ attribute: false }) labels = true; // files and ranks
  @property({ attribute: false }) typing = true; // a field for typed moves while interactive

  @internal() private chosen: number[] = [];
  @internal() private asked: Action[] = [];
  @internal() private focused = 0;
  @internal() private lifted = -1;
  @internal() private aimed = -1;
  @internal() private said = "";
  @query("input") private field?: HTMLInputElement | null;
  @query(".chooser") private chooser?: HTMLElement | null;

  private paints?: Palette;
  private isPressed = false; // by a pointer
  private isExplored = false; // the focus came by keys
  private rows: number[][] = [];
  private dragging = new Dragging(() => this.renderRoot as ShadowRoot, {
    piece: (place) => this.interactive && candidates(this.actions, [place]).length > 0,
    clicked: (place) => this.clickPlace(place),
    dragged: (from, to) => this.follow(drag(this.actions, this.chosen, from, to)),
    shown: (from, over) => {
      this.lifted = this.game && this.state ? departureFrom(from, this.game, this.state) : -1;
      this.aimed = over;
    },
  });

  private get actions(): Action[] {
    return this.state?.actions ?? [];
  }

  private get frame(): Frame {
    return frameOf(this.game!, this.flipped);
  }

  private get isDrawn(): boolean {
    return (this.game?.places.length ?? 0) > 0 && this.game!.size[0] > 0;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    const { game, state } = this;
    if (!game) return;
    if (changed.has("game") || changed.has("palette")) this.paints = new Palette(game, this.palette);
    if (changed.has("game") || changed.has("flipped")) this.rows = rowsOf(game.places, this.frame);
    if (changed.has("game")) this.focused = this.rows[0]?.[0] ?? 0;
    const before = changed.get("state");
    const isNew = changed.has("state") && (before?.fen !== state?.fen || before?.ply !== state?.ply); // else it was sent again
    if (isNew || changed.has("interactive") || changed.has("game")) this.clear();
    if (state && before) this.said = sayState(before, state) ?? this.said;
  }

  override updated(changed: PropertyValues<this>): void {
    const before = changed.get("state");
    const { game, state } = this;
    const isNext = game && state && before && !changed.has("game") && Math.abs(state.ply - before.ply) <= MOST_GLIDING;
    if (isNext && this.isDrawn) glide(this.renderRoot, game, before, state, this.frame);
    if (this.chooser) this.putChooser(this.chooser);
  }

  override render() {
    const { game, state, paints } = this;
    if (!game || !state || !paints) return nothing;
    const buttons = !this.isDrawn ? state.actions : this.interactive ? unplaced(state.actions) : [];
    return html`
      <div class="frame">
        ${this.isDrawn
          ? html`<div @keydown=${this.onKey} @focusin=${this.onFocus}>${this.renderDrawing(game, state, paints)}</div>`
          : html`<p class="blank">${state.fen}</p>`}
        ${this.asked.length > 0 ? this.renderChooser() : nothing}
      </div>
      <div class="line" part="line">${drawStatus(game, state, paints)} ${this.renderField()}</div>
      ${state.notes.length > 0 ? html`<p class="notes" part="notes">${state.notes.map((note) => html`<span>${note}</span>`)}</p>` : nothing}
      ${buttons.length > 0
        ? html`<div class="moves" part="moves" role="group" aria-label="Moves">${buttons.map((action) => this.renderMove(action))}</div>`
        : nothing}
      <div class="said" role="status" aria-live="polite">${this.said}</div>
    `;
  }

  /** Without listeners of the focus, for which browsers would stop at the whole drawing too. */
  private renderDrawing(game: GameDescription, state: BoardState, palette: Palette): TemplateResult {
    const view: View = { ...this.shown(), game, state, palette, frame: this.frame, rows: this.rows };
    const drags = this.interactive && state.actions.some(({ clicks }) => clicks.some((way) => way.length > 1));
    return html`<svg
      viewBox="0 0 ${game.size[0]} ${game.size[1]}"
      width=${MOST_ENLARGED * game.size[0]}
      role="grid"
      aria-label="${game.title}: ${state.status}"
      class="board ${this.interactive && state.actions.length > 0 ? "acts" : ""} ${drags ? "drags" : ""}"
      @pointerdown=${this.onPress}
      @pointermove=${this.dragging.move}
      @pointerup=${this.dragging.up}
      @pointercancel=${this.dragging.cancel}
      @click=${this.onClick}
    >
      ${drawUnder(view)} ${drawCells(view)} ${drawOver(view)}
    </svg>`;
  }

  private shown() {
    const { interactive, chosen, focused, lifted, aimed, values, arrows, showLegal, labels } = this;
    return { interactive, chosen, focused, lifted, aimed, values, arrows, showLegal, labels };
  }

  private renderMove(action: Action): TemplateResult {
    const value = this.values[action.action];
    const shown = value === undefined ? nothing : html`<span class="value">${valueText(value)}</span>`;
    return html`<button class="move" ?disabled=${!this.interactive} @click=${() => this.play(action.action)}>${action.move}${shown}</button>`;
  }

  /** While it has the focus it stays, so that who types need not look for it after each answer. */
  private renderField() {
    const hasFocus = this.field != null && (this.renderRoot as ShadowRoot).activeElement === this.field;
    if (!this.typing || !(hasFocus || (this.interactive && this.actions.length > 0))) return nothing;
    return html`<form class="typed" part="typed" @submit=${this.onTyped}>
      <input aria-label="Type a move, then Enter" placeholder="type a move" autocomplete="off" autocapitalize="off"
        ?readonly=${!this.interactive} spellcheck="false" maxlength="60" enterkeyhint="go" @keydown=${this.onFieldKey} />
    </form>`;
  }

  private renderChooser(): TemplateResult {
    return html`<div class="chooser" role="group" aria-label="Which move?" @keydown=${this.onChooserKey}>
      ${this.asked.map((action) => this.renderMove(action))}
      <button class="cancel" aria-label="None of these" @click=${() => this.clear()}>✕</button>
    </div>`;
  }

  /** Beside the place that was clicked last, within the board. By properties: the page's policy allows no style attributes. */
  private putChooser(chooser: HTMLElement): void {
    const [width, height] = this.game!.size;
    const [x, y] = point(this.frame, ...this.game!.places[this.chosen.at(-1)!]!.middle);
    const isLow = y > height * 0.6;
    Object.assign(chooser.style, {
      left: `clamp(0px, calc(${(100 * x) / width}% - ${chooser.offsetWidth / 2}px), calc(100% - ${chooser.offsetWidth}px))`,
      top: isLow ? "auto" : `${(100 * (y + 36)) / height}%`,
      bottom: isLow ? `${(100 * (height - y + 36)) / height}%` : "auto",
    });
  }

  // ---------------------------------------------------------------- what is clicked, pressed and typed

  private clickPlace(place: number): void {
    if (!this.interactive) this.tell("pick", { places: [place] });
    else this.follow(click(this.actions, this.chosen, place));
  }

  private follow(answer: Answer): void {
    if (answer.kind === "play") return this.play(answer.action);
    if (answer.kind === "refused") return this.refuse(answer.places, "");
    const name = (place: number): string => this.game!.places[place]!.name;
    const hadAsked = this.asked.length > 0;
    this.chosen = answer.places;
    this.asked = answer.kind === "ask" ? answer.actions : [];
    this.said = answer.places.length > 0 ? `${answer.places.map(name).join(" ")} chosen` : "nothing chosen";
    if (!hadAsked && this.asked.length > 0) void this.updateComplete.then(() => this.chooser?.querySelector("button")?.focus());
  }

  private play(action: number): void {
    const { isExplored } = this;
    if ((this.renderRoot as ShadowRoot).activeElement?.matches(".move")) this.cell(this.focused)?.focus(); // the button goes
    this.isExplored = isExplored;
    this.clear();
    this.tell("play", { action });
  }

  private refuse(places: number[], text: string): void {
    this.clear();
    this.said = text ? `${text} is no legal move here` : `no legal move: ${places.map((place) => this.game!.places[place]!.name).join(" ")}`;
    const last = places.at(-1);
    if (last !== undefined) flash(this.renderRoot, last);
    this.tell("refused", { places, text });
  }

  private clear(): void {
    this.chosen = [];
    this.asked = [];
  }

  private tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  private cell(place: number): SVGElement | null {
    return this.renderRoot.querySelector<SVGElement>(`[data-place="${place}"]`);
  }

  /** Of clicks by assistive technology alone: the others have been seen as presses of a pointer. */
  private onClick(event: PointerEvent): void {
    const place = (event.target as Element).closest("[data-place]")?.getAttribute("data-place");
    if (event.detail === 0 && place) this.clickPlace(Number(place));
  }

  private onPress(event: PointerEvent): void {
    this.isPressed = true;
    addEventListener("pointerup", () => (this.isPressed = false), { once: true });
    this.dragging.down(event);
  }

  private onFocus(event: FocusEvent): void {
    this.isExplored = !this.isPressed;
    const place = (event.target as Element).getAttribute("data-place");
    if (place) this.focused = Number(place);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.game) return;
    if (!this.interactive && !this.isExplored) return;
    // To whoever has come to the board by a pointer, or looks on, arrows are the page's, which browses the game with them.
    const to = this.isExplored ? neighbour(this.game, this.rows, this.focused, event.key, this.flipped) : undefined;
    if (to !== undefined) {
      if (to >= 0) this.cell(to)?.focus();
    } else if (event.key === "Enter" || event.key === " ") this.clickPlace(this.focused);
    else if (event.key === "Escape" && this.chosen.length > 0) this.follow({ kind: "chosen", places: [] });
    else {
      if (event.key.length === 1) this.field?.focus(); // what is pressed is typed there
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  private onChooserKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    const last = this.chosen.at(-1);
    this.clear();
    if (last !== undefined) this.cell(last)?.focus();
    event.stopPropagation();
  }

  private onFieldKey(event: KeyboardEvent): void {
    if (event.key === "Escape") {
      this.field!.value = "";
      this.cell(this.focused)?.focus();
    }
    event.stopPropagation(); // arrows and letters are the field's own
  }

  private onTyped(event: SubmitEvent): void {
    event.preventDefault();
    const text = this.field!.value.trim();
    if (!text || !this.interactive) return;
    const action = typedAction(this.actions, text);
    this.field!.value = "";
    if (action) this.play(action.action);
    else this.refuse([], text);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "boardgym-board": BoardElement;
  }
}
