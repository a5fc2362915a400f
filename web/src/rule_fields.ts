// The rule options of a game as fields of a form.
import { html, nothing, type TemplateResult } from "lit";
import type { GameEntry, OptionEntry, Options, OptionValue } from "./play_data.js";
import { asOption } from "./play_draft.js";

/** A field for each option. change: told the name and the new value of one. */
export const ruleFields = (
  entry: GameEntry,
  options: Options,
  change: (name: string, value: OptionValue) => void,
): TemplateResult[] => Object.entries(entry.options).map(([name, option]) => ruleField(name, option, options[name] ?? option.value, change));

function ruleField(
  name: string,
  { value, choices, range }: OptionEntry,
  now: OptionValue,
  change: (name: string, value: OptionValue) => void,
): TemplateResult {
  const list = choices ?? (typeof value === "boolean" ? [true, false] : undefined);
  const changed = (event: Event): void => change(name, asOption((event.target as HTMLInputElement).value, value));
  return html`<div class="field">
    <label for=${`option-${name}`}>${name.replaceAll("_", " ")}</label>
    ${list
      ? html`<select id=${`option-${name}`} @change=${changed}>
          ${list.map((choice) => html`<option value=${String(choice)} .selected=${choice === now}>${optionText(choice)}</option>`)}
        </select>`
      : html`<input
          id=${`option-${name}`}
          type=${typeof value === "number" ? "number" : "text"}
          min=${range?.[0] ?? nothing}
          max=${range?.[1] ?? nothing}
          maxlength="80"
          .value=${String(now)}
          @change=${changed}
        />`}
  </div>`;
}

const optionText = (value: OptionValue): string =>
  value === true ? "yes" : value === false ? "no" : value === "" ? "none" : String(value).replaceAll("_", " ");
