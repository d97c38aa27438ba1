/**
 * Text from tasks, made fit for terminal cells: every string that is not a
 * view's own goes through here before it reaches a line.
 *
 * @module
 */

import stringWidth from "string-width";

/** A text and the terminal cells that it takes. */
export interface Span {
  /** One line, safe to be written to a terminal. */
  readonly text: string;
  /** How wide it is. */
  readonly cells: number;
}

const ELLIPSIS = "…";
const NOTHING: Span = { text: "", cells: 0 };
const PLAIN = /^[\x20-\x7e]*$/;
const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;
const BREAK_OR_TAB = /[\t\n\v\f\r\x85\u2028\u2029]\s*/g;
// deno-lint-ignore no-control-regex -- finding control characters is the point
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;
// Format characters (bidi controls, zero-width spaces, byte order marks, …)
// and fillers that look like nothing, but for the joiners and tags that emoji
// and some scripts are built with.
const INVISIBLE =
  /[\u034f\u115f\u1160\u3164\uffa0]|(?![\u200c\u200d\u{e0020}-\u{e007f}])\p{Cf}/gu;
const MARK_PILE = /(\p{M}{8})\p{M}+/gu;
// A quick look that spares most texts the rest.
const UNCLEAN =
  // deno-lint-ignore no-control-regex -- the same here
  /[\x00-\x1f\x7f-\x9f\u115f\u1160\u2028\u2029\u3164\uffa0\p{Cf}\p{M}\p{Cs}]/u;
const REMEMBERED_WIDTHS = 4096;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
const widths = new Map<string, number>();

function cellsOf(grapheme: string): number {
  let cells = widths.get(grapheme);
  if (cells === undefined) {
    cells = stringWidth(grapheme);
    if (widths.size === REMEMBERED_WIDTHS) widths.clear();
    widths.set(grapheme, cells);
  }
  return cells;
}

function sanitize(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return text.toWellFormed()
    .replace(BREAK_OR_TAB, " ")
    .replace(CONTROL, visibleMark)
    .replace(INVISIBLE, "")
    .replace(MARK_PILE, "$1");
}

/** The picture of an ASCII control character; the 8-bit ones have none. */
function visibleMark(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "\ufffd";
}

function width(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let cells = 0;
  for (const { segment } of segmenter.segment(text)) cells += cellsOf(segment);
  return cells;
}

/** How much of a text, in code units, can matter to a line. */
function enoughFor(columns: number): number {
  return 8 * columns + 256;
}

/**
 * The text as one line of at most `columns` cells. It is cut between graphemes
 * and ends in an ellipsis when it is longer. Line breaks and tabs become
 * spaces, control characters become visible marks, and characters that would
 * reorder or hide text are left out.
 *
 * Only as much of a long text is looked at as can matter.
 */
export function fit(text: string, columns: number): Span {
  if (columns <= 0) return NOTHING;
  if (PLAIN.test(text.slice(0, columns + 1))) {
    if (text.length <= columns) return { text, cells: text.length };
    return { text: text.slice(0, columns - 1) + ELLIPSIS, cells: columns };
  }
  const enough = enoughFor(columns);
  const line = sanitize(text.slice(0, enough));
  let end = 0;
  let endCells = 0;
  let cells = 0;
  for (const { segment, index } of segmenter.segment(line)) {
    const isLast = index + segment.length === line.length;
    // The last grapheme of a part may be a part of a grapheme.
    const isPart = isLast && text.length > enough;
    cells += cellsOf(segment);
    if (cells > columns || isPart) {
      return { text: line.slice(0, end) + ELLIPSIS, cells: endCells + 1 };
    }
    if (cells < columns) {
      end = index + segment.length;
      endCells = cells;
    }
  }
  if (text.length > enough) return { text: ELLIPSIS, cells: 1 };
  return { text: line, cells };
}

/** Like {@linkcode fit}, but keeps the end of the text rather than its start. */
export function fitEnd(text: string, columns: number): Span {
  if (columns <= 0) return NOTHING;
  const tail = text.slice(-enoughFor(columns));
  const whole = fit(tail, 2 * tail.length);
  if (tail === text && whole.cells <= columns) return whole;
  const graphemes = Array.from(segmenter.segment(whole.text), (s) => s.segment);
  let kept = "";
  let cells = 1;
  for (const grapheme of graphemes.reverse()) {
    if (cells + cellsOf(grapheme) > columns) break;
    kept = grapheme + kept;
    cells += cellsOf(grapheme);
  }
  return { text: ELLIPSIS + kept, cells };
}

/** The first of these wordings that is at most `columns` cells wide, else the last. */
export function firstFitting(
  wordings: readonly [string, ...string[]],
  columns: number,
): string {
  return wordings.find((text) => width(text) <= columns) ?? wordings.at(-1)!;
}

/**
 * The text as lines of at most `columns` cells, cleaned like {@linkcode fit}.
 * Its own line breaks stay; long lines break between words, long words between
 * graphemes.
 */
export function wrap(text: string, columns: number): readonly string[] {
  if (columns <= 0) return [];
  return text.split(LINE_BREAK).flatMap((line) => wrapLine(line, columns));
}

function wrapLine(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let cells = 0;
  const startLine = () => {
    if (line.trim() !== "") lines.push(line.trimEnd());
    line = "";
    cells = 0;
  };
  for (const word of sanitize(text).match(/ +|[^ ]+/g) ?? []) {
    const wordCells = width(word);
    if (cells + wordCells <= columns) {
      line += word;
      cells += wordCells;
    } else if (word.startsWith(" ")) {
      startLine();
    } else if (wordCells <= columns) {
      startLine();
      line = word;
      cells = wordCells;
    } else {
      for (const { segment } of segmenter.segment(word)) {
        const shown = cellsOf(segment) > columns ? ELLIPSIS : segment;
        if (cells + cellsOf(shown) > columns) startLine();
        line += shown;
        cells += cellsOf(shown);
      }
    }
  }
  lines.push(line);
  return lines;
}
