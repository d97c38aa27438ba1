/**
 * The results of calls as short text, for models that need not see the whole
 * graph as JSON after every change.
 *
 * @module
 */

import { activeBlockers, blockedTasks } from "../graph/graph.ts";
import type { Refusal } from "../model/errors.ts";
import type { Snapshot, Task, TasksResult } from "../model/task.ts";

/** The longest content that a line shows, in UTF-16 code units. */
const MAX_CONTENT_LENGTH = 120;
/** How many ids a line names. */
const MAX_IDS = 10;

/** The result with a line for every task that it holds, those of a snapshot included. */
export function toLines(result: TasksResult, snapshot: Snapshot): string {
  switch (result.action) {
    case "add":
    case "update":
    case "complete":
    case "remove":
      return [
        `${result.action}: ${nameOf(result.task.id)}`,
        ...linesOf(snapshot.tasks, snapshot),
      ].join("\n");
    case "list":
    case "blocked":
      return listed(result, snapshot);
  }
}

/**
 * The result with a line for the task that the call was about, and one for every
 * other open task that became ready, or stopped being ready, through it.
 */
export function toRow(
  result: TasksResult,
  { before, after }: { readonly before: Snapshot; readonly after: Snapshot },
): string {
  switch (result.action) {
    case "add":
    case "update":
    case "complete":
    case "remove": {
      const { action, task } = result;
      const line = (other: Task) => lineOf(other, after);
      const { ready, waiting } = turned(before, after, task.id);
      return [
        `${action}: ${line(task)}`,
        ...ready.map((other) => `now ready: ${line(other)}`),
        ...waiting.map((other) => `no longer ready: ${line(other)}`),
      ].join("\n");
    }
    case "list":
    case "blocked":
      return listed(result, after);
  }
}

/** The refusal in one line. */
export function toRefusedLine({ action, error }: Refusal): string {
  return `${action ?? "call"} refused (${error.code}): ${error.message}`;
}

function listed(
  { action, tasks }: Extract<TasksResult, { action: "list" | "blocked" }>,
  snapshot: Snapshot,
): string {
  if (tasks.length > 0) return linesOf(tasks, snapshot).join("\n");
  return action === "blocked" ? "nothing is blocked" : "no tasks";
}

function linesOf(tasks: readonly Task[], snapshot: Snapshot): string[] {
  return tasks.map((task) => lineOf(task, snapshot));
}

/**
 * Status, id, what the task waits for where it does, and its content: last, so
 * that nothing in it can pass for something else.
 */
function lineOf({ id, content, status }: Task, snapshot: Snapshot): string {
  const isOpen = status === "pending" || status === "in_progress";
  const blockers = isOpen ? activeBlockers(snapshot, id) : [];
  const waits = blockers.length > 0 ? ` (waits for ${allOf(blockers)})` : "";
  return `${status} ${nameOf(id)}${waits}: ${shortened(content)}`;
}

function allOf(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_IDS).map(nameOf).join(", ");
  const rest = ids.length - MAX_IDS;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** The open tasks that wait for something at one time and not at the other, but for one of them. */
function turned(
  before: Snapshot,
  after: Snapshot,
  except: string,
): { readonly ready: readonly Task[]; readonly waiting: readonly Task[] } {
  const blockedBefore = idsOf(blockedTasks(before));
  const blockedAfter = idsOf(blockedTasks(after));
  const others = after.tasks.filter(({ id }) =>
    id !== except && blockedBefore.has(id) !== blockedAfter.has(id)
  );
  return {
    ready: others.filter(({ id }) => blockedBefore.has(id)),
    waiting: others.filter(({ id }) => blockedAfter.has(id)),
  };
}

function idsOf(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.map(({ id }) => id));
}

/** The id, in quotes where a file that was edited by hand gave it an odd one. */
function nameOf(id: string): string {
  return /^[\w.:-]+$/.test(id) ? id : JSON.stringify(id);
}

function shortened(content: string): string {
  const line = content.replace(/\s+/g, " ").trim();
  if (line.length <= MAX_CONTENT_LENGTH) return line;
  // A pair of surrogates is not cut in two.
  const cut = line.slice(0, MAX_CONTENT_LENGTH - 1).replace(
    /[\uD800-\uDBFF]$/,
    "",
  );
  return `${cut.trimEnd()}…`;
}
