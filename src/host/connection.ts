/**
 * The host's end of the channel to one worker, from its start to its end.
 *
 * @module
 */

import { fromErrorData, TasksError, unreadable } from "../model/errors.ts";
import { printable, reasonOf } from "../model/text.ts";
import {
  type HostMessage,
  type OpenedMessage,
  type OpenMessage,
  type Port,
  PROTOCOL_VERSION,
  type ReplyMessage,
  type SnapshotText,
  type WorkerMessage,
} from "../protocol.ts";
import type { Snapshot, Task } from "../model/task.ts";

/** A worker, or something that behaves like one. */
export interface WorkerPort extends Port {
  /** Called when the worker could not be loaded, or threw something that it did not catch. */
  onerror?: ((event: ErrorEvent) => void) | null;
  /** Ends the worker at once. */
  terminate(): void;
}

/** A snapshot, with the texts it was read from. */
export interface ReceivedSnapshot {
  readonly revision: number;
  /** Deeply frozen. */
  readonly snapshot: Snapshot;
  readonly pieces: readonly SnapshotPiece[];
}

/** Some tasks, frozen, and the JSON array that they were read from. */
export interface SnapshotPiece {
  readonly text: string;
  readonly tasks: readonly Task[];
}

/** What the owner of a connection is told. */
export interface ConnectionListener {
  /** The graph has changed. Called before the call that changed it is answered. */
  changed(received: ReceivedSnapshot): void;
  /** The worker is dead, and every call to it was rejected. Called once, if at all. */
  died(error: TasksError): void;
}

/** A connection that was opened, and what its worker found. */
export interface Opened {
  readonly connection: Connection;
  readonly message: OpenedMessage;
}

/** The answer to a call. */
export interface Answer {
  readonly message: ReplyMessage;
  /** The snapshot that was in force before the call was carried out. */
  readonly before: ReceivedSnapshot;
  /** The snapshot that was in force when the answer came. */
  readonly received: ReceivedSnapshot;
}

/** How a connection is opened. */
export interface ConnectOptions {
  /** Starts the worker. */
  readonly spawn: () => WorkerPort;
  /** What to open. */
  readonly session: Omit<OpenMessage, "type" | "protocol">;
  /** How long the worker may be silent while something waits for it, in milliseconds. */
  readonly timeoutMs: number;
  readonly listener: ConnectionListener;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(reason: unknown): void;
}

const LAST_CHANCE_MS = 20;
/** How deeply a call may be nested; one that makes sense has three levels. */
const MAX_DEPTH = 50;

