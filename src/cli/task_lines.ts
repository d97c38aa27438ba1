/**
 * Tasks as lines: one each, cut to a terminal's width, or tab-separated and
 * whole for a pipe.
 *
 * @module
 */

import {
  activeBlockers,
  findTask,
  type Snapshot,
  type Task,
} from "../../mod.ts";
import { line } from "../ui/line.ts";
import { paintWith } from "../ui/paint.ts";
import { type RowLayout, rowLayout, rowPieces } from "../ui/task_row.ts";
import { taskState } from "../ui/task_state.ts";
import type { Page } from "./output.ts";
import { tabbed } from "./texts.ts";

/** The tasks, one line each. */
export function taskLines(
  snapshot: Snapshot,
  tasks: readonly Task[],
  page: Page,
): string[] {
  const { columns } = page;
  if (columns === undefined) {
    return tasks.map(({ id }) => plainLine(snapshot, id));
  }
  const layout = rowLayout(tasks.map((task) => task.id), columns);
  return tasks.map((task) => rowLine(snapshot, task.id, layout, page));
}

/** The tasks, and at a terminal below each the ones that it waits for. */
export function waitingLines(
  snapshot: Snapshot,
  tasks: readonly Task[],
  page: Page,
): string[] {
  const { columns } = page;
  if (columns === undefined) return taskLines(snapshot, tasks, page);
  const shown = tasks.map(({ id }) => ({
    id,
    blockers: activeBlockers(snapshot, id),
  }));
  const ids = shown.flatMap(({ id, blockers }) => [id, ...blockers]);
  const layout = rowLayout(ids, columns);
  return shown.flatMap(({ id, blockers }) => [
    rowLine(snapshot, id, layout, page),
    ...blockers.map((id) => rowLine(snapshot, id, layout, page, "└ ")),
  ]);
}

/**
 * A task as `id`, `status`, the active blockers with commas between them, or
 * `-`, and `content`, with tabs between them. One that is not there is `missing`.
 */
export function plainLine(snapshot: Snapshot, id: string): string {
  const { status = "missing", content = "" } = findTask(snapshot, id) ?? {};
  const blockers = activeBlockers(snapshot, id).join(",");
  return tabbed([id, status, blockers === "" ? "-" : blockers, content]);
}

function rowLine(
  snapshot: Snapshot,
  id: string,
  layout: RowLayout,
  { color }: Page,
  branch = "",
): string {
  const task = findTask(snapshot, id);
  const state = taskState(snapshot, task);
  const content = task?.content ?? "no such task";
  const pieces = rowPieces(layout, { id, state, content, branch });
  return line(pieces, layout.columns, paintWith(color));
}
