/**
 * How the state of a task looks: the same in every view.
 *
 * @module
 */

import { activeBlockers } from "../graph/graph.ts";
import type { Snapshot, Task, TaskStatus } from "../model/task.ts";
import type { Style } from "./paint.ts";

const BLOCKED = "(blocked)";

/** The state of a task at a glance. */
export interface TaskState {
  /** One cell wide. */
  readonly glyph: string;
  /** The status, as the tool spells it. */
  readonly word: TaskStatus | "missing";
  /** What is said after the content, such as `(blocked)`; mostly empty. */
  readonly tag: string;
  /** For the glyph and the word. */
  readonly style: Style;
  /** For what the task is about. */
  readonly contentStyle: Style;
}

/** The state of a task in a snapshot; `undefined` stands for a task that is not there. */
export function taskState(
  snapshot: Snapshot,
  task: Task | undefined,
): TaskState {
  if (task === undefined) return look("?", "missing", "waiting", "faint");
  const { status } = task;
  switch (status) {
    case "pending":
      return isBlocked(snapshot, task)
        ? look("⊘", status, "waiting", "faint", BLOCKED)
        : look("○", status, "plain", "plain");
    case "in_progress":
      return isBlocked(snapshot, task)
        ? look("◐", status, "waiting", "strong", BLOCKED)
        : look("◐", status, "running", "strong");
    case "completed":
      return look("✓", status, "done", "faint");
    case "deleted":
      return look("✗", status, "faint", "gone");
  }
}

function isBlocked(snapshot: Snapshot, task: Task): boolean {
  return task.blockedBy !== undefined &&
    activeBlockers(snapshot, task.id).length > 0;
}

function look(
  glyph: string,
  word: TaskState["word"],
  style: Style,
  contentStyle: Style,
  tag = "",
): TaskState {
  return { glyph, word, tag, style, contentStyle };
}

/**
 * The same tasks in a snapshot whose lookups are remembered. What a session
 * hands out is returned as it is; what a host may still change is copied.
 */
export function frozenSnapshot(snapshot: Snapshot): Snapshot {
  return Object.isFrozen(snapshot) && Object.isFrozen(snapshot.tasks)
    ? snapshot
    : Object.freeze({ tasks: Object.freeze([...snapshot.tasks]) });
}
