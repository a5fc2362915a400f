// <boardgym-play-brush>: a board set up by hand: pick a piece, click places; the server says whether the position can be.
import { LitElement, css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import "./board.js";
import { Palette } from "./board/palette.js";
import { drawPiece } from "./board/pieces.js";
import type { BoardState, GameDescription, Piece } from "./description.js";
import { setUp, type Options } from "./play_data.js";
import { PreferencesController } from "./preferences.js";
import { withSpotsAsPlaces } from "./play_spots.js";
import { controls, tokens } from "./style.js";

@customElement("boardgym-play-brush")
export class PlayBrush extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
      }
      boardgym-board {
        display: block;
        max-width: 30rem;
        margin: 0 auto;
      }
      .tools {
        margin-bottom: 0.6rem;
      }
      .swatch {
        width: 1.5rem;
        height: 1.5rem;
      }
      .mark {
        fill: none;
        stroke-width: 7.5;
      }
      .edge {
        stroke: #000;
        stroke-opacity: 0.35;
        stroke-width: 2;
      }
      .groove {
        fill: none;
      }
      .inline {
        margin: 0;
      }
      .ok {
        color: var(--good);
      }
    `,
  ];

  @property({ attribute: false }) game!: GameDescription;
  @property({ attribute: false }) start!: BoardState;
  @property({ attribute: false }) options: Options = {};
  @property() gameId = "";
  @state() private kinds: number[] = []; // of each spot: 0, or 1 + the piece's index in the brush
  @state() private brush = 1;
  @state() private seat = 0;
  @state() private message = "";
  @state() private fen = "";
  private readonly preferences = new PreferencesController(this);
  private shown?: GameDescription;
  private asked = 0;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("game") || changed.get("game") === this.game) return;
    this.shown = withSpotsAsPlaces(this.game);
    this.kinds = this.start.pieces.map((piece) => this.kindOf(piece));
    this.brush = 1;
    this.seat = Math.max(0, this.start.to_play ?? 0);
    void this.check();
  }

  private kindOf(piece: Piece | null): number {
    return piece ? 1 + (this.game.brush ?? []).findIndex((other) => same(other, piece)) : 0;
  }

  /** Puts the brush's piece on a spot; where it stands already, takes it away. */
  private paint(spot: number): void {
    const kind = this.kinds[spot] === this.brush ? 0 : this.brush;
    this.kinds = this.kinds.map((old, index) => (index === spot ? kind : old));
    void this.check();
  }

  private clear(): void {
    this.kinds = this.kinds.map(() => 0);
    void this.check();
  }

  private async check(): Promise<void> {
    const asked = ++this.asked;
    this.tell(""); // until the server has said what this board is, no game starts from the one before
    let fen = "";
    let message = "";
    try {
      ({ fen } = await setUp({ game: this.gameId, options: this.options, pieces: this.kinds, seat: this.seat }));
    } catch (error) {
      message = sentence(error);
    }
    if (asked !== this.asked || !this.isConnected) return;
    this.message = message;
    this.tell(fen);
  }

  private tell(fen: string): void {
    this.fen = fen;
    this.dispatchEvent(new CustomEvent<string>("fen", { detail: fen }));
  }

  private get board(): BoardState {
    const brush = this.game.brush ?? [];
    const pieces = this.kinds.map((kind) => brush[kind - 1] ?? null);
    const seat = this.game.seats[this.seat] ?? "";
    return { ...this.start, fen: this.fen, pieces, moved: [], winning: [], lines: [], notes: [], actions: [], status: `${seat} to play` };
  }

  override render() {
    return html`
      <div class="row tools" role="group" aria-label="Piece to put on the board">
        ${(this.game.brush ?? []).map((piece, index) => this.renderBrush(piece, index + 1))}
        <button type="button" aria-pressed=${this.brush === 0} @click=${() => (this.brush = 0)}>Empty</button>
        <button type="button" @click=${() => this.clear()}>Clear the board</button>
      </div>
      <div class="row tools">
        <label class="inline" for="seat-to-play">To play</label>
        <select
          id="seat-to-play"
          @change=${(event: Event) => {
            this.seat = (event.target as HTMLSelectElement).selectedIndex;
            void this.check();
          }}
        >
          ${this.game.seats.map((seat, index) => html`<option .selected=${index === this.seat}>${seat}</option>`)}
        </select>
      </div>
      <div role="status">
        ${this.message ? html`<p class="error">${this.message}</p>` : nothing}
        ${this.fen ? html`<p class="ok">This position can be played.</p>` : nothing}
      </div>
      <boardgym-board
        palette=${this.preferences.palette}
        .game=${this.shown}
        .state=${this.board}
        .interactive=${false}
        .showLegal=${false}
        @pick=${(event: CustomEvent<{ places: number[] }>) => this.paint(event.detail.places[0] ?? -1)}
      ></boardgym-board>
    `;
  }

  private renderBrush(piece: Piece, kind: number) {
    const palette = new Palette(this.game, this.preferences.palette);
    return html`<button type="button" aria-pressed=${this.brush === kind} @click=${() => (this.brush = kind)}>
      <svg class="swatch" viewBox="-34 -34 68 68" aria-hidden="true">${drawPiece(piece, palette)}</svg>
      ${this.nameOf(piece)}
    </button>`;
  }

  private nameOf(piece: Piece): string {
    const seat = this.game.seats[piece.colour] ?? `piece ${piece.colour + 1}`;
    return piece.label ? `${seat} ${piece.label}` : seat;
  }
}

const same = (a: Piece, b: Piece): boolean => a.kind === b.kind && a.colour === b.colour && a.label === b.label;
