/**
 * Text from tasks, made fit to stand in a box of a picture.
 *
 * @module
 */

const MAX_GRAPHEMES = 60;
/** How much of a long text, in code units, can matter to a label. */
const ENOUGH = 16 * MAX_GRAPHEMES;
const ELLIPSIS = "…";
// Control characters, and what is no character or not allowed in XML.
const BROKEN = /[\p{Cc}\ufffe\uffff]/gu;
// Format characters (bidi controls, zero-width spaces, byte order marks, …)
// and fillers that look like nothing, but for the joiners and tags that emoji
// and some scripts are built with.
const INVISIBLE =
  /[\u034f\u115f\u1160\u3164\uffa0]|(?![\u200c\u200d\u{e0020}-\u{e007f}])\p{Cf}/gu;
const MARK_PILE = /(\p{M}{8})\p{M}+/gu;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * The text as one line without control characters or anything that reorders
 * or hides text, cut between graphemes when it is long.
 */
export function labelOf(text: string): string {
  const line = text.slice(0, ENOUGH).toWellFormed()
    .replace(/[\s\x85]+/g, " ")
    .replace(BROKEN, "\ufffd")
    .replace(INVISIBLE, "")
    .replace(MARK_PILE, "$1")
    .trim();
  const graphemes = Array.from(segmenter.segment(line), (s) => s.segment);
  const isWhole = text.length <= ENOUGH && graphemes.length <= MAX_GRAPHEMES;
  if (isWhole) return line;
  // The last grapheme of what was looked at may be a part of one.
  const end = Math.min(MAX_GRAPHEMES, graphemes.length) - 1;
  return graphemes.slice(0, end).join("").trimEnd() + ELLIPSIS;
}
