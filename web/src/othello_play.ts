// <boardgym-othello-play>: the window PLAY: who plays black and who white.
import { LitElement, css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { sentence } from "./api.js";
import { GAME, PLAYERS, human, othelloBots, playerOf, seatOf, type Player } from "./othello_data.js";
import { startPlay } from "./play_data.js";
import { controls, tokens } from "./style.js";
import type { Bot } from "./train_data.js";

const COLOURS = ["black, begins", "white"];

@customElement("boardgym-othello-play")
export class OthelloPlay extends LitElement {
  static override styles = [
    tokens,
    controls,
    css`
      :host {
        display: block;
        max-width: 32rem;
        margin: 0 auto;
      }
    `,
  ];

  @property({ attribute: false }) query = new URLSearchParams(); // white: the id of a net
  @state() private players: (Player | undefined)[] = [undefined, undefined]; // undefined: not chosen yet
  @state() private nets?: Bot[]; // undefined: not known yet
  @state() private message = "";
  @state() private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private async load(): Promise<void> {
    try {
      this.nets = (await othelloBots()).filter(({ has_agent }) => has_agent);
    } catch (error) {
      this.message = sentence(error);
    }
  }

  /** Whom each select shows: people, and as white the net that the address names, until others are chosen. */
  private get chosen(): Player[] {
    const white = this.nets?.find(({ id }) => id === this.query.get("white"));
    const [first, second] = this.players;
    return [first ?? human, second ?? (white ? playerOf(white) : human)];
  }

  private async start(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isBusy) return;
    this.isBusy = true;
    this.message = "";
    try {
      const play = await startPlay({ game: GAME, options: {}, seats: await Promise.all(this.chosen.map(seatOf)) });
      location.hash = `#/othello/play/${play.id}`;
    } catch (error) {
      this.message = sentence(error);
    } finally {
      this.isBusy = false;
    }
  }

  override render() {
    return html`<form class="card" @submit=${(event: Event) => this.start(event)}>
      <h1 tabindex="-1">Play</h1>
      ${this.chosen.map((player, seat) => this.renderPlayer(player, seat))}
      ${this.nets?.length === 0 ? html`<p class="help">Nets that you train and save can play too.</p>` : nothing}
      <div role="alert">${this.message ? html`<p class="error">${this.message}</p>` : nothing}</div>
      <div class="row">
        <button class="primary" ?disabled=${this.isBusy || !(this.nets || this.message)}>START</button>
        <a class="button" href="#/othello">BACK</a>
      </div>
    </form>`;
  }

  private renderPlayer(player: Player, seat: number) {
    const choose = (event: Event): void => {
      const { value } = event.target as HTMLSelectElement;
      this.players = this.players.map((old, index) => (index === seat ? value : old));
    };
    const option = (value: Player, text: string) =>
      html`<option value=${value} .selected=${value === player}>${text}</option>`;
    return html`<div class="field">
      <label for="player-${seat}">Player ${seat + 1} (${COLOURS[seat]})</label>
      <select id="player-${seat}" @change=${choose}>
        ${option(human, "Human")} ${Object.entries(PLAYERS).map(([spec, name]) => option(spec, name))}
        ${this.nets?.length
          ? html`<optgroup label="Saved nets">${this.nets.map((net) => option(playerOf(net), net.name))}</optgroup>`
          : nothing}
      </select>
    </div>`;
  }
}
