/**
 * A region of a terminal that is drawn again and again, changing only what
 * differs. It computes what to write and writes nothing itself.
 *
 * @module
 */

import {
  CLEAR_BELOW,
  CLEAR_LINE,
  HIDE_CURSOR,
  moveRows,
  moveToColumn,
  SHOW_CURSOR,
} from "./escape_codes.ts";

/** What a region shows. */
export interface RegionContent {
  /** The lines, each no wider than the window. */
  readonly lines: readonly string[];
  /** Where the cursor stands, counted from 0; hidden when absent. */
  readonly cursor?:
    | { readonly row: number; readonly column: number }
    | undefined;
}

/** An empty region, where the cursor stands at the start of a line. */
export const EMPTY_REGION: RegionContent = { lines: [] };

/** The codes that turn one content of a region into another; empty when both are the same. */
export function regionUpdate(
  before: RegionContent,
  after: RegionContent,
): string {
  let output = "";
  let row = cursorRow(before);
  const moveTo = (target: number) => {
    // Only line feeds make room where the window ends.
    const last = Math.max(before.lines.length - 1, row, 0);
    output += moveRows(Math.min(target, last) - row);
    output += "\r\n".repeat(Math.max(target - last, 0));
    row = target;
  };
  for (const [i, line] of after.lines.entries()) {
    if (line === before.lines[i]) continue;
    moveTo(i);
    output += `\r${CLEAR_LINE}${line}`;
  }
  if (after.lines.length < before.lines.length) {
    moveTo(after.lines.length);
    output += `\r${CLEAR_BELOW}`;
  }
  if (output === "" && sameCursor(before, after)) return "";
  moveTo(cursorRow(after));
  output += moveToColumn(after.cursor?.column ?? 0);
  return output + (after.cursor === undefined ? HIDE_CURSOR : SHOW_CURSOR);
}

/** The codes that clear a region and leave the cursor where it began. */
export function regionRemoval(content: RegionContent): string {
  return `${moveRows(-cursorRow(content))}\r${CLEAR_BELOW}`;
}

function cursorRow(content: RegionContent): number {
  const last = Math.max(content.lines.length - 1, 0);
  return Math.min(content.cursor?.row ?? last, last);
}

function sameCursor(a: RegionContent, b: RegionContent): boolean {
  return a.cursor?.row === b.cursor?.row &&
    a.cursor?.column === b.cursor?.column;
}
