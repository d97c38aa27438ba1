/**
 * The escape codes that the screen steers a terminal with.
 *
 * @module
 */

export const BEGIN_UPDATE = "\x1b[?2026h";
export const END_UPDATE = "\x1b[?2026l";
export const ENTER_ALTERNATE_BUFFER = "\x1b[?1049h";
export const LEAVE_ALTERNATE_BUFFER = "\x1b[?1049l";
export const ENABLE_PASTE_MARKERS = "\x1b[?2004h";
export const DISABLE_PASTE_MARKERS = "\x1b[?2004l";
export const ENABLE_WRAPPING = "\x1b[?7h";
export const DISABLE_WRAPPING = "\x1b[?7l";
export const SHOW_CURSOR = "\x1b[?25h";
export const HIDE_CURSOR = "\x1b[?25l";
export const CLEAR_LINE = "\x1b[2K";
export const CLEAR_BELOW = "\x1b[J";
export const CLEAR_ALL = "\x1b[H\x1b[2J";
export const RESET_STYLE = "\x1b[0m";

/** Moves the cursor by rows, within the window; negative is up. */
export function moveRows(rows: number): string {
  if (rows === 0) return "";
  return rows < 0 ? `\x1b[${-rows}A` : `\x1b[${rows}B`;
}

/** Moves the cursor to a column of its row; 0 is the first. */
export function moveToColumn(column: number): string {
  return column === 0 ? "\r" : `\r\x1b[${column}C`;
}
