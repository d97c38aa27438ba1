/**
 * Pictures in the language of Graphviz.
 *
 * @module
 */

import { ARROW, BLOCKED_BORDER, DONE_ARROW, LOOKS } from "./palette.ts";
import { type Arrow, type Box, pictureOf } from "./picture.ts";
import type { Snapshot } from "../model/task.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
};

/**
 * Draws a graph in the DOT language of Graphviz.
 *
 * An arrow goes from a blocker to the task that waits for it; it is dashed once
 * the blocker is completed or deleted. Boxes have the class of their status,
 * `missing` where an edge leads to an id that no task has, and `blocked`
 * besides while something holds an open task back; Graphviz writes the classes
 * into its SVG. No text of a task can end its label or mean anything but
 * itself, and long texts are shortened. The text ends in a line break. Depends
 * on nothing but the snapshot.
 *
 * @example Draw two tasks
 * ```ts
 * import { toDot } from "@kin/tasks-dag/diagram";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const text = toDot({
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" },
 *     { id: "t_2", content: "Ship", status: "pending", blockedBy: ["t_1"] },
 *   ],
 * });
 * assertStringIncludes(text, 'n1 [label="○ Ship\\nt_2" class="pending"');
 * assertStringIncludes(text, "n0 -> n1");
 * ```
 */
export function toDot(snapshot: Snapshot): string {
  const { boxes, arrows } = pictureOf(snapshot);
  return [
    "digraph tasks {",
    'graph [rankdir=LR bgcolor="white"]',
    'node [shape=box fontname="Helvetica,Arial,sans-serif" fontsize=12]',
    `edge [color="${ARROW}" arrowsize=0.7]`,
    ...boxes.map(boxLine),
    ...arrows.map(arrowLine),
    "}",
    "",
  ].join("\n");
}

function boxLine({ name, lines, state, isBlocked }: Box): string {
  const { fill, border, text, isDashed } = LOOKS[state];
  const attributes = {
    label: lines.map(escape).join("\\n"),
    class: isBlocked ? `${state} blocked` : state,
    style: isDashed ? "rounded,filled,dashed" : "rounded,filled",
    fillcolor: fill,
    color: isBlocked ? BLOCKED_BORDER : border,
    fontcolor: text,
    ...isBlocked ? { penwidth: "2" } : {},
  };
  const list = Object.entries(attributes).map(([key, value]) =>
    `${key}="${value}"`
  );
  return `${name} [${list.join(" ")}]`;
}

function arrowLine({ from, to, isDone }: Arrow): string {
  const arrow = `${from} -> ${to}`;
  return isDone ? `${arrow} [style="dashed" color="${DONE_ARROW}"]` : arrow;
}

function escape(text: string): string {
  return text.replace(/[\\"&<>]/g, (char) => ESCAPES[char] ?? char);
}
