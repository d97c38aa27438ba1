/**
 * A task as one line: `id · status · content`.
 *
 * @module
 */

import { cellsOf, padded, type Piece, piece } from "./line.ts";
import type { TaskState } from "./task_state.ts";
import { fit, fitEnd } from "./text.ts";

const SEPARATOR = piece("faint", " · ");
const SPACE = piece("plain", " ");
const STATUS_COLUMNS = "◐ in_progress".length;
const CONTENT_COLUMNS = 20;
const ID_COLUMNS = { longest: 24, shortest: 5 };
const LEAST_COLUMNS_WITH_ID = 18;
const LEAST_COLUMNS_WITH_TAG = 6;

/** Which columns a list of tasks has room for. */
export interface RowLayout {
  /** Cells of the whole row. */
  readonly columns: number;
  /** Cells of the id; 0 when there is no room for one. */
  readonly idColumns: number;
  /** Whether the status is written out next to its glyph. */
  readonly words: boolean;
}

/**
 * The layout for rows with these ids. What matters least gives way first: the
 * start of the ids, the status in words, then the ids.
 */
export function rowLayout(ids: readonly string[], columns: number): RowLayout {
  let longest = 0;
  for (const id of ids) {
    longest = Math.max(longest, fit(id, ID_COLUMNS.longest).cells);
  }
  const shortest = Math.min(longest, ID_COLUMNS.shortest);
  const room = columns - STATUS_COLUMNS - CONTENT_COLUMNS - 2 * SEPARATOR.cells;
  if (room >= longest) return { columns, idColumns: longest, words: true };
  if (room >= shortest) return { columns, idColumns: shortest, words: true };
  const idColumns = columns >= LEAST_COLUMNS_WITH_ID ? shortest : 0;
  return { columns, idColumns, words: false };
}

/** What a row shows. */
export interface Row {
  readonly id: string;
  readonly state: TaskState;
  readonly content: string;
  /** What is drawn before the content, to show where it belongs. */
  readonly branch?: string;
  /** Whether the row is the one that keys are about. */
  readonly selected?: boolean;
}

/** The pieces of a task's row. */
export function rowPieces(layout: RowLayout, row: Row): Piece[] {
  const { id, state, content, branch = "", selected = false } = row;
  const { columns, idColumns, words } = layout;
  const pieces: Piece[] = [];
  if (idColumns > 0) {
    const style = selected ? "strong" : "faint";
    const end: Piece = { style, ...fitEnd(id, idColumns) };
    pieces.push(padded(end, idColumns), SEPARATOR);
  }
  const status = piece(state.style, statusText(state, words));
  if (words) pieces.push(padded(status, STATUS_COLUMNS), SEPARATOR);
  else pieces.push(status, idColumns > 0 ? SEPARATOR : SPACE);
  if (branch !== "") {
    const room = Math.floor((columns - cellsOf(pieces)) / 2);
    pieces.push(piece("faint", branch, room));
  }
  pieces.push(...contentPieces(state, content, columns - cellsOf(pieces)));
  return pieces;
}

function statusText(state: TaskState, words: boolean): string {
  return words ? `${state.glyph} ${state.word}` : state.glyph;
}

/** What a task is about, in `columns` cells, with its tag when there is room for both. */
export function contentPieces(
  state: TaskState,
  content: string,
  columns: number,
): Piece[] {
  const tag = piece("waiting", state.tag === "" ? "" : ` ${state.tag}`);
  if (tag.cells === 0 || columns < tag.cells + LEAST_COLUMNS_WITH_TAG) {
    return [piece(state.contentStyle, content, columns)];
  }
  return [piece(state.contentStyle, content, columns - tag.cells), tag];
}
