/**
 * The pinned panel: what is going on, above the composer.
 *
 * @module
 */

import type { Snapshot, Task } from "../model/task.ts";
import { cellsOf, line, type Piece, piece } from "./line.ts";
import { paintWith } from "./paint.ts";
import { type Size, usableSize } from "./size.ts";
import { contentPieces } from "./task_row.ts";
import { frozenSnapshot, taskState } from "./task_state.ts";
import { firstFitting } from "./text.ts";
import type { ViewOptions } from "./view_options.ts";

const PENDING_SHOWN = 5;
const LEAST_ROWS_FOR_REST = 3;
const LEAST_ITEM_COLUMNS = 8;
const SEPARATOR = piece("faint", " · ");

/** How {@linkcode renderPinnedPanel} draws. */
export interface PinnedPanelOptions extends ViewOptions {
  /** Whether the panel is folded to one line: the counts and the foremost task. */
  readonly collapsed?: boolean | undefined;
}

/**
 * Draws the pinned panel: a line that counts what is done and what is open,
 * the tasks in progress, up to five pending ones, and a line that counts the
 * open tasks that were left out.
 *
 * A task that has an active blocker is marked, and tagged `(blocked)` where
 * there is room. Completed and deleted tasks are never listed; when nothing is
 * pending or in progress there are no lines at all.
 *
 * @param snapshot The tasks.
 * @param size The most that the panel may fill; it takes no more rows than it needs.
 * @returns At most `size.rows` lines, none wider than `size.columns` cells.
 *
 * @example Draw a panel above a prompt
 * ```ts
 * import { renderPinnedPanel } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Provision the dev DB", status: "in_progress" as const },
 *     { id: "t_2", content: "Seed fixtures", status: "pending" as const, blockedBy: ["t_1"] },
 *   ],
 * };
 * assertEquals(renderPinnedPanel(snapshot, { columns: 60, rows: 10 }), [
 *   "Tasks  0 done · 2 open",
 *   "◐ Provision the dev DB",
 *   "⊘ Seed fixtures (blocked)",
 * ]);
 * ```
 */
export function renderPinnedPanel(
  snapshot: Snapshot,
  size: Size,
  options: PinnedPanelOptions = {},
): readonly string[] {
  const { columns, rows } = usableSize(size);
  const { running, pending, done } = sortOut(snapshot.tasks);
  const open = running.length + pending.length;
  if (open === 0 || columns === 0 || rows === 0) return [];

  const tasks = frozenSnapshot(snapshot);
  const paint = paintWith(options.color);
  const heading = headingPieces(done, open, columns);
  const item = (task: Task, columns: number): Piece[] => {
    const state = taskState(tasks, task);
    const content = (task.status === "in_progress" && task.active_form) ||
      task.content;
    return [
      piece(state.style, `${state.glyph} `),
      ...contentPieces(state, content, columns - 2),
    ];
  };
  const listed = [...running, ...pending.slice(0, PENDING_SHOWN)];
  if (options.collapsed || rows === 1) {
    const [first] = listed;
    const left = columns - cellsOf(heading) - SEPARATOR.cells;
    if (first !== undefined && left >= LEAST_ITEM_COLUMNS) {
      heading.push(SEPARATOR, ...item(first, left));
    }
    return [line(heading, columns, paint)];
  }

  const fits = listed.length === open && open < rows;
  const hasRest = !fits && rows >= LEAST_ROWS_FOR_REST;
  const shown = listed.slice(0, rows - (hasRest ? 2 : 1));
  const pieces = [heading, ...shown.map((task) => item(task, columns))];
  if (hasRest) {
    const runningLeft = Math.max(running.length - shown.length, 0);
    const pendingLeft = open - shown.length - runningLeft;
    pieces.push([piece("faint", restOf(runningLeft, pendingLeft, columns))]);
  }
  return pieces.map((piece) => line(piece, columns, paint));
}

function sortOut(
  tasks: readonly Task[],
): { running: Task[]; pending: Task[]; done: number } {
  const running: Task[] = [];
  const pending: Task[] = [];
  let done = 0;
  for (const task of tasks) {
    if (task.status === "in_progress") running.push(task);
    else if (task.status === "pending") pending.push(task);
    else if (task.status === "completed") done++;
  }
  return { running, pending, done };
}

function headingPieces(done: number, open: number, columns: number): Piece[] {
  const counts = `${done} done · ${open} open`;
  if ("Tasks  ".length + counts.length <= columns) {
    return [piece("strong", "Tasks"), piece("faint", `  ${counts}`)];
  }
  const short = `${done}/${done + open}`;
  return [piece("faint", firstFitting([counts, short], columns))];
}

function restOf(running: number, pending: number, columns: number): string {
  const more = `+${running + pending}`;
  const wordings = [`  ${more} more`, more] as const;
  if (running === 0) {
    return firstFitting([`  ${more} more pending`, ...wordings], columns);
  }
  const alsoPending = pending > 0 ? `, ${pending} pending` : "";
  const full = `  +${running} more in progress${alsoPending}`;
  return firstFitting([full, ...wordings], columns);
}
