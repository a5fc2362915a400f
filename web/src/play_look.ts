// How a game in progress is laid out: the board beside its moves; on a phone one below the other.
import { css } from "lit";

export const look = css`
  :host {
    display: block;
  }
  .game {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 21rem;
    gap: 1.25rem;
    align-items: start;
  }
  .board {
    min-width: 0;
    width: min(100%, 46rem);
    justify-self: center;
  }
  boardgym-board {
    display: block;
  }
  .past {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    background: var(--tint);
    border-radius: var(--radius);
    padding: 0.3rem 0.3rem 0.3rem 0.75rem;
    margin-top: 0.6rem;
  }
  .hint {
    background: var(--tint);
    border-radius: var(--radius);
    padding: 0.5rem 0.75rem;
    margin-top: 0.6rem;
  }
  .board .error {
    margin-top: 0.6rem;
  }
  .side {
    display: grid;
    gap: 0.75rem;
    min-width: 0;
  }
  boardgym-play-seats.card {
    padding: 0.4rem;
  }
  boardgym-play-moves.card {
    padding: 0.5rem;
    height: clamp(12rem, calc(100vh - 26rem), 26rem);
  }
  @media (max-width: 56rem) {
    .game {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75rem;
    }
    boardgym-play-moves.card {
      height: 13rem;
    }
  }
`;
