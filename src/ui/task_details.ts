/**
 * All there is to say about one task, as lines that are laid out only when
 * they are drawn.
 *
 * @module
 */

import { findTask } from "../graph/graph.ts";
import type { Snapshot, Task } from "../model/task.ts";
import { type BlockerNode, blockerTree } from "./blocker_tree.ts";
import { type Piece, piece } from "./line.ts";
import { rowLayout, rowPieces } from "./task_row.ts";
import { frozenSnapshot, type TaskState, taskState } from "./task_state.ts";
import { wrap } from "./text.ts";

/** A line that is laid out when it is called for. */
export type LazyLine = () => readonly Piece[];

const LONGEST_DATE = 8.64e15;
const BLANK: LazyLine = () => [];
const TAGS = { loop: "(loop)", above: "(above)" } as const;

/** The lines of the modal for a task, laid out for `columns` cells. */
export function taskDetails(
  snapshot: Snapshot,
  id: string,
  columns: number,
): readonly LazyLine[] {
  const tasks = frozenSnapshot(snapshot);
  const task = findTask(tasks, id);
  if (task === undefined) {
    return [() => [piece("faint", "There is no task with this id.")]];
  }
  const nodes = blockerTree(tasks, id);
  const dependents = task.blocks ?? [];
  const ids = [...nodes.map((node) => node.id), ...dependents];
  const layout = rowLayout(ids, columns);
  const row = (id: string, branch: string, kind?: BlockerNode["kind"]) => {
    const task = findTask(tasks, id);
    const state = withTag(taskState(tasks, task), kind);
    const content = task?.content ?? "no such task";
    return rowPieces(layout, { id, state, content, branch });
  };
  return [
    () => summary(tasks, task, nodes, columns),
    BLANK,
    ...wrap(task.content, columns)
      .map((text): LazyLine => () => [piece("strong", text, columns)]),
    BLANK,
    heading("Blocked by", nodes.length),
    ...nodes.map(({ id, depth, kind }): LazyLine => () =>
      row(id, branchOf(depth, columns), kind)
    ),
    BLANK,
    heading("Blocks", dependents.length),
    ...dependents.map((id): LazyLine => () => row(id, "")),
  ];
}

function heading(name: string, count: number): LazyLine {
  return () => [piece("faint", count === 0 ? `${name} nothing` : name)];
}

function branchOf(depth: number, columns: number): string {
  if (depth === 0) return "";
  const deepest = Math.max(Math.floor(columns / 12), 1);
  return "  ".repeat(Math.min(depth, deepest) - 1) + "└ ";
}

function withTag(state: TaskState, kind?: BlockerNode["kind"]): TaskState {
  return kind === "loop" || kind === "above"
    ? { ...state, tag: TAGS[kind] }
    : state;
}

function summary(
  snapshot: Snapshot,
  task: Task,
  nodes: readonly BlockerNode[],
  columns: number,
): Piece[] {
  const state = taskState(snapshot, task);
  return [
    piece(state.style, `${state.glyph} ${state.word}`),
    piece("faint", remark(snapshot, task, state, nodes), columns),
  ];
}

function remark(
  snapshot: Snapshot,
  task: Task,
  state: TaskState,
  nodes: readonly BlockerNode[],
): string {
  if (task.completed_at !== undefined) return ` · ${stamp(task.completed_at)}`;
  if (state.tag === "") {
    if (task.status === "pending") return " · ready to start";
    const doing = task.status === "in_progress" && task.active_form;
    return doing ? ` · ${doing}` : "";
  }
  if (nodes.some((node) => node.kind === "loop")) {
    return " · waits on a loop of blockers";
  }
  const roots = nodes.filter((node) => node.kind === "root");
  const [first] = roots;
  if (first === undefined) return "";
  const root = findTask(snapshot, first.id)?.content ?? `${first.id} (missing)`;
  const more = roots.length > 1 ? `${roots.length} tasks, such as ` : "";
  return ` · waits for ${more}${root}`;
}

/** A time in unix milliseconds, to the minute. */
export function stamp(unixMs: number): string {
  if (!(Math.abs(unixMs) <= LONGEST_DATE)) return "at an unknown time";
  return `${new Date(unixMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
