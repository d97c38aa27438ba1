/**
 * The composer: where a person types. A pure view and a pure reducer.
 *
 * @module
 */

import { fit, type Frame, type Key, type Size } from "@kin/tasks-dag/ui";

const PROMPT = "› ";
const MOST_LINES = 6;

/** What was typed so far, and where the next character goes. */
export interface Composer {
  /** The text before the cursor. */
  readonly before: string;
  /** The text after the cursor. */
  readonly after: string;
}

/** A composer that nothing was typed into. */
export const EMPTY_COMPOSER: Composer = { before: "", after: "" };

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The composer after a key press. */
export function composerKey(composer: Composer, key: Key): Composer {
  const { before, after } = composer;
  const { sequence = "" } = key;
  if (key.name === "paste") return type(composer, sequence);
  if (key.ctrl) {
    switch (key.name) {
      case "a":
        return { before: "", after: before + after };
      case "e":
        return { before: before + after, after: "" };
      case "u":
        return { before: "", after };
      case "w":
        return { before: before.replace(/\S*\s*$/, ""), after };
      default:
        return composer;
    }
  }
  const [head, last] = split(before, -1);
  const [next, tail] = split(after, 0);
  switch (key.name) {
    case "backspace":
      return { before: head, after };
    case "delete":
      return { before, after: tail };
    case "left":
      return { before: head, after: last + after };
    case "right":
      return { before: before + next, after: tail };
    case "home":
      return { before: "", after: before + after };
    case "end":
      return { before: before + after, after: "" };
    default:
      return isText(key) ? type(composer, sequence) : composer;
  }
}

function type(composer: Composer, text: string): Composer {
  const typed = text.replace(/\r\n?/g, "\n");
  return { ...composer, before: composer.before + typed };
}

/** The text cut before (0) or in front of the end of (-1) one grapheme. */
function split(text: string, side: 0 | -1): [string, string] {
  const graphemes = Array.from(segmenter.segment(text), (s) => s.segment);
  const at = side === 0 ? 1 : graphemes.length - 1;
  return [
    graphemes.slice(0, Math.max(at, 0)).join(""),
    graphemes.slice(Math.max(at, 0)).join(""),
  ];
}

function isText(key: Key): boolean {
  const { sequence = "" } = key;
  return !key.meta && /^[^\p{Cc}]+$/u.test(sequence);
}

/** Draws the composer: its last lines, with the cursor in view. */
export function renderComposer(
  composer: Composer,
  size: Size,
): Pick<Frame, "lines" | "cursor"> {
  const columns = Math.max(size.columns - PROMPT.length - 1, 1);
  const lines = (composer.before + composer.after).split("\n");
  const row = composer.before.split("\n").length - 1;
  const rows = Math.max(Math.min(MOST_LINES, size.rows), 1);
  const first = Math.max(row - rows + 1, 0);
  const typed = composer.before.split("\n").at(-1) ?? "";
  const drawn = lines.slice(first, first + rows).map((line, i) => {
    const isCurrent = first + i === row;
    const shown = isCurrent
      ? endOf(typed, columns) + line.slice(typed.length)
      : line;
    const prompt = first + i === 0 ? PROMPT : "  ";
    return fit(prompt + fit(shown, columns).text, size.columns).text;
  });
  const { cells } = fit(endOf(typed, columns), columns);
  const column = Math.min(PROMPT.length + cells, Math.max(size.columns - 1, 0));
  return { lines: drawn, cursor: { row: row - first, column } };
}

/** As much of the end of a line as fits, so that the cursor stays in view. */
function endOf(text: string, columns: number): string {
  const graphemes = Array.from(segmenter.segment(text), (s) => s.segment);
  let cells = 0;
  let first = graphemes.length;
  for (; first > 0; first--) {
    cells += fit(graphemes[first - 1]!, 2).cells;
    if (cells > columns) break;
  }
  return graphemes.slice(first).join("");
}
