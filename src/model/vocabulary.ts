/**
 * The words and texts that a task may hold, wherever they come from.
 *
 * @module
 */

import type { TasksAction, TaskStatus } from "./task.ts";

/** The six actions, in the order in which they are offered to a model. */
export const ACTIONS = [
  "add",
  "update",
  "complete",
  "remove",
  "list",
  "blocked",
] as const satisfies readonly TasksAction[];

/** The four statuses. */
export const STATUSES = [
  "pending",
  "in_progress",
  "completed",
  "deleted",
] as const satisfies readonly TaskStatus[];

/** The longest `content` or `active_form` that a call may hold, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 16_384;
