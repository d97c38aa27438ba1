/**
 * Data as text that any terminal and any script can take.
 *
 * @module
 */

import { fit } from "../ui/mod.ts";

/** The whole text in one line, without anything that steers a terminal. */
export function oneLine(text: string): string {
  return fit(text, Infinity).text;
}

/** Values between tabs, which none of them holds. */
export function tabbed(values: readonly (string | number)[]): string {
  return values.map((value) => oneLine(`${value}`)).join("\t");
}

/**
 * A value as JSON in one line. What steers or disguises text on a terminal is
 * escaped, which changes nothing of the data.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (found) =>
      Array.from(
        { length: found.length },
        (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}

const MOST_NAMED = 10;

/** The names with commas between them: the first few, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") +
    (rest > 0 ? ` and ${rest} more` : "");
}

const LONGEST_DATE = 8.64e15;

/** A time in unix milliseconds, to the second. */
export function timeText(unixMs: number): string {
  if (!(Math.abs(unixMs) <= LONGEST_DATE)) return "-";
  return `${new Date(unixMs).toISOString().slice(0, 19)}Z`;
}
