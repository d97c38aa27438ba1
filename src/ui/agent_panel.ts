/**
 * The agent panel: every task, one line each.
 *
 * @module
 */

import { findTask } from "../graph/graph.ts";
import type { Snapshot, Task, TaskStatus } from "../model/task.ts";
import type { Key } from "./key.ts";
import { line, type Piece, piece } from "./line.ts";
import { type Paint, paintWith } from "./paint.ts";
import { clamp, stepOf, topShowing } from "./scroll.ts";
import { type Size, usableSize } from "./size.ts";
import {
  renderTaskModal,
  taskModalKey,
  type TaskModalView,
} from "./task_modal.ts";
import { rowLayout, rowPieces } from "./task_row.ts";
import { frozenSnapshot, taskState } from "./task_state.ts";
import { firstFitting } from "./text.ts";
import type { ViewOptions } from "./view_options.ts";

const LEAST_ROWS = { heading: 3, hint: 5, gaps: 10 };
const POINTER = piece("running", "❯ ");
const NO_POINTER = piece("plain", "  ");

/** Where somebody is in the agent panel: plain data, changed by {@linkcode agentPanelKey}. */
export interface AgentPanelView {
  /** The selected task; the first one when absent or unknown. */
  readonly selectedId?: string | undefined;
  /** The index of the first row on screen; 0 when absent. */
  readonly top?: number | undefined;
  /** The modal that is open over the panel, if any. */
  readonly modal?: TaskModalView | undefined;
}

/**
 * The view of an agent panel that was just opened. What somebody most likely
 * wants to see is selected: the first task in progress, else the first pending
 * one, else the first.
 *
 * @example Open the panel where the work is
 * ```ts
 * import { createAgentPanelView } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" as const },
 *     { id: "t_2", content: "Ship", status: "pending" as const },
 *   ],
 * };
 * assertEquals(createAgentPanelView(snapshot), { selectedId: "t_2" });
 * ```
 */
export function createAgentPanelView(snapshot: Snapshot): AgentPanelView {
  const { tasks } = snapshot;
  const task = tasks.find((task) => task.status === "in_progress") ??
    tasks.find((task) => task.status === "pending") ??
    tasks[0];
  return { selectedId: task?.id };
}

/**
 * Draws the agent panel, or the modal that is open over it: every task in
 * insertion order, deleted ones too, as `id · status · content`. A long list
 * is scrolled so that the selected task is seen.
 *
 * In a narrow window the ids are shortened first, then the status is reduced
 * to its glyph, then the ids are left out.
 *
 * @param snapshot The tasks.
 * @param view Where somebody is in the panel.
 * @param size What the panel may fill.
 * @returns At most `size.rows` lines, none wider than `size.columns` cells.
 *
 * @example Draw the panel with its second task selected
 * ```ts
 * import { renderAgentPanel } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Provision the dev DB", status: "completed" as const },
 *     { id: "t_2", content: "Seed fixtures", status: "pending" as const },
 *   ],
 * };
 * const size = { columns: 60, rows: 4 };
 * assertEquals(renderAgentPanel(snapshot, { selectedId: "t_2" }, size), [
 *   "Tasks  1 pending · 1 completed",
 *   "  t_1 · ✓ completed   · Provision the dev DB",
 *   "❯ t_2 · ○ pending     · Seed fixtures",
 * ]);
 * ```
 */
export function renderAgentPanel(
  snapshot: Snapshot,
  view: AgentPanelView,
  size: Size,
  options: ViewOptions = {},
): readonly string[] {
  if (view.modal !== undefined) {
    return renderTaskModal(snapshot, view.modal, size, options);
  }
  const { columns, rows } = usableSize(size);
  if (columns === 0 || rows === 0) return [];
  const paint = paintWith(options.color);
  const selected = indexOfSelected(snapshot, view);
  const height = listHeight(rows);
  const gap = rows >= LEAST_ROWS.gaps ? [""] : [];
  const lines: string[] = [];
  if (rows >= LEAST_ROWS.heading) {
    lines.push(
      line(headingPieces(snapshot.tasks, columns), columns, paint),
      ...gap,
    );
  }
  lines.push(...listLines(snapshot, view, selected, columns, height, paint));
  if (rows >= LEAST_ROWS.hint) {
    const total = snapshot.tasks.length;
    const position = total > height ? `${selected + 1} of ${total} · ` : "";
    const hint = `${position}↑↓ move · o open · q back`;
    lines.push(...gap, line([piece("faint", hint)], columns, paint));
  }
  return lines;
}

