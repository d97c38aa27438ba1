/**
 * The task modal: one task, what it waits for and what waits for it.
 *
 * @module
 */

import type { Snapshot } from "../model/task.ts";
import { FRAME_COLUMNS, FRAME_ROWS, framed } from "./frame.ts";
import type { Key } from "./key.ts";
import { line, piece } from "./line.ts";
import { paintWith } from "./paint.ts";
import { clampTop, stepOf } from "./scroll.ts";
import { type Size, usableSize } from "./size.ts";
import { taskDetails } from "./task_details.ts";
import type { ViewOptions } from "./view_options.ts";

const FRAME = { leastColumns: 24, leastRows: 6, widest: 100 };
const LEAST_ROWS_FOR_HINT = 4;

/** Which task is inspected, and how far it is scrolled: plain data, changed by {@linkcode taskModalKey}. */
export interface TaskModalView {
  /** The task that is shown. */
  readonly taskId: string;
  /** The first line of it on screen; 0 when absent. */
  readonly top?: number | undefined;
}

/**
 * Draws the modal: the task's status and what it waits for in the end, its
 * content, the tasks in `blockedBy` with their own blockers down to the roots,
 * and the tasks in `blocks`, each with its status and content.
 *
 * It takes no more lines than it needs and is scrolled when it needs more than
 * it has. A task that is not in the snapshot is said to be missing.
 *
 * @param snapshot The tasks.
 * @param view Which task, and how far it is scrolled.
 * @param size What the modal may fill.
 * @returns At most `size.rows` lines, none wider than `size.columns` cells.
 *
 * @example See why a task cannot start
 * ```ts
 * import { renderTaskModal } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Provision the dev DB", status: "pending" as const, blocks: ["t_2"] },
 *     { id: "t_2", content: "Seed fixtures", status: "pending" as const, blockedBy: ["t_1"] },
 *   ],
 * };
 * const size = { columns: 54, rows: 20 };
 * assertEquals(renderTaskModal(snapshot, { taskId: "t_2" }, size), [
 *   "╭ t_2 ───────────────────────────────────────────────╮",
 *   "│ ⊘ pending · waits for Provision the dev DB         │",
 *   "│                                                    │",
 *   "│ Seed fixtures                                      │",
 *   "│                                                    │",
 *   "│ Blocked by                                         │",
 *   "│ t_1 · ○ pending     · Provision the dev DB         │",
 *   "│                                                    │",
 *   "│ Blocks nothing                                     │",
 *   "╰────────────────────────────────────────── q back ──╯",
 * ]);
 * ```
 */
export function renderTaskModal(
  snapshot: Snapshot,
  view: TaskModalView,
  size: Size,
  options: ViewOptions = {},
): readonly string[] {
  const { columns, rows } = usableSize(size);
  if (columns === 0 || rows === 0) return [];
  const paint = paintWith(options.color);
  const room = roomIn(columns, rows);
  const details = taskDetails(snapshot, view.taskId, room.columns);
  const top = clampTop(view.top ?? 0, details.length, room.rows);
  const shown = details.slice(top, top + room.rows)
    .map((pieces) => pieces());
  const scrolls = details.length > room.rows;
  const end = top + shown.length;
  const hint = scrolls
    ? `${top + 1}–${end} of ${details.length} · ↑↓ scroll · q back`
    : "q back";
  if (room.framed) {
    const labels = { title: view.taskId, hint };
    return framed(shown, room.columns + FRAME_COLUMNS, labels, paint);
  }
  if (room.rows < rows) shown.push([piece("faint", hint)]);
  return shown.map((pieces) => line(pieces, columns, paint));
}

/**
 * The view after a key press, or `undefined` when the modal was closed.
 *
 * Arrows, page keys, Home and End scroll; Escape or `q` closes.
 *
 * @param view The view before.
 * @param key What was pressed.
 * @param snapshot The tasks that were on screen.
 * @param size What the modal may fill.
 *
 * @example Close the modal
 * ```ts
 * import { taskModalKey } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const size = { columns: 80, rows: 24 };
 * const view = taskModalKey({ taskId: "t_1" }, { name: "escape" }, { tasks: [] }, size);
 * assertEquals(view, undefined);
 * ```
 */
export function taskModalKey(
  view: TaskModalView,
  key: Key,
  snapshot: Snapshot,
  size: Size,
): TaskModalView | undefined {
  if (key.name === "escape" || key.name === "q") return undefined;
  const { columns, rows } = usableSize(size);
  const room = roomIn(columns, rows);
  const step = stepOf(key, room.rows);
  if (step === 0) return view;
  const total = taskDetails(snapshot, view.taskId, room.columns).length;
  const before = clampTop(view.top ?? 0, total, room.rows);
  return { ...view, top: clampTop(before + step, total, room.rows) };
}

function roomIn(
  columns: number,
  rows: number,
): { framed: boolean; columns: number; rows: number } {
  if (columns >= FRAME.leastColumns && rows >= FRAME.leastRows) {
    const widest = Math.min(columns, FRAME.widest);
    return {
      framed: true,
      columns: widest - FRAME_COLUMNS,
      rows: rows - FRAME_ROWS,
    };
  }
  const hint = rows >= LEAST_ROWS_FOR_HINT ? 1 : 0;
  return { framed: false, columns, rows: rows - hint };
}
