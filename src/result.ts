/**
 * From a worker's reply to the result that a caller gets and the text that a
 * model reads.
 *
 * @module
 */

import type { Refusal } from "./errors.ts";
import type { DoneReplyMessage } from "./protocol.ts";
import type { Snapshot, TasksResult } from "./task.ts";

/** What {@linkcode TaskSession.handleToolCall} answers. */
export interface ToolResult {
  /** Whether the call was refused. */
  readonly isError: boolean;
  /** The result as JSON text, for the model. */
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

/** The tool result of a call that was carried out. */
export function toToolResult(
  result: TasksResult,
  pieces: readonly { readonly text: string }[],
): ToolResult {
  const { snapshot, ...rest } = { snapshot: undefined, ...result };
  const head = JSON.stringify(rest);
  if (snapshot === undefined) return { isError: false, content: head, result };
  // The snapshot's text is there already, and may be long.
  const tasks = pieces.map(({ text }) => text.slice(1, -1)).join(",");
  const content = `${head.slice(0, -1)},"snapshot":{"tasks":[${tasks}]}}`;
  return { isError: false, content, result };
}

/** The tool result of a call that was refused. */
export function toRefusedToolResult(refusal: Refusal): ToolResult {
  return { isError: true, content: JSON.stringify(refusal), result: refusal };
}