/** One worker: every call to it is answered, or rejected when it cannot be. */
export class Connection {
  readonly #port: WorkerPort;
  readonly #listener: ConnectionListener;
  readonly #session: ConnectOptions["session"];
  readonly #timeoutMs: number;
  readonly #calls = new Map<number, Waiting<Answer>>();
  #opening: Waiting<Opened> | undefined;
  #closing: Promise<void> | undefined;
  #closed: (() => void) | undefined;
  #announced: ReceivedSnapshot | undefined;
  #current: ReceivedSnapshot = NOTHING_RECEIVED;
  #nextCallId = 1;
  #isOver = false;
  #heardAt = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    port: WorkerPort,
    options: ConnectOptions,
    opening: Waiting<Opened>,
  ) {
    this.#listener = options.listener;
    this.#session = options.session;
    this.#timeoutMs = options.timeoutMs;
    this.#opening = opening;
    this.#port = port;
    this.#port.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      try {
        this.#receive(data);
      } catch (error) {
        this.#die(crashed(`its message makes no sense, ${reasonOf(error)}`));
      }
    };
    this.#port.onerror = (event) => {
      // Or the error would end the host as well.
      event.preventDefault();
      this.#die(
        crashed(
          event.message === "" ? "it could not be loaded" : event.message,
        ),
      );
    };
    this.#port.onmessageerror = () =>
      this.#die(crashed("a message could not be read"));
    this.#watch();
  }

  /**
   * Starts a worker and opens a session in it.
   *
   * @throws {TasksError} What the worker refused with; `open_failed` when it
   * could not be loaded; `timeout` when it did not answer.
   */
  static async open(options: ConnectOptions): Promise<Opened> {
    const { signal } = options;
    signal?.throwIfAborted();
    let abort = () => {};
    const opened = new Promise<Opened>((resolve, reject) => {
      const connection = new Connection(startWorker(options), options, {
        resolve,
        reject,
      });
      abort = () => connection.#fail(signal?.reason);
    });
    signal?.addEventListener("abort", abort);
    try {
      return await opened;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The snapshot in force. */
  get current(): ReceivedSnapshot {
    return this.#current;
  }

  /**
   * Sends a call.
   *
   * @throws {TasksError} `invalid_arguments` when the input cannot be sent;
   * `worker_crashed` or `timeout` when no answer will come.
   */
  call(input: unknown, toolCallId?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) throw closedBefore();
      const callId = this.#nextCallId++;
      try {
        refuseDeep(input);
        this.#post({ type: "call", callId, input, toolCallId });
      } catch (error) {
        throw unreadable(error);
      }
      this.#watch();
      this.#calls.set(callId, { resolve, reject });
    });
  }

  /** Ends the worker once it has answered what was sent before, or when that takes too long. */
  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    if (this.#isOver) return;
    this.#post({ type: "close" });
    const closed = new Promise<void>((resolve) => this.#closed = resolve);
    const deadline = setTimeout(
      () => this.#finish(outcomeUnknown(this.#timedOut())),
      this.#timeoutMs,
    );
    await closed;
    clearTimeout(deadline);
  }

  #post(message: HostMessage): void {
    this.#port.postMessage(message);
  }

  #receive(message: WorkerMessage): void {
    if (this.#isOver) return;
    this.#heardAt = performance.now();
    switch (message.type) {
      case "ready":
        return this.#start(message.protocol);
      case "opened":
        this.#current = receive(message, message.snapshot, this.#current);
        this.#opening?.resolve({ connection: this, message });
        this.#opening = undefined;
        break;
      case "open_failed":
        return this.#fail(fromErrorData(message.error));
      case "waiting":
        return;
      case "snapshot":
        this.#announced = receive(message, message.snapshot, this.#current);
        return;
      case "tasks_changed": {
        const before = this.#current;
        if (message.snapshot !== undefined) {
          this.#announced = receive(message, message.snapshot, this.#current);
        }
        if (this.#announced?.revision !== message.revision) {
          return this.#die(crashed("its messages came out of order"));
        }
        this.#current = this.#announced;
        this.#listener.changed(this.#current);
        if (message.reply === undefined) return;
        this.#settle(message.reply, before);
        break;
      }
      case "reply":
        this.#settle(message, this.#current);
        break;
      case "closed":
        return this.#closing === undefined
          ? this.#die(crashed("it closed by itself"))
          : this.#finish(closedBefore());
      case "crashed":
        return this.#die(fromErrorData(message.error));
    }
  }

  #settle(message: ReplyMessage, before: ReceivedSnapshot): void {
    const received = this.#current;
    this.#calls.get(message.callId)?.resolve({ message, before, received });
    this.#calls.delete(message.callId);
  }

  #start(protocol: number): void {
    if (protocol !== PROTOCOL_VERSION) {
      return this.#fail(
        new TasksError(
          "open_failed",
          `The worker speaks version ${protocol} of the protocol and the host version ` +
            `${PROTOCOL_VERSION}. Let "workerUrl" name the worker of this version of the package.`,
        ),
      );
    }
    this.#post({ type: "open", protocol: PROTOCOL_VERSION, ...this.#session });
  }

  /** Ends a connection that never opened. */
  #fail(reason: unknown): void {
    if (this.#opening === undefined) return;
    this.#opening.reject(reason);
    this.#opening = undefined;
    this.#finish(closedBefore());
  }

  /** Ends the connection because the worker is of no more use. */
  #die(error: TasksError): void {
    if (this.#isOver) return;
    if (this.#opening !== undefined) {
      const code = error.code === "timeout" ? "timeout" : "open_failed";
      return this.#fail(
        new TasksError(
          code,
          `The session could not be opened. ${error.message}`,
        ),
      );
    }
    this.#finish(outcomeUnknown(error));
    this.#listener.died(error);
  }

  #finish(reason: TasksError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unwatch();
    this.#port.terminate();
    for (const { reject } of this.#calls.values()) reject(reason);
    this.#calls.clear();
    this.#closed?.();
  }

  #isWaiting(): boolean {
    return this.#calls.size > 0 || this.#opening !== undefined;
  }

  /** Sees to it that a worker that has fallen silent is noticed. */
  #watch(): void {
    if (!this.#isWaiting()) this.#heardAt = performance.now();
    if (this.#timer !== undefined) return;
    let isLastChance = false;
    const check = () => {
      this.#timer = undefined;
      if (!this.#isWaiting()) return;
      const left = this.#heardAt + this.#timeoutMs - performance.now();
      if (left <= 0 && isLastChance) return this.#die(this.#timedOut());
      // Maybe the host was busy itself, and what the worker said is still to be read.
      isLastChance = left <= 0;
      this.#timer = setTimeout(check, Math.max(Math.abs(left), LAST_CHANCE_MS));
    };
    this.#timer = setTimeout(check, this.#timeoutMs);
  }

  #unwatch(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #timedOut(): TasksError {
    return new TasksError(
      "timeout",
      `The session's worker has not answered for ${this.#timeoutMs} ms.`,
    );
  }
}

