/**
 * All there is to say about one task: laid out for a terminal, or as lines of
 * tab-separated values for a pipe.
 *
 * @module
 */

import type { Snapshot, Task } from "../../mod.ts";
import { line } from "../ui/line.ts";
import { paintWith } from "../ui/paint.ts";
import { taskDetails } from "../ui/task_details.ts";
import type { Page } from "./output.ts";
import { plainLine } from "./task_lines.ts";
import { oneLine, tabbed, timeText } from "./texts.ts";

/** What there is to say about a task, in lines. */
export function detailLines(
  snapshot: Snapshot,
  task: Task,
  { columns, color }: Page,
): string[] {
  if (columns === undefined) return plainDetails(snapshot, task);
  const paint = paintWith(color);
  const details = taskDetails(snapshot, task.id, columns);
  return [
    paint("faint", oneLine(task.id)),
    ...details.map((pieces) => line(pieces(), columns, paint)),
  ];
}

function plainDetails(snapshot: Snapshot, task: Task): string[] {
  const { id, status, content, active_form, completed_at } = task;
  const { blockedBy = [], blocks = [] } = task;
  const others = (name: string, ids: readonly string[]): string[] =>
    ids.map((id) => `${name}\t${plainLine(snapshot, id)}`);
  return [
    tabbed(["id", id]),
    tabbed(["status", status]),
    tabbed(["content", content]),
    ...(active_form === undefined
      ? []
      : [tabbed(["active_form", active_form])]),
    ...(completed_at === undefined
      ? []
      : [tabbed(["completed_at", timeText(completed_at)])]),
    ...others("blocked_by", blockedBy),
    ...others("blocks", blocks),
  ];
}