/**
 * The view after a key press, or `undefined` when the panel was closed.
 *
 * Arrows, page keys, Home and End move the selection, which follows its task
 * by id while the graph changes. `o` or Enter opens the modal; Escape or `q`
 * closes what is on top; Ctrl+O closes all.
 *
 * @param view The view before.
 * @param key What was pressed.
 * @param snapshot The tasks that were on screen.
 * @param size What the panel may fill.
 *
 * @example Move down and open a task
 * ```ts
 * import { agentPanelKey } from "@kin/tasks-dag/ui";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" as const },
 *     { id: "t_2", content: "Ship", status: "pending" as const },
 *   ],
 * };
 * const size = { columns: 80, rows: 24 };
 * let view = agentPanelKey({ selectedId: "t_1" }, { name: "down" }, snapshot, size);
 * assertEquals(view, { selectedId: "t_2", top: 0 });
 * view = agentPanelKey({ selectedId: "t_2", top: 0 }, { name: "o" }, snapshot, size);
 * assertEquals(view?.modal, { taskId: "t_2" });
 * ```
 */
export function agentPanelKey(
  view: AgentPanelView,
  key: Key,
  snapshot: Snapshot,
  size: Size,
): AgentPanelView | undefined {
  if (key.ctrl && key.name === "o") return undefined;
  if (view.modal !== undefined) {
    return { ...view, modal: taskModalKey(view.modal, key, snapshot, size) };
  }
  const { tasks } = snapshot;
  const selected = indexOfSelected(snapshot, view);
  const task = tasks[selected];
  switch (key.name) {
    case "escape":
    case "q":
      return undefined;
    case "o":
    case "return":
    case "enter":
      if (task === undefined) return view;
      return { ...view, selectedId: task.id, modal: { taskId: task.id } };
  }
  const height = listHeight(usableSize(size).rows);
  const step = stepOf(key, height);
  if (step === 0) return view;
  const index = clamp(selected + step, tasks.length);
  const top = topShowing(index, view.top ?? 0, tasks.length, height);
  return { selectedId: tasks[index]?.id, top };
}

function indexOfSelected(snapshot: Snapshot, view: AgentPanelView): number {
  const { selectedId } = view;
  if (selectedId === undefined) return 0;
  if (findTask(snapshot, selectedId) === undefined) return 0;
  return snapshot.tasks.findIndex((task) => task.id === selectedId);
}

function listHeight(rows: number): number {
  let height = rows;
  if (rows >= LEAST_ROWS.heading) height--;
  if (rows >= LEAST_ROWS.hint) height--;
  if (rows >= LEAST_ROWS.gaps) height -= 2;
  return height;
}

function headingPieces(tasks: readonly Task[], columns: number): Piece[] {
  const counts: Record<TaskStatus, number> = {
    in_progress: 0,
    pending: 0,
    completed: 0,
    deleted: 0,
  };
  for (const task of tasks) counts[task.status]++;
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  const full = parts.join(" · ");
  if ("Tasks  ".length + full.length <= columns) {
    return [piece("strong", "Tasks"), piece("faint", `  ${full}`)];
  }
  const { in_progress, pending, completed, deleted } = counts;
  const short = `◐${in_progress} ○${pending} ✓${completed} ✗${deleted}`;
  return [piece("faint", firstFitting([full, short], columns))];
}

function listLines(
  snapshot: Snapshot,
  view: AgentPanelView,
  selectedIndex: number,
  columns: number,
  height: number,
  paint: Paint,
): string[] {
  const { tasks } = snapshot;
  if (tasks.length === 0) {
    return [line([piece("faint", "No tasks yet.")], columns, paint)];
  }
  const top = topShowing(
    selectedIndex,
    view.top ?? 0,
    tasks.length,
    height,
  );
  const shown = tasks.slice(top, top + height);
  const ids = shown.map((task) => task.id);
  const layout = rowLayout(ids, columns - POINTER.cells);
  const frozen = frozenSnapshot(snapshot);
  return shown.map((task, i) => {
    const { id, content } = task;
    const selected = top + i === selectedIndex;
    const state = taskState(frozen, task);
    const pieces = rowPieces(layout, { id, state, content, selected });
    return line([selected ? POINTER : NO_POINTER, ...pieces], columns, paint);
  });
}
