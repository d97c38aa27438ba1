/**
 * A frame around lines.
 *
 * @module
 */

import { cellsOf, line, type Piece, piece } from "./line.ts";
import type { Paint } from "./paint.ts";

/** Cells that a frame takes from the columns of what is in it. */
export const FRAME_COLUMNS = 4;
/** Lines that a frame takes. */
export const FRAME_ROWS = 2;

const LEFT = piece("faint", "│ ");
const RIGHT = piece("faint", " │");

/**
 * Draws a frame of `columns` cells around lines that are {@linkcode FRAME_COLUMNS}
 * narrower at most, with a title above and a hint below.
 */
export function framed(
  lines: readonly (readonly Piece[])[],
  columns: number,
  labels: { readonly title: string; readonly hint: string },
  paint: Paint,
): string[] {
  const inner = columns - FRAME_COLUMNS;
  const title = piece("plain", labels.title, inner - 1);
  const hint = piece("faint", labels.hint, inner - 2);
  const rows = [
    [piece("faint", "╭ "), title, rule(" ", inner - title.cells, "╮")],
    ...lines.map((pieces) => {
      const space = " ".repeat(Math.max(inner - cellsOf(pieces), 0));
      return [LEFT, ...pieces, piece("plain", space), RIGHT];
    }),
    [rule("╰", inner - 2 - hint.cells, " "), hint, piece("faint", " ──╯")],
  ];
  return rows.map((pieces) => line(pieces, columns, paint));
}

function rule(start: string, columns: number, end: string): Piece {
  return piece("faint", start + "─".repeat(columns) + end);
}
