/**
 * What a session offers to its host.
 *
 * @module
 */

import type { ToolResult, ToolView } from "../tool/result.ts";
import type {
  SessionWarning,
  Snapshot,
  TasksAction,
  TasksCalls,
  TasksResults,
} from "../model/task.ts";

/** What a `tasks_changed` event tells. */
export interface TasksChanged {
  /** The session that changed. */
  readonly sessionId: string;
  /** The revision of the sidecar; it rises with every change. */
  readonly revision: number;
  /** The whole graph, deeply frozen. */
  readonly snapshot: Snapshot;
}

/** The graph of a session has changed. */
export type TasksChangedEvent = CustomEvent<TasksChanged>;

/** The events of a {@linkcode TaskSession}, by name. */
export interface TaskSessionEvents {
  /** The graph has changed, and the change is saved. */
  tasks_changed: TasksChangedEvent;
  /** The worker died, or a listener threw; `error` says which. */
  error: ErrorEvent;
}

/** A listener of one of the events of a {@linkcode TaskSession}. */
export type TaskSessionListener<K extends keyof TaskSessionEvents> =
  | ((event: TaskSessionEvents[K]) => void)
  | { handleEvent(event: TaskSessionEvents[K]): void };

/** Options for {@linkcode TaskSession.handleToolCall}. */
export interface ToolCallOptions {
  /**
   * The id that the provider gave the tool call, at most 256 characters. A call
   * that changed the graph is not carried out a second time: sent again unchanged
   * with the same id, as a retry or when a journal is replayed, it is answered with the
   * task that it changed and the graph as it is now. The sidecar remembers the
   * last 256 such ids. Another call needs another id, even where it says the same.
   */
  readonly callId?: string | undefined;
  /**
   * What the model reads. After a change among thirty tasks that is some 1 400
   * tokens as `json`, 900 as `lines`, and 40 as a `row`.
   *
   * @default {"json"}
   */
  readonly view?: ToolView | undefined;
}

/**
 * An open session: one graph of tasks, in a worker of its own.
 *
 * Calls are answered in the order in which they were made. `tasks_changed` for a
 * change comes before the call that made it settles. An open session keeps the
 * process alive until it is closed.
 */
export interface TaskSession extends EventTarget, AsyncDisposable {
  /** The session's id. */
  readonly sessionId: string;
  /** The absolute path of the sidecar. */
  readonly sidecarPath: string;
  /** The newest graph received, deeply frozen. */
  readonly snapshot: Snapshot;
  /** What opening the session found in the sidecar, and did about it. */
  readonly warnings: readonly SessionWarning[];

  /**
   * Calls the tool.
   *
   * @throws {TasksError} When the call is refused. Unless the code is `timeout`
   * or `worker_crashed`, nothing was changed.
   */
  tasks<A extends TasksAction>(
    call: { readonly action: A } & TasksCalls[A],
  ): Promise<TasksResults[A]>;

  /** Calls the tool with what a model sent, whatever that is. Never rejects. */
  handleToolCall(
    input: unknown,
    options?: ToolCallOptions,
  ): Promise<ToolResult>;

  /** Listens to an event. A listener that throws is reported as an `error` event. */
  addEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  /** Listens to an event of another kind, of which a session has none itself. */
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;

  /** Stops listening to an event. */
  removeEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | EventListenerOptions,
  ): void;
  /** Stops listening to an event of another kind. */
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;

  /**
   * Answers what was called before, then ends the worker. Later calls are refused
   * with `session_closed`. Takes no longer than `requestTimeoutMs`, or twice that
   * while a lost worker is being replaced, never rejects, and may be called again.
   */
  close(): Promise<void>;
}
