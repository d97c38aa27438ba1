/**
 * A session as its host sees it.
 *
 * @module
 */

import { actionOf } from "./arguments.ts";
import {
  type Answer,
  Connection,
  type ReceivedSnapshot,
  type WorkerPort,
} from "./connection.ts";
import {
  fromErrorData,
  reasonOf,
  refusalOf,
  TasksError,
  unreadable,
} from "./errors.ts";
import {
  type ResolvedOptions,
  resolveOptions,
  type SessionOptions,
} from "./options.ts";
import {
  resultOf,
  type ToolResult,
  toRefusedToolResult,
  toToolResult,
} from "./result.ts";
import type {
  SessionWarning,
  Snapshot,
  TasksAction,
  TasksCalls,
  TasksResults,
} from "./task.ts";

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
   * that changed the graph is not carried out a second time: sent again with the
   * same id, as a retry or when a journal is replayed, it is answered with the
   * task that it changed and the graph as it is now. The sidecar remembers the
   * last 256 such ids.
   */
  readonly callId?: string | undefined;
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
   * with `session_closed`. Takes no longer than `requestTimeoutMs`, never rejects,
   * and may be called again.
   */
  close(): Promise<void>;
}

/**
 * Opens a session: starts its worker and loads its sidecar, where there is one.
 *
 * @throws {TasksError} `invalid_arguments` when an option is malformed;
 * `open_failed` when the sidecar cannot be read or the worker cannot be started;
 * `sidecar_newer` when a newer version of this package wrote the sidecar;
 * `timeout` when the worker does not answer. Nothing was changed then.
 * @throws The signal's reason, when opening is aborted.
 *
 * @example Keep tasks and find them again
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * {
 *   await using session = await openSession({ sessionId: "demo", sessionDir });
 *   const setupDb = await session.tasks({ action: "add", content: "Provision the dev DB" });
 *   await session.tasks({
 *     action: "add",
 *     content: "Seed fixtures",
 *     blockedBy: [setupDb.task.id],
 *   });
 * }
 * {
 *   await using session = await openSession({ sessionId: "demo", sessionDir });
 *   const { tasks } = await session.tasks({ action: "blocked" });
 *   assertEquals(tasks.map((task) => task.content), ["Seed fixtures"]);
 * }
 * await Deno.remove(sessionDir, { recursive: true });
 * ```
 */
export async function openSession(
  options: SessionOptions,
): Promise<TaskSession> {
  options.signal?.throwIfAborted();
  const session = new Session(resolveOptions(options));
  await session.connect(options.signal);
  return session;
}

/** How many workers a session may lose within {@linkcode LOSSES_WITHIN_MS} and still go on. */
const MAX_LOSSES = 3;
const LOSSES_WITHIN_MS = 60_000;

class Session extends EventTarget implements TaskSession {
  readonly #options: ResolvedOptions;
  readonly #guarded = new WeakMap<object, (event: Event) => void>();
  #sidecarPath = "";
  #warnings: readonly SessionWarning[] = [];
  #received: ReceivedSnapshot | undefined;
  #connection: Connection | undefined;
  /** Settles when a lost worker has been replaced, or cannot be. */
  #reconnecting: Promise<void> | undefined;
  #lostAt: readonly number[] = [];
  /** Why no more calls are taken. */
  #ended: TasksError | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    super();
    this.#options = options;
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  get sidecarPath(): string {
    return this.#sidecarPath;
  }

  get warnings(): readonly SessionWarning[] {
    return this.#warnings;
  }

  get snapshot(): Snapshot {
    return this.#received?.snapshot ?? NO_TASKS;
  }

  /** Starts a worker, the first one or one in place of a lost one. */
  async connect(signal?: AbortSignal): Promise<void> {
    const { sessionId, sessionDir, staleAfterMs, durability, workerUrl } =
      this.#options;
    const { connection, message } = await Connection.open({
      spawn: () => spawnWorker(workerUrl),
      session: { sessionId, sessionDir, staleAfterMs, durability },
      timeoutMs: this.#options.requestTimeoutMs,
      listener: {
        changed: (received) => this.#publish(received),
        died: (error) => this.#replaceWorker(error),
      },
      signal,
    });
    const before = this.#received;
    this.#connection = connection;
    this.#sidecarPath = message.sidecarPath;
    this.#warnings = [...this.#warnings, ...message.warnings];
    this.#received = connection.current;
    if (
      before !== undefined && before.revision !== connection.current.revision
    ) {
      this.#publish(connection.current);
    }
  }

