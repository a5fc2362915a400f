// Colours and sizes of the page, light and dark, shared by all its elements.
import { css } from "lit";

export const tokens = css`
  :host {
    --page: light-dark(#ffffff, #16181c);
    --surface: light-dark(#f3f4f6, #22252b);
    --edge: light-dark(#d4d7dc, #3a3f47);
    --text: light-dark(#22252a, #e8eaed);
    --quiet: light-dark(#5b6169, #a3aab4);
    --accent: light-dark(#6a2fe0, #b79bff);
    --bad: light-dark(#b3261e, #ff9b93);
    --good: light-dark(#1b7340, #7fd8a0);
    color: var(--text);
    font: 15px/1.45 system-ui, sans-serif;
  }
`;
