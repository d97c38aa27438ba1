/**
 * The data model: what a task is, what a caller may ask, what comes back.
 *
 * Types only, so that every other file can share them at no cost.
 *
 * @module
 */

/** Where a task stands. A `deleted` task stays in the graph, so that its id and edges still resolve. */
export type TaskStatus = "pending" | "in_progress" | "completed" | "deleted";

/**
 * A task as callers see it. It is compact: a key whose value would be empty is
 * absent.
 */
export interface Task {
  /** `t_<unix_ms>_<rand>`, minted by the store. */
  readonly id: string;
  /** What is to be done. */
  readonly content: string;
  /** Where the task stands. */
  readonly status: TaskStatus;
  /** The same in the present continuous, shown while the task is in progress. */
  readonly active_form?: string;
  /** Ids of the tasks that must be completed or deleted before this one is ready. */
  readonly blockedBy?: readonly string[];
  /** Ids of the tasks that name this one in `blockedBy`; derived, never written by a caller. */
  readonly blocks?: readonly string[];
  /** When the task was completed, in unix milliseconds; present exactly while it is `completed`. */
  readonly completed_at?: number;
}

/** The whole graph at one revision, in insertion order, deleted tasks included. */
export interface Snapshot {
  /** Every task of the session. */
  readonly tasks: readonly Task[];
}

/**
 * A task as the graph holds it and the sidecar stores it: with its stamps, but
 * without `blocks`, which is derived.
 */
export interface TaskRecord {
  readonly id: string;
  readonly content: string;
  readonly status: TaskStatus;
  readonly active_form?: string | undefined;
  readonly blockedBy: readonly string[];
  readonly completed_at?: number | undefined;
  readonly created_at: number;
  readonly updated_at: number;
  /** Fields of the stored row that this version does not know; written back as they were. */
  readonly unknownFields?: Readonly<Record<string, unknown>> | undefined;
}

/** Inserts a task. Its id is minted by the store. */
export interface AddCall {
  /** The discriminant. */
  readonly action: "add";
  /** What is to be done; 1 to 16 384 characters, not blank. */
  readonly content: string;
  /** Ids of existing tasks that must be done first. */
  readonly blockedBy?: readonly string[] | undefined;
  /** The present continuous of `content`. */
  readonly active_form?: string | undefined;
}

/** Changes the given fields of a task and leaves the others alone. */
export interface UpdateCall {
  /** The discriminant. */
  readonly action: "update";
  /** The task to change. */
  readonly id: string;
  /** What is to be done. */
  readonly content?: string | undefined;
  /** The new status; any status may follow any other. */
  readonly status?: TaskStatus | undefined;
  /** The new list of blockers, replacing the old one; `[]` clears it. */
  readonly blockedBy?: readonly string[] | undefined;
  /** The present continuous of `content`. */
  readonly active_form?: string | undefined;
}

/** Marks a task completed. Its dependents are left as they are. */
export interface CompleteCall {
  /** The discriminant. */
  readonly action: "complete";
  /** The task that is done. */
  readonly id: string;
}

/** Marks a task deleted. Its row, id and edges stay. */
export interface RemoveCall {
  /** The discriminant. */
  readonly action: "remove";
  /** The task that is no longer wanted. */
  readonly id: string;
}

/** Asks for the tasks, all of them or those of one status. */
export interface ListCall {
  /** The discriminant. */
  readonly action: "list";
  /** Only tasks of this status. */
  readonly status_filter?: TaskStatus | undefined;
}

/** Asks which tasks cannot be started yet. */
export interface BlockedCall {
  /** The discriminant. */
  readonly action: "blocked";
}

/** The calls of the `tasks` tool, by action. */
export interface TasksCalls {
  /** Inserts a task. */
  readonly add: AddCall;
  /** Changes a task. */
  readonly update: UpdateCall;
  /** Marks a task completed. */
  readonly complete: CompleteCall;
  /** Marks a task deleted. */
  readonly remove: RemoveCall;
  /** Asks for the tasks. */
  readonly list: ListCall;
  /** Asks for the tasks that cannot be started yet. */
  readonly blocked: BlockedCall;
}

/** The names of the six actions. */
export type TasksAction = keyof TasksCalls;

/** One call of the `tasks` tool. */
export type TasksCall = TasksCalls[TasksAction];

/** What `add`, `update`, `complete` and `remove` answer. */
export interface ChangeResult<
  A extends TasksAction = "add" | "update" | "complete" | "remove",
> {
  /** The action that was called. */
  readonly action: A;
  /** The one task that the call was about, as it is now. */
  readonly task: Task;
  /** The whole graph after the call. */
  readonly snapshot: Snapshot;
}

/** What `list` answers. */
export interface ListResult {
  /** The action that was called. */
  readonly action: "list";
  /** The tasks that passed the filter. */
  readonly tasks: readonly Task[];
  /** The whole graph, unfiltered. */
  readonly snapshot: Snapshot;
}

/** What `blocked` answers. */
export interface BlockedResult {
  /** The action that was called. */
  readonly action: "blocked";
  /** The open tasks that have at least one active blocker. */
  readonly tasks: readonly Task[];
}

/** The results of the `tasks` tool, by action. */
export interface TasksResults {
  /** The new task. */
  readonly add: ChangeResult<"add">;
  /** The changed task. */
  readonly update: ChangeResult<"update">;
  /** The completed task. */
  readonly complete: ChangeResult<"complete">;
  /** The deleted task. */
  readonly remove: ChangeResult<"remove">;
  /** The tasks asked for. */
  readonly list: ListResult;
  /** The tasks that cannot be started yet. */
  readonly blocked: BlockedResult;
}

/** What a successful call answers. */
export type TasksResult = TasksResults[TasksAction];

/** Something that loading a sidecar found and dealt with. */
export interface SessionWarning {
  /** What kind of thing it was. */
  readonly code: WarningCode;
  /** What was found and what was done about it. */
  readonly message: string;
  /** The tasks it is about, at most twenty of them. */
  readonly taskIds: readonly string[];
}

/**
 * The kinds of {@linkcode SessionWarning}.
 *
 * - `stale_reset`: tasks left `in_progress` by a dead run went back to `pending`
 * - `moved_aside`: the file was no sidecar; it was renamed and the graph is empty
 * - `rows_dropped`: rows that are no tasks were left out; a copy of the file was kept
 * - `rows_repaired`: fields that cannot be used were replaced or left out; a copy of the
 *   file was kept
 * - `missing_blockers`: edges lead to tasks that are not there
 * - `loops`: tasks block each other in a circle
 * - `other_session`: the file was written by another session, of which this is a fork
 */
export type WarningCode =
  | "stale_reset"
  | "moved_aside"
  | "rows_dropped"
  | "rows_repaired"
  | "missing_blockers"
  | "loops"
  | "other_session";
