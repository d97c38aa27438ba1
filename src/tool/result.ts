/**
 * From a worker's reply to the result that a caller gets and the text that a
 * model reads.
 *
 * @module
 */

import type { Refusal } from "../model/errors.ts";
import type { DoneReplyMessage } from "../protocol.ts";
import type { Snapshot, TasksResult } from "../model/task.ts";
import { toLines, toRefusedLine, toRow } from "./lines.ts";

/**
 * How much of the graph a model reads in a result. All of them show what is ready.
 *
 * - `json`: the result as JSON, with the whole graph after a change
 * - `lines`: one short line per task: status, id, what it waits for, content
 * - `row`: the line of the task that the call was about, and of every other that
 *   became ready or stopped being ready through it
 */
export type ToolView = "json" | "lines" | "row";

/** What {@linkcode TaskSession.handleToolCall} answers. */
export interface ToolResult {
  /** Whether the call was refused. */
  readonly isError: boolean;
  /** The result as text, for the model. */
  readonly content: string;
  /** The result as data, for the host. */
  readonly result: TasksResult | Refusal;
}

/** The result of a call that was carried out; the tasks in it are those of the snapshot. */
export function resultOf(
  { action, positions }: DoneReplyMessage,
  snapshot: Snapshot,
): TasksResult {
  const tasks = positions.map((position) => snapshot.tasks[position]!);
  switch (action) {
    case "add":
    case "update":
    case "complete":
    case "remove":
      return { action, task: tasks[0]!, snapshot };
    case "list":
      return { action, tasks, snapshot };
    case "blocked":
      return { action, tasks };
  }
}

/** The graph around a call. */
export interface Surroundings {
  /** The snapshot that was in force before the call. */
  readonly before: Snapshot;
  /** The one in force after it. */
  readonly after: Snapshot;
  /** The one after it as JSON arrays, in parts. */
  readonly pieces: readonly { readonly text: string }[];
}

/** The tool result of a call that was carried out. */
export function toToolResult(
  result: TasksResult,
  view: ToolView,
  { before, after, pieces }: Surroundings,
): ToolResult {
  switch (view) {
    case "json":
      return { isError: false, content: toJson(result, pieces), result };
    case "lines":
      return { isError: false, content: toLines(result, after), result };
    case "row": {
      const content = toRow(result, { before, after });
      return { isError: false, content, result };
    }
  }
}

/** The tool result of a call that was refused. */
export function toRefusedToolResult(
  refusal: Refusal,
  view: ToolView,
): ToolResult {
  const content = view === "json"
    ? JSON.stringify(refusal)
    : toRefusedLine(refusal);
  return { isError: true, content, result: refusal };
}

function toJson(
  result: TasksResult,
  pieces: Surroundings["pieces"],
): string {
  const { snapshot, ...rest } = { snapshot: undefined, ...result };
  const head = JSON.stringify(rest);
  if (snapshot === undefined) return head;
  // The snapshot's text is there already, and may be long.
  const tasks = pieces.map(({ text }) => text.slice(1, -1)).join(",");
  return `${head.slice(0, -1)},"snapshot":{"tasks":[${tasks}]}}`;
}
