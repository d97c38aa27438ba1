/**
 * The session on the host's side: calls, events, and a fresh worker in place of a
 * lost one.
 *
 * @module
 */

import { actionOf } from "../graph/arguments.ts";
import {
  type Answer,
  Connection,
  NOTHING_RECEIVED,
  type ReceivedSnapshot,
  type WorkerPort,
} from "./connection.ts";
import {
  fromErrorData,
  refusalOf,
  TasksError,
  unreadable,
} from "../model/errors.ts";
import { reasonOf } from "../model/text.ts";
import {
  type ResolvedOptions,
  resolveOptions,
  type SessionOptions,
} from "./options.ts";
import {
  resultOf,
  type ToolResult,
  type ToolView,
  toRefusedToolResult,
  toToolResult,
} from "../tool/result.ts";
import type { TaskSession, ToolCallOptions } from "./session.ts";
import { SessionEventTarget } from "./session_event_target.ts";
import type {
  SessionWarning,
  Snapshot,
  TasksAction,
  TasksCalls,
  TasksResults,
} from "../model/task.ts";

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

/** A call that was made while there was no worker. */
interface WaitingCall {
  readonly input: unknown;
  readonly toolCallId: string | undefined;
  resolve(answer: Promise<Answer>): void;
  reject(reason: TasksError): void;
}

class Session extends SessionEventTarget implements TaskSession {
  readonly #options: ResolvedOptions;
  #sidecarPath = "";
  #warnings: readonly SessionWarning[] = [];
  #received: ReceivedSnapshot | undefined;
  #connection: Connection | undefined;
  /** Settles when a lost worker has been replaced, or cannot be. */
  #replacing: Promise<void> | undefined;
  #waiting: WaitingCall[] = [];
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
    return (this.#received ?? NOTHING_RECEIVED).snapshot;
  }

  /** Starts a worker, the first one or one in place of a lost one. */
  async connect(signal?: AbortSignal): Promise<void> {
    const { sessionId, sessionDir, durability, watchFile, workerUrl } =
      this.#options;
    const before = this.#received;
    // What was in progress when a worker was lost is nobody's leftover.
    const staleAfterMs = before === undefined
      ? this.#options.staleAfterMs
      : Infinity;
    const { connection, message } = await Connection.open({
      spawn: () => spawnWorker(workerUrl),
      session: { sessionId, sessionDir, staleAfterMs, durability, watchFile },
      timeoutMs: this.#options.requestTimeoutMs,
      listener: {
        changed: (received) => this.#publish(received),
        died: (error) => this.#replaceWorker(error),
      },
      signal,
    });
    this.#sidecarPath = message.sidecarPath;
    const known = new Set(this.#warnings.map((warning) => warning.message));
    const news = message.warnings.filter((warning) =>
      !known.has(warning.message)
    );
    this.#warnings = [...this.#warnings, ...news];
    this.#received = connection.current;
    this.#connection = connection;
    for (const { input, toolCallId, resolve } of this.#waiting.splice(0)) {
      resolve(connection.call(input, toolCallId));
    }
    if (before !== undefined && !isSame(before, connection.current)) {
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
    options?: ToolCallOptions,
  ): Promise<ToolResult> {
    let view: ToolView = "json";
    try {
      view = checkView(options?.view);
      const toolCallId = checkCallId(options?.callId);
      const answer = await this.#call(input, toolCallId);
      const { message, before, received } = answer;
      if ("refusal" in message) {
        return toRefusedToolResult(message.refusal, view);
      }
      const { snapshot, pieces } = received;
      return toToolResult(resultOf(message, snapshot), view, {
        before: before.snapshot,
        after: snapshot,
        pieces,
      });
    } catch (error) {
      if (!(error instanceof TasksError)) throw error;
      return toRefusedToolResult(refusalOf(actionOf(input), error), view);
    }
  }

  close(): Promise<void> {
    this.#ended ??= closed();
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected override reportFailure(error: unknown): void {
    this.dispatchEvent(
      new ErrorEvent("error", { error, message: reasonOf(error) }),
    );
  }

  async #call(input: unknown, toolCallId?: string): Promise<Answer> {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#connection !== undefined) {
      return await this.#connection.call(input, toolCallId);
    }
    // The caller's value may be another by the time it is sent.
    const copy = copyOf(input);
    return await new Promise<Answer>((resolve, reject) =>
      this.#waiting.push({ input: copy, toolCallId, resolve, reject })
    );
  }

  async #close(): Promise<void> {
    await this.#replacing;
    await this.#connection?.close();
  }

  #publish(received: ReceivedSnapshot): void {
    this.#received = received;
    const { sessionId } = this;
    const { revision, snapshot } = received;
    const detail = Object.freeze({ sessionId, revision, snapshot });
    this.dispatchEvent(new CustomEvent("tasks_changed", { detail }));
  }

  #replaceWorker(error: TasksError): void {
    this.#connection = undefined;
    const now = performance.now();
    const recent = this.#lostAt.filter((at) => now - at < LOSSES_WITHIN_MS);
    this.#lostAt = [...recent, now];
    if (this.#lostAt.length > MAX_LOSSES) {
      this.#ended ??= new TasksError(
        "worker_crashed",
        `The session lost ${this.#lostAt.length} workers within ` +
          `${LOSSES_WITHIN_MS} ms and is closed. The last one: ${error.message} ` +
          "What was answered is in the sidecar.",
      );
    }
    if (this.#ended === undefined) this.#replacing = this.#replace();
    this.reportFailure(error);
  }

  async #replace(): Promise<void> {
    try {
      await this.connect();
    } catch (error) {
      const failure = this.#ended = new TasksError(
        "worker_crashed",
        "The session lost its worker and cannot start another: " +
          reasonOf(error),
      );
      for (const { reject } of this.#waiting.splice(0)) reject(failure);
      this.reportFailure(failure);
    }
  }
}

function isSame(a: ReceivedSnapshot, b: ReceivedSnapshot): boolean {
  return a.revision === b.revision && a.pieces.length === b.pieces.length &&
    a.pieces.every(({ text }, i) => text === b.pieces[i]?.text);
}

function checkView(view: unknown = "json"): ToolView {
  const known = VIEWS.find((name) => name === view);
  if (known !== undefined) return known;
  throw new TasksError(
    "invalid_arguments",
    `The option "view" must be one of ${VIEWS.join(", ")}.`,
  );
}

const VIEWS: readonly ToolView[] = ["json", "lines", "row"];

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

function spawnWorker(url: URL | undefined): WorkerPort {
  // Bundlers look for exactly this form.
  return url === undefined
    ? new Worker(new URL("../../worker.ts", import.meta.url), {
      type: "module",
    })
    : new Worker(url, { type: "module" });
}

function copyOf(input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch (error) {
    throw unreadable(error);
  }
}
