// Numbers as the page writes them, whose language is English whatever the browser's is.

/** A number, with commas between thousands. */
export const count = (number: number): string => number.toLocaleString("en");

/** So many of a unit, which is named in the plural: 1 episode, 1,000 episodes. one: its name in the singular. */
export const amount = (number: number, unit: string, one = unit.replace(/s$/, "")): string =>
  `${count(number)} ${number === 1 ? one : unit}`;

/** A number with so many digits that count. */
export const rounded = (number: number, digits: number): string => number.toLocaleString("en", { maximumSignificantDigits: digits });

/** A share of 1 in per cent. */
export const percent = (share: number): string => `${(100 * share).toLocaleString("en", { maximumFractionDigits: 1 })} %`;
