/**
 * Which task a person means.
 *
 * @module
 */

import { type Snapshot, TasksError } from "../../mod.ts";
import { someOf } from "./texts.ts";

/**
 * The id of the task that is meant: the one with this id, else the one whose id
 * ends so, else the one whose id has this in it.
 *
 * @throws {TasksError} `unknown_task` when there is none, or more than one.
 */
export function chooseTask(snapshot: Snapshot, part: string): string {
  const ids = snapshot.tasks.map((task) => task.id);
  if (ids.includes(part)) return part;
  if (part !== "") {
    for (const matches of [endsIn, contains]) {
      const found = ids.filter((id) => matches(id, part));
      if (found.length > 1) throw ambiguous(part, found);
      if (found[0] !== undefined) return found[0];
    }
  }
  throw new TasksError(
    "unknown_task",
    `No task has the id ${JSON.stringify(part)}, or one with that in it. ` +
      "Run tasks list to see the ids.",
  );
}

function endsIn(id: string, part: string): boolean {
  return id.endsWith(part);
}

function contains(id: string, part: string): boolean {
  return id.includes(part);
}

function ambiguous(part: string, found: readonly string[]): TasksError {
  return new TasksError(
    "unknown_task",
    `${JSON.stringify(part)} could be any of ${found.length} tasks: ` +
      `${someOf(found)}. Give more of the id.`,
    found,
  );
}
