// How the room Analyse is laid out: the board at the left, what is found at the right; one column on a phone.
import { css } from "lit";

export const look = css`
  :host {
    display: block;
  }
  .room {
    display: grid;
    grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .board {
    position: sticky;
    top: 1rem;
    min-width: 0;
  }
  boardgym-board {
    display: block;
    max-width: 36rem;
    margin: 0 auto;
  }
  .under {
    justify-content: center;
    margin-top: 0.6rem;
  }
  .side {
    display: flex;
    flex-direction: column;
    gap: 0.8rem;
    min-width: 0;
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.3rem;
  }
  .steps {
    display: grid;
    grid-template-columns: repeat(4, 1fr);
    gap: 0.4rem;
    max-width: 36rem;
    margin: 0.6rem auto 0;
  }
  .steps button {
    font-size: 1.3rem;
    line-height: 1;
  }
  .card > p:last-child {
    margin-bottom: 0;
  }
  @media (max-width: 52rem) {
    .room {
      grid-template-columns: minmax(0, 1fr);
      gap: 0.8rem;
    }
    .board {
      position: static;
    }
    .tabs button {
      padding: 0.3rem 0.5rem;
      font-size: 0.93rem;
    }
  }
`;
