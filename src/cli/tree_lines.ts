/**
 * The dependency tree as lines.
 *
 * @module
 */

import { findTask, type Snapshot } from "../../mod.ts";
import { cellsOf, line, piece } from "../ui/line.ts";
import { paintWith } from "../ui/paint.ts";
import { contentPieces, rowLayout } from "../ui/task_row.ts";
import { taskState } from "../ui/task_state.ts";
import { fitEnd } from "../ui/text.ts";
import { dependencyTree, type TreeNode } from "./dependency_tree.ts";
import type { Page } from "./output.ts";

/** How many levels are drawn where the width does not tell. */
const DEEPEST = 32;
const LEVEL_COLUMNS = 3;

/** Each task, and indented below it the tasks that come first. */
export function treeLines(snapshot: Snapshot, page: Page): string[] {
  const { columns = Infinity, color } = page;
  const ids = snapshot.tasks.map((task) => task.id);
  const idColumns = page.columns === undefined
    ? Infinity
    : rowLayout(ids, columns).idColumns;
  const levels = Math.floor(columns / (3 * LEVEL_COLUMNS));
  const deepest = Math.min(Math.max(levels, 1), DEEPEST);
  const paint = paintWith(color);
  return dependencyTree(snapshot).map((node) => {
    const { id, mark } = node;
    const task = findTask(snapshot, id);
    const state = taskState(snapshot, task);
    const tag = mark === undefined ? state.tag : `(${mark})`;
    const start = [
      piece("faint", branchOf(node, deepest), columns),
      piece(state.style, `${state.glyph} `),
      ...idColumns > 0
        ? [piece("faint", `${fitEnd(id, idColumns).text} `, columns)]
        : [],
    ];
    const content = task?.content ?? "no such task";
    const room = columns - cellsOf(start);
    const end = contentPieces({ ...state, tag }, content, room);
    return line([...start, ...end], columns, paint);
  });
}

/** The strokes that lead to a node; below the `deepest` level its depth is told. */
function branchOf(node: TreeNode, deepest: number): string {
  const { depth, isLast, parent } = node;
  if (depth === 0) return "";
  if (depth > deepest) {
    const space = " ".repeat(LEVEL_COLUMNS * (deepest - 1));
    return `${space}└(${depth}) `;
  }
  let strokes = isLast ? "└─ " : "├─ ";
  for (
    let above = parent;
    above !== undefined && above.depth > 0;
    above = above.parent
  ) strokes = (above.isLast ? "   " : "│  ") + strokes;
  return strokes;
}
