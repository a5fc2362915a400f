// Colours and sizes of the page, light and dark, and its controls: shared by all its elements.
import { css } from "lit";

export const tokens = css`
  :host {
    --page: light-dark(#ffffff, #16181c);
    --surface: light-dark(#f3f4f6, #22252b);
    --raised: light-dark(#ffffff, #2b2f36);
    --edge: light-dark(#d4d7dc, #3a3f47);
    --field-edge: light-dark(#868c95, #767d88);
    --text: light-dark(#22252a, #e8eaed);
    --quiet: light-dark(#5b6169, #a3aab4);
    --accent: light-dark(#6a2fe0, #b79bff);
    --on-accent: light-dark(#ffffff, #1b1233);
    --tint: light-dark(#efe8fd, #332a4d);
    --bad: light-dark(#b3261e, #ff9b93);
    --bad-tint: light-dark(#fdecea, #43211f);
    --good: light-dark(#1b7340, #7fd8a0);
    --radius: 8px;
    color: var(--text);
    font: 15px/1.45 system-ui, sans-serif;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  [hidden] {
    display: none !important;
  }
`;

/** Buttons, fields, cards and headings. An element takes them as `static styles = [tokens, controls, css...]`. */
export const controls = css`
  h1,
  h2,
  h3 {
    line-height: 1.2;
    margin: 0 0 0.5rem;
    text-wrap: balance;
  }
  h1 {
    font-size: 1.5rem;
  }
  h2 {
    font-size: 1.1rem;
  }
  h3 {
    font-size: 1rem;
  }
  h1:focus {
    outline: none;
  }
  p {
    margin: 0 0 0.6rem;
  }
  a {
    color: var(--accent);
  }
  button,
  .button,
  input,
  select,
  textarea {
    font: inherit;
    color: var(--text);
    border: 1px solid var(--field-edge);
    border-radius: var(--radius);
    background: var(--raised);
    min-height: 2.4rem;
    padding: 0.3rem 0.7rem;
    max-width: 100%;
  }
  button,
  .button {
    border-color: var(--edge);
    cursor: pointer;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    text-decoration: none;
    white-space: nowrap;
  }
  button:hover:not(:disabled),
  .button:hover {
    border-color: var(--accent);
  }
  button:disabled {
    color: var(--quiet);
    cursor: not-allowed;
    opacity: 0.6;
  }
  button.primary,
  .button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  button[aria-pressed="true"] {
    background: var(--tint);
    border-color: var(--accent);
  }
  button.plain {
    background: none;
    border-color: transparent;
  }
  input[type="checkbox"],
  input[type="radio"] {
    min-height: 0;
    width: 1.1rem;
    height: 1.1rem;
    accent-color: var(--accent);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  label,
  .label {
    display: block;
    font-weight: 600;
    font-size: 0.9rem;
    margin-bottom: 0.2rem;
  }
  .field {
    margin-bottom: 0.8rem;
    min-width: 0;
  }
  .field input:not([type="checkbox"], [type="radio"]),
  .field select,
  .field textarea {
    width: 100%;
  }
  .help,
  .quiet {
    color: var(--quiet);
    font-size: 0.87rem;
  }
  .error {
    color: var(--bad);
    background: var(--bad-tint);
    border-radius: var(--radius);
    padding: 0.5rem 0.75rem;
    margin: 0 0 0.8rem;
    overflow-wrap: anywhere;
  }
  .card {
    background: var(--surface);
    border-radius: 12px;
    padding: 1rem;
    min-width: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  code,
  .mono {
    font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
    font-size: 0.87em;
    overflow-wrap: anywhere;
  }
  details > summary {
    cursor: pointer;
    padding: 0.25rem 0;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: no-preference) {
    button,
    .button {
      transition:
        border-color 0.12s,
        background 0.12s;
    }
  }
`;
