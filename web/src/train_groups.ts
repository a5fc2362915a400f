// The fields of a learner's form, by groups that fold.
import { css, html } from "lit";
import { drawField, fieldLook } from "./train_field.js";
import type { FormField, Given, Value } from "./train_data.js";

export const formLook = css`
  ${fieldLook}
  fieldset {
    border: 0;
    padding: 0;
    margin: 0;
    min-width: 0;
  }
  .card {
    margin-bottom: 1rem;
  }
  .card > h2,
  summary h2 {
    display: inline-block;
    margin: 0 0 0.6rem;
  }
  details:not([open]) summary h2 {
    margin: 0;
  }
`;

export interface Filling {
  given: Given; // what differs from what the form shows at first
  errors: Record<string, string>; // by field
  open: string[]; // groups that are open at first
  change: (field: FormField, value: Value) => void;
}

export function drawGroups(fields: FormField[], filling: Filling) {
  const groups = [...new Set(fields.map(({ group }) => group))];
  return groups.map((group) => drawGroup(group, fields.filter((field) => field.group === group), filling));
}

function drawGroup(group: string, fields: FormField[], { given, errors, open, change }: Filling) {
  const isOpen = open.includes(group) || fields.some(({ name }) => name in errors || name in given);
  return html`<div class="card">
    <details ?open=${isOpen}>
      <summary><h2>${group}</h2></summary>
      <fieldset class="grid" aria-label=${group}>
        ${fields.map((field) =>
          drawField(field, valueOf(field, given), errors[field.name] ?? "", (value) => change(field, value)),
        )}
      </fieldset>
    </details>
  </div>`;
}

/** What is given, but for what is as the form shows it at first; of fields on which others depend, always. */
export function withValue(given: Given, field: FormField, value: Value): Given {
  const { [field.name]: _, ...others } = given;
  const isSame = JSON.stringify(value) === JSON.stringify(field.default) && !field.redraws;
  return isSame ? others : { ...given, [field.name]: value };
}

/** Of what is given that of the fields of a form: one that is filled as an older bot was may have fewer. */
export const ofFields = (given: Given, fields: FormField[]): Given =>
  Object.fromEntries(Object.entries(given).filter(([name]) => fields.some((field) => field.name === name)));

const valueOf = (field: FormField, given: Given): Value =>
  field.name in given ? (given[field.name] ?? null) : field.default;
