/**
 * Errors: their codes, the class that callers catch, and the plain form in
 * which they cross from thread to thread.
 *
 * @module
 */

import type { TasksAction } from "./task.ts";
import { printable, reasonOf } from "./text.ts";

/**
 * Why a call or an opening was refused.
 *
 * - `invalid_arguments`: the call or the options are malformed
 * - `unknown_task`: no task has this id
 * - `unknown_blocker`: `blockedBy` names ids that no task has
 * - `task_deleted`: a deleted task must be restored before it can be changed
 * - `cycle`: the new edges would make a task wait for itself
 * - `persist_failed`: the sidecar could not be written; nothing was changed
 * - `open_failed`: the session could not be opened; nothing was changed
 * - `sidecar_newer`: the sidecar was written by a newer version of this package
 * - `session_closed`: the session is closed
 * - `worker_crashed`: the session's worker died
 * - `timeout`: the worker did not answer in time
 */
export type TasksErrorCode =
  | "invalid_arguments"
  | "unknown_task"
  | "unknown_blocker"
  | "task_deleted"
  | "cycle"
  | "persist_failed"
  | "open_failed"
  | "sidecar_newer"
  | "session_closed"
  | "worker_crashed"
  | "timeout";

/** An error as plain data. */
export interface ErrorData {
  /** Why. */
  readonly code: TasksErrorCode;
  /** What was wrong and what to do instead; under 2 kB, without control characters. */
  readonly message: string;
  /** The tasks it is about, where there are any; at most twenty. */
  readonly taskIds?: readonly string[];
}

/** What a refused call answers. Nothing was changed, written or emitted. */
export interface Refusal {
  /** The action that was called; absent when the call named none of the six. */
  readonly action?: TasksAction;
  /** Why, and what to send instead. */
  readonly error: ErrorData;
}

const MAX_MESSAGE_BYTES = 1_900;
const MAX_TASK_IDS = 20;

/**
 * Thrown when a call or an opening is refused.
 *
 * @example Tell refusals apart
 * ```ts
 * import { TasksError } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const error = new TasksError("unknown_task", "There is no task t_1.", ["t_1"]);
 * assertEquals(error.code, "unknown_task");
 * assertEquals(error.taskIds, ["t_1"]);
 * ```
 */
export class TasksError extends Error {
  /** Why. */
  readonly code: TasksErrorCode;
  /** The tasks it is about; empty when it is about none. */
  readonly taskIds: readonly string[];

  /**
   * Constructs an error. The message is made printable and cut to a bounded
   * length, and of the ids the first twenty are kept.
   */
  constructor(
    code: TasksErrorCode,
    message: string,
    taskIds: readonly string[] = [],
  ) {
    super(cutToBytes(printable(message, MAX_MESSAGE_BYTES), MAX_MESSAGE_BYTES));
    this.name = "TasksError";
    this.code = code;
    this.taskIds = taskIds.slice(0, MAX_TASK_IDS).map((id) => printable(id));
  }
}

/** Turns an error into the data that crosses between threads and that models read. */
export function toErrorData(error: TasksError): ErrorData {
  const { code, message, taskIds } = error;
  return taskIds.length > 0 ? { code, message, taskIds } : { code, message };
}

/** The refusal of a call that named this action, or none. */
export function refusalOf(
  action: TasksAction | undefined,
  error: TasksError,
): Refusal {
  return action === undefined
    ? { error: toErrorData(error) }
    : { action, error: toErrorData(error) };
}

/** The error for an input that throws when it is read or copied. */
export function unreadable(thrown: unknown): TasksError {
  return new TasksError(
    "invalid_arguments",
    `The call cannot be read: ${reasonOf(thrown)}. Send plain JSON data.`,
  );
}

/** Builds an error anew from the data it crossed in. */
export function fromErrorData(data: ErrorData): TasksError {
  return new TasksError(data.code, data.message, data.taskIds);
}

/** A `TasksError` with code `invalid_arguments`. */
export function invalidArguments(message: string): TasksError {
  return new TasksError("invalid_arguments", message);
}

function cutToBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}
