/**
 * Lines put together from styled pieces.
 *
 * @module
 */

import type { Paint, Style } from "./paint.ts";
import { fit, type Span } from "./text.ts";

/** A piece of a line. */
export interface Piece extends Span {
  /** How it looks. */
  readonly style: Style;
}

/** A text as a piece of at most `columns` cells. */
export function piece(
  style: Style,
  text: string,
  columns = 1000,
): Piece {
  return { style, ...fit(text, columns) };
}

/** The piece with spaces after it, up to `columns` cells. */
export function padded(piece: Piece, columns: number): Piece {
  if (piece.cells >= columns) return piece;
  const text = piece.text + " ".repeat(columns - piece.cells);
  return { ...piece, text, cells: columns };
}

/** How wide pieces are together. */
export function cellsOf(pieces: readonly Piece[]): number {
  let cells = 0;
  for (const piece of pieces) cells += piece.cells;
  return cells;
}

/** The pieces one after another, cut where `columns` cells are full. */
export function line(
  pieces: readonly Piece[],
  columns: number,
  paint: Paint,
): string {
  let painted = "";
  let left = columns;
  for (const { style, text, cells } of pieces) {
    const shown = cells <= left ? text : fit(text, left).text;
    painted += paint(style, shown);
    left -= cells;
    if (left <= 0) break;
  }
  return painted;
}