  async tasks<A extends TasksAction>(
    call: { readonly action: A } & TasksCalls[A],
  ): Promise<TasksResults[A]> {
    const { message, received } = await this.#call(call);
    if ("refusal" in message) throw fromErrorData(message.refusal.error);
    // The worker answers with the action that it was called with.
    return resultOf(message, received.snapshot) as TasksResults[A];
  }

  async handleToolCall(
    input: unknown,
    { callId }: ToolCallOptions = {},
  ): Promise<ToolResult> {
    try {
      const { message, received } = await this.#call(
        input,
        checkCallId(callId),
      );
      return "refusal" in message
        ? toRefusedToolResult(message.refusal)
        : toToolResult(resultOf(message, received.snapshot), received.text);
    } catch (error) {
      if (!(error instanceof TasksError)) throw error;
      return toRefusedToolResult(refusalOf(actionOf(input), error));
    }
  }

  close(): Promise<void> {
    this.#ended ??= new TasksError(
      "session_closed",
      "The session is closed. Open it again.",
    );
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  override addEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener && this.#guard(listener), options);
  }

  override removeEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void {
    super.removeEventListener(type, listener && this.#guard(listener), options);
  }

  async #call(input: unknown, toolCallId?: string): Promise<Answer> {
    if (this.#ended !== undefined) throw this.#ended;
    const connection = this.#connection;
    if (connection !== undefined) {
      return await connection.call(input, toolCallId);
    }
    const copy = copyOf(input);
    await this.#reconnecting;
    const replacement = this.#connection;
    if (replacement !== undefined) {
      return await replacement.call(copy, toolCallId);
    }
    throw this.#ended ?? closed();
  }

  async #close(): Promise<void> {
    await this.#reconnecting;
    await this.#connection?.close();
  }

  #publish(received: ReceivedSnapshot): void {
    this.#received = received;
    const { revision, snapshot } = received;
    const detail = Object.freeze({
      sessionId: this.sessionId,
      revision,
      snapshot,
    });
    this.dispatchEvent(new CustomEvent("tasks_changed", { detail }));
  }

  #replaceWorker(error: TasksError): void {
    this.#connection = undefined;
    this.#report(error);
    if (this.#ended !== undefined) return;
    const now = performance.now();
    this.#lostAt = [
      ...this.#lostAt.filter((at) => now - at < LOSSES_WITHIN_MS),
      now,
    ];
    if (this.#lostAt.length > MAX_LOSSES) {
      this.#ended = new TasksError(
        "worker_crashed",
        `The session lost ${this.#lostAt.length} workers within ${LOSSES_WITHIN_MS} ms and is ` +
          `closed. The last one: ${error.message} What was answered is in the sidecar.`,
      );
      return;
    }
    this.#reconnecting = this.connect().catch((failure) => {
      this.#ended ??= new TasksError(
        "worker_crashed",
        `The session lost its worker and cannot start another: ${
          reasonOf(failure)
        }`,
      );
    }).finally(() => this.#reconnecting = undefined);
  }

  #report(error: unknown): void {
    this.dispatchEvent(
      new ErrorEvent("error", { error, message: reasonOf(error) }),
    );
  }

  /** A listener in a wrapping that lets nothing it throws out. */
  #guard(listener: EventListenerOrEventListenerObject): (event: Event) => void {
    const known = this.#guarded.get(listener);
    if (known !== undefined) return known;
    const guarded = async (event: Event) => {
      try {
        await (typeof listener === "function"
          ? listener.call(this, event)
          : listener.handleEvent(event));
      } catch (error) {
        if (event.type !== "error") this.#report(error);
      }
    };
    this.#guarded.set(listener, guarded);
    // A signal that ends the listener removes the wrapping.
    this.#guarded.set(guarded, guarded);
    return guarded;
  }
}

function checkCallId(callId: unknown): string | undefined {
  if (callId === undefined) return undefined;
  const isUsable = typeof callId === "string" && callId !== "" &&
    callId.length <= 256 && callId.isWellFormed();
  if (isUsable) return callId;
  throw new TasksError(
    "invalid_arguments",
    'The option "callId" must be a string of 1 to 256 characters.',
  );
}

function closed(): TasksError {
  return new TasksError(
    "session_closed",
    "The session is closed. Open it again to go on.",
  );
}

const NO_TASKS: Snapshot = Object.freeze({ tasks: Object.freeze([]) });

function spawnWorker(url: URL | undefined): WorkerPort {
  // Bundlers look for exactly this form.
  return url === undefined
    ? new Worker(new URL("../worker.ts", import.meta.url), { type: "module" })
    : new Worker(url, { type: "module" });
}

/** What the caller's value is now, since it may be another by the time it is sent. */
function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch (error) {
    throw unreadable(error);
  }
}
