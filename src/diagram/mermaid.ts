/**
 * Pictures in the language of mermaid.
 *
 * @module
 */

import { BLOCKED_BORDER, DONE_ARROW, type Look, LOOKS } from "./palette.ts";
import { type Box, pictureOf } from "./picture.ts";
import type { Snapshot } from "../model/task.ts";

// Everything that could mean something to mermaid, or to the Markdown and HTML
// that it takes labels for. Hyphens and underscores inside words never do.
const MEANINGFUL =
  /(?<![A-Za-z0-9])[-_]|[-_](?![A-Za-z0-9])|[!-+./:-@[-^`{-~]/g;

// What mermaid looks for once more after it has put the characters in place of
// their codes: formulas, escapes, icons, and its marks for character codes.
const READ_AGAIN = /\$(?=\$)|\\|:(?=fa-)|ﬂ(?=°)|¶(?=ß)/g;
const ZERO_WIDTH_SPACE = "\u200b";

/**
 * Draws a graph as a mermaid flowchart.
 *
 * An arrow goes from a blocker to the task that waits for it; it is dashed once
 * the blocker is completed or deleted. Boxes have the class of their status,
 * `missing` where an edge leads to an id that no task has, and `blocked`
 * besides while something holds an open task back. No text of a task can end
 * its label or mean anything but itself, and long texts are shortened. The
 * text ends in a line break. Depends on nothing but the snapshot.
 *
 * @example Draw two tasks
 * ```ts
 * import { toMermaid } from "@kin/tasks-dag/diagram";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const text = toMermaid({
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" },
 *     { id: "t_2", content: "Ship", status: "pending", blockedBy: ["t_1"] },
 *   ],
 * });
 * assertStringIncludes(text, 'n1["○ Ship<br/>t_2"]');
 * assertStringIncludes(text, "n0 -.-> n1");
 * ```
 */
export function toMermaid(snapshot: Snapshot): string {
  const { boxes, arrows } = pictureOf(snapshot);
  const done = arrows.flatMap(({ isDone }, i) => isDone ? [i] : []);
  return [
    "flowchart LR",
    ...boxes.map((box) => `${box.name}["${labelOf(box)}"]`),
    ...arrows.map(({ from, to, isDone }) =>
      `${from} ${isDone ? "-.->" : "-->"} ${to}`
    ),
    ...Object.entries(LOOKS).flatMap(([state, look]) =>
      classOf(state, styleOf(look), boxes.filter((box) => box.state === state))
    ),
    ...classOf(
      "blocked",
      `stroke:${BLOCKED_BORDER},stroke-width:2px`,
      boxes.filter((box) => box.isBlocked),
    ),
    ...done.length > 0
      ? [`linkStyle ${done.join(",")} stroke:${DONE_ARROW}`]
      : [],
    "",
  ].join("\n");
}

function labelOf({ lines }: Box): string {
  return lines.map((line) =>
    line.replace(READ_AGAIN, `$&${ZERO_WIDTH_SPACE}`)
      .replace(MEANINGFUL, (char) => `#${char.codePointAt(0)};`)
  ).join("<br/>");
}

function styleOf({ fill, border, text, isDashed }: Look): string {
  const style = `fill:${fill},stroke:${border},color:${text}`;
  return isDashed ? `${style},stroke-dasharray:4 3` : style;
}

function classOf(
  name: string,
  style: string,
  boxes: readonly Box[],
): readonly string[] {
  if (boxes.length === 0) return [];
  const names = boxes.map((box) => box.name).join(",");
  return [`classDef ${name} ${style}`, `class ${names} ${name}`];
}
