// One field of a form: its label, its help, what is wrong with it; and how forms look.
import { css, html, nothing, type TemplateResult } from "lit";
import type { FormField, Value } from "./train_data.js";

const SHORT = 12; // letters of a number

export const fieldLook = css`
  .grid {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
    gap: 0.25rem 1.25rem;
    align-items: start;
  }
  .check {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    min-height: 2.4rem;
  }
  .help {
    margin: 0.25rem 0 0;
  }
  .wrong {
    color: var(--bad);
    margin: 0.25rem 0 0;
    overflow-wrap: anywhere;
  }
  [data-wrong] input,
  [data-wrong] select,
  [data-wrong] textarea {
    border-color: var(--bad);
  }
  .make {
    min-height: 3rem;
    font-size: 1.1rem;
    padding: 0.3rem 2rem;
  }
`;

/** A name as people read it: greedy_episodes is "Greedy episodes". */
export const labelOf = ({ label, name }: FormField): string => label || capital(name.replaceAll("_", " "));

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function drawField(
  field: FormField,
  value: Value,
  error: string,
  change: (value: Value) => void,
  unset = "the learner decides", // what an empty field means
): TemplateResult {
  const id = `field-${field.name}`;
  const described = `${id}-help${error ? ` ${id}-error` : ""}`;
  return html`<div class="field" ?data-wrong=${error !== ""}>
    ${field.kind === "flag" && !field.is_optional
      ? html`<label class="check" for=${id}>${control(field, value, error, change, id, described, unset)} ${labelOf(field)}</label>`
      : html`<label for=${id}>${labelOf(field)}</label>${control(field, value, error, change, id, described, unset)}`}
    ${error ? html`<p class="wrong" id="${id}-error">${error}</p>` : nothing}
    <p class="help" id="${id}-help">${capital(field.help)}</p>
  </div>`;
}

function control(
  field: FormField,
  value: Value,
  error: string,
  change: (value: Value) => void,
  id: string,
  described: string,
  unset: string,
): TemplateResult {
  const isWrong = error ? "true" : "false";
  const text = (event: Event): string => (event.target as HTMLInputElement).value;
  if (field.kind === "flag" && !field.is_optional)
    return html`<input
      id=${id}
      type="checkbox"
      aria-describedby=${described}
      aria-invalid=${isWrong}
      .checked=${value === true}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked)}
    />`;
  if (field.kind === "flag" || field.kind === "choice") {
    const choices = field.kind === "flag" ? ["true", "false"] : field.choices;
    const labels = field.kind === "flag" ? ["yes", "no"] : field.labels;
    const asValue = (word: string): Value => (word === "" ? null : field.kind === "flag" ? word === "true" : word);
    return html`<select
      id=${id}
      aria-describedby=${described}
      aria-invalid=${isWrong}
      @change=${(event: Event) => change(asValue(text(event)))}
    >
      ${field.is_optional ? html`<option value="" ?selected=${value === null}>${unset}</option>` : nothing}
      ${choices.map(
        (choice, k) => html`<option value=${choice} ?selected=${String(value) === choice}>${labels[k] ?? choice}</option>`,
      )}
    </select>`;
  }
  if (field.kind === "list" && field.item === "text")
    return html`<textarea
      id=${id}
      rows=${Math.min(10, Math.max(2, Array.isArray(value) ? value.length : 0))}
      aria-describedby=${described}
      aria-invalid=${isWrong}
      placeholder=${value === null ? unset : "one a line"}
      .value=${Array.isArray(value) ? value.join("\n") : ""}
      @change=${(event: Event) => change(listOf(text(event).split("\n"), field))}
    ></textarea>`;
  const isNumber = field.kind === "int" || field.kind === "float";
  return html`<input
      id=${id}
      type="text"
      size=${isNumber ? SHORT : 30}
      inputmode=${isNumber ? "decimal" : "text"}
      autocomplete="off"
      spellcheck="false"
      list=${field.choices.length > 0 ? `${id}-choices` : nothing}
      aria-describedby=${described}
      aria-invalid=${isWrong}
      placeholder=${value === null ? (field.is_optional ? unset : "") : ""}
      .value=${shown(value)}
      @change=${(event: Event) => change(entered(text(event), field))}
    />${field.choices.length > 0
      ? html`<datalist id="${id}-choices">${field.choices.map((choice) => html`<option value=${choice}></option>`)}</datalist>`
      : nothing}`;
}

const shown = (value: Value): string => (value === null ? "" : Array.isArray(value) ? value.join(" ") : String(value));

/** What was typed as a value: a number where one is expected and one was typed, else the text, of which the server says more. */
function entered(text: string, field: FormField): Value {
  const trimmed = text.trim();
  if (trimmed === "" && field.is_optional) return null;
  if (field.kind === "list") return listOf(trimmed.split(/[\s,]+/), field);
  return field.kind === "int" || field.kind === "float" ? numberOf(trimmed) : trimmed;
}

function listOf(words: string[], field: FormField): Value {
  const kept = words.map((word) => word.trim()).filter((word) => word !== "");
  if (kept.length === 0 && field.is_optional) return null;
  return field.item === "text" ? kept : kept.map(numberOf);
}

const numberOf = (text: string): Value => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
