/**
 * What a picture of a graph shows, before it is written in some language.
 *
 * @module
 */

import { activeBlockers, blockedTasks } from "../graph/graph.ts";
import type { Snapshot, TaskStatus } from "../model/task.ts";
import { labelOf } from "./label.ts";

/** What a box stands for: a task of some status, or an id that no task has. */
export type BoxState = TaskStatus | "missing";

/** A task in a picture. */
export interface Box {
  /** A name of the picture's own, which holds nothing of the task. */
  readonly name: string;
  /** What is written into it. */
  readonly lines: readonly string[];
  readonly state: BoxState;
  /** Whether it is open and a blocker holds it back. */
  readonly isBlocked: boolean;
}

/** From a blocker to the task that waits for it. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** Whether the blocker holds nobody back any more. */
  readonly isDone: boolean;
}

/** A graph as boxes and arrows, in the order of the tasks. */
export interface Picture {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** The same marks as in a terminal, so that nothing is told by color alone. */
const GLYPHS: Readonly<Record<BoxState, string>> = {
  pending: "○",
  in_progress: "◐",
  completed: "✓",
  deleted: "✗",
  missing: "?",
};

const MISSING = {
  content: "There is no such task",
  status: "missing",
} as const;

/** What a picture of this graph shows. */
export function pictureOf(snapshot: Snapshot): Picture {
  const frozen = frozenSnapshot(snapshot);
  const blocked = new Set(blockedTasks(frozen));
  const names = new Map<string, string>();
  const boxes = frozen.tasks.map((task, position): Box => {
    const name = `n${position}`;
    names.set(task.id, name);
    return boxOf(name, task, blocked.has(task));
  });
  const arrows = frozen.tasks.flatMap((task, position) => {
    const active = new Set(activeBlockers(frozen, task.id));
    return [...new Set(task.blockedBy)].map((id): Arrow => {
      let from = names.get(id);
      if (from === undefined) {
        from = `n${boxes.length}`;
        names.set(id, from);
        boxes.push(boxOf(from, { ...MISSING, id }, false));
      }
      return { from, to: `n${position}`, isDone: !active.has(id) };
    });
  });
  return { boxes, arrows };
}

/** What a box stands for. */
interface Subject {
  readonly id: string;
  readonly content: string;
  readonly status: BoxState;
}

function boxOf(
  name: string,
  { id, content, status }: Subject,
  isBlocked: boolean,
): Box {
  const glyph = isBlocked && status === "pending" ? "⊘" : GLYPHS[status];
  const lines = [`${glyph} ${labelOf(content)}`, labelOf(id)]
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  return { name, lines, state: status, isBlocked };
}

/** The same tasks in a snapshot whose lookups are remembered. */
function frozenSnapshot(snapshot: Snapshot): Snapshot {
  return Object.isFrozen(snapshot) && Object.isFrozen(snapshot.tasks)
    ? snapshot
    : Object.freeze({ tasks: Object.freeze([...snapshot.tasks]) });
}
