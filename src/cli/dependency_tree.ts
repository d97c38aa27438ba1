/**
 * The graph as a tree: each task, and below it the tasks that come first.
 *
 * @module
 */

import { findTask, type Snapshot, type Task } from "../../mod.ts";

/** A task where it stands in the tree. */
export interface TreeNode {
  readonly id: string;
  /** The node that it stands below, unless it is at the top. */
  readonly parent?: TreeNode;
  /** How many nodes it stands below. */
  readonly depth: number;
  /** Whether it is the last below its parent. */
  readonly isLast: boolean;
  /** `above` when what comes first is drawn further up, `loop` when the task waits for itself. */
  readonly mark?: "above" | "loop";
}

/**
 * The tasks in the order in which a tree of them is drawn. It starts with those
 * that no other waits for; each is unfolded once, so that neither loops nor
 * diamonds make it long.
 */
export function dependencyTree(snapshot: Snapshot): TreeNode[] {
  const nodes: TreeNode[] = [];
  const unfolded = new Set<string>();
  // Those in loops have no top: whatever is left starts a tree of its own.
  for (const task of [...snapshot.tasks.filter(isTop), ...snapshot.tasks]) {
    if (unfolded.has(task.id)) continue;
    const stack: TreeNode[] = [{ id: task.id, depth: 0, isLast: true }];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const { id, depth } = node;
      const blockers = findTask(snapshot, id)?.blockedBy ?? [];
      if (unfolded.has(id) && blockers.length > 0) {
        nodes.push({ ...node, mark: isBelowItself(node) ? "loop" : "above" });
        continue;
      }
      unfolded.add(id);
      nodes.push(node);
      const parent = node;
      const below = blockers.map((id, i) => ({
        id,
        parent,
        depth: depth + 1,
        isLast: i === blockers.length - 1,
      }));
      stack.push(...below.reverse());
    }
  }
  return nodes;
}

function isTop({ blocks = [] }: Task): boolean {
  return blocks.length === 0;
}

function isBelowItself({ id, parent }: TreeNode): boolean {
  for (let above = parent; above !== undefined; above = above.parent) {
    if (above.id === id) return true;
  }
  return false;
}
