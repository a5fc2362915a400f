// How the list of games looks: a table, of which narrow pages make a list.
import { css } from "lit";

export const look = css`
  :host {
    display: block;
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
    gap: 0 0.8rem;
    align-items: end;
  }
  form {
    margin-bottom: 1rem;
  }
  form .field button {
    width: 100%;
  }
  .tools {
    margin: 0.6rem 0;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th {
    text-align: left;
    font-size: 0.87rem;
    color: var(--quiet);
  }
  th button {
    padding: 0;
    min-height: 2rem;
    font-weight: 600;
    color: inherit;
  }
  td {
    border-top: 1px solid var(--edge);
    padding: 0.4rem 0.8rem 0.4rem 0;
    vertical-align: top;
  }
  td time,
  .number {
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .players,
  .opening {
    overflow-wrap: anywhere;
  }
  .opening {
    max-width: 20rem;
  }
  .files {
    margin-top: 2rem;
  }
  ul {
    list-style: none;
    padding: 0;
    margin: 0 0 0.6rem;
  }
  li {
    overflow-wrap: anywhere;
  }
  label.button {
    display: inline-flex;
    font-weight: 400;
    font-size: inherit;
    margin: 0;
  }
  label.button:focus-within {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  @media (max-width: 46rem) {
    .opening,
    th:last-child {
      display: none;
    }
    tbody tr {
      display: grid;
      grid-template-columns: 1.8rem minmax(0, 1fr) auto;
      border-top: 1px solid var(--edge);
      padding: 0.4rem 0;
    }
    tbody td {
      border: 0;
      padding: 0.05rem 0;
    }
    td:nth-child(1) {
      grid-row: 1 / 4;
    }
    td:nth-child(2) {
      grid-area: 3 / 2;
      color: var(--quiet);
    }
    td:nth-child(3) {
      grid-area: 2 / 2;
    }
    td:nth-child(4) {
      grid-area: 1 / 2 / 2 / 4;
    }
    td:nth-child(5) {
      grid-area: 2 / 3;
      text-align: right;
    }
    td:nth-child(6) {
      grid-area: 3 / 3;
      text-align: right;
    }
    .number::after {
      content: " plies";
    }
    .number.one::after {
      content: " ply";
    }
    thead tr {
      display: flex;
      flex-wrap: wrap;
      gap: 0 0.9rem;
    }
  }
`;