function startWorker({ spawn }: ConnectOptions): WorkerPort {
  try {
    return spawn();
  } catch (error) {
    throw new TasksError(
      "open_failed",
      `The session's worker cannot be started: ${reasonOf(error)}.`,
    );
  }
}

function crashed(reason: string): TasksError {
  return new TasksError(
    "worker_crashed",
    `The session's worker died: ${printable(reason, 300)}.`,
  );
}

/**
 * Throws when a value is nested so deeply that the other thread, whose stack may
 * be smaller, could not read it and would not even know that it was sent.
 */
function refuseDeep(
  value: unknown,
  depth = 0,
  seen: Set<unknown> = new Set(),
): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  if (depth > MAX_DEPTH) throw new RangeError("it is nested too deeply");
  seen.add(value);
  for (const item of Object.values(value)) refuseDeep(item, depth + 1, seen);
}

/** The error for calls of which nobody knows whether they were carried out. */
function outcomeUnknown({ code, message }: TasksError): TasksError {
  return new TasksError(
    code,
    `${message} Whether this call was carried out is not known: send ` +
      '{"action":"list"} to see, before you send it again.',
  );
}

function closedBefore(): TasksError {
  return new TasksError(
    "session_closed",
    "The session was closed before this call was answered.",
  );
}

/** What is in force before anything was received. */
export const NOTHING_RECEIVED: ReceivedSnapshot = {
  revision: 0,
  snapshot: Object.freeze({ tasks: Object.freeze([]) }),
  pieces: [],
};

/** Reads a snapshot, except for what has been read before. */
function receive(
  { revision }: { readonly revision: number },
  snapshot: SnapshotText,
  before: ReceivedSnapshot,
): ReceivedSnapshot {
  const pieces = snapshot.map((text, i) => {
    const known = before.pieces[i];
    return known?.text === text ? known : { text, tasks: readTasks(text) };
  });
  const tasks: Task[] = [];
  for (const piece of pieces) tasks.push(...piece.tasks);
  Object.freeze(tasks);
  return { revision, snapshot: Object.freeze({ tasks }), pieces };
}

function readTasks(text: string): readonly Task[] {
  const tasks: readonly Task[] = JSON.parse(text);
  for (const task of tasks) {
    Object.freeze(task.blockedBy);
    Object.freeze(task.blocks);
    Object.freeze(task);
  }
  return tasks;
}
