/**
 * How much room a view has.
 *
 * @module
 */

/** The room a view may fill, in terminal cells. */
export interface Size {
  /** Cells in a line. */
  readonly columns: number;
  /** Lines. */
  readonly rows: number;
}

/** What a terminal counts as that does not know its size. */
export const FALLBACK_SIZE: Size = { columns: 80, rows: 24 };
const LIMIT = 1000;

/**
 * The size that views lay out for: whole cells, from 0×0 to 1000×1000.
 *
 * A side that is not a number becomes that of an 80×24 terminal, as terminals
 * that do not know their size are treated everywhere.
 */
export function usableSize(size: Size): Size {
  return {
    columns: usable(size.columns, FALLBACK_SIZE.columns),
    rows: usable(size.rows, FALLBACK_SIZE.rows),
  };
}

function usable(cells: number, fallback: number): number {
  const whole = Math.floor(cells);
  return Number.isNaN(whole) ? fallback : Math.min(Math.max(whole, 0), LIMIT);
}
