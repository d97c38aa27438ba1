/**
 * Why a task waits: its blockers, theirs, and so on down to the roots.
 *
 * @module
 */

import { activeBlockers, findTask } from "../graph/graph.ts";
import type { Snapshot } from "../model/task.ts";

/** A blocker in the order in which a tree of them is drawn. */
export interface BlockerNode {
  /** The blocker. */
  readonly id: string;
  /** 0 for a blocker of the task itself, 1 for a blocker of that one, and so on. */
  readonly depth: number;
  /**
   * What is to be said of its own blockers: `open` when they follow, `root`
   * when it is active and waits for nobody, `above` when they are drawn
   * further up, `loop` when it waits for itself through those above it, `done`
   * when it holds nobody back.
   */
  readonly kind: "open" | "root" | "above" | "loop" | "done";
}

/**
 * The blockers of a task, depth first, each followed by its own active
 * blockers. Every task is unfolded once, so that neither loops nor diamonds
 * make the list long.
 */
export function blockerTree(snapshot: Snapshot, id: string): BlockerNode[] {
  const nodes: BlockerNode[] = [];
  const unfolded = new Set([id]);
  const path: string[] = [id];
  const direct = findTask(snapshot, id)?.blockedBy ?? [];
  const active = new Set(activeBlockers(snapshot, id));
  const stack = direct.map((id) => ({ id, depth: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { id, depth } = next;
    if (depth === 0 && !active.has(id)) {
      nodes.push({ id, depth, kind: "done" });
      continue;
    }
    path.length = depth + 1;
    if (unfolded.has(id)) {
      const kind = path.includes(id) ? "loop" : "above";
      nodes.push({ id, depth, kind });
      continue;
    }
    unfolded.add(id);
    path.push(id);
    const blockers = activeBlockers(snapshot, id);
    nodes.push({ id, depth, kind: blockers.length > 0 ? "open" : "root" });
    for (const blocker of blockers.toReversed()) {
      stack.push({ id: blocker, depth: depth + 1 });
    }
  }
  return nodes;
}
