/**
 * The messages between a host and a session's worker, by direction.
 *
 * All of them are plain data. A conversation runs like this:
 *
 * 1. The worker says `ready` as soon as it listens.
 * 2. The host sends `open`; the worker answers `opened` or `open_failed`.
 * 3. The host sends any number of `call`s, without waiting. The worker answers
 *    each with one `reply`, in the order in which they were sent. When a call
 *    changes the graph, `tasks_changed`, which holds the graph and the reply,
 *    comes for it once the sidecar is written. A large graph is sent ahead, as a
 *    `snapshot`, while it is being written.
 *    `waiting` may come at any time, while another host writes, and a
 *    `tasks_changed` without a reply when another host has changed the graph.
 *    After `crashed` no answer comes any more.
 * 4. The host sends `close`; the worker answers every call that was sent before,
 *    then says `closed`, and can be terminated.
 *
 * @module
 */

import type { ErrorData, Refusal } from "./model/errors.ts";
import type { SessionWarning, TasksAction } from "./model/task.ts";

/** The version of the messages below. It rises whenever one of them changes its meaning. */
export const PROTOCOL_VERSION = 1;

/** How far a saved change is safe: from a killed process, or from a power failure too. */
export type Durability = "process" | "power";

/**
 * The tasks of a `Snapshot`, in order, as JSON arrays of sixteen tasks each; the
 * last one may be shorter. A piece that has the same text as before need not be
 * read again.
 */
export type SnapshotText = readonly string[];

/** Opens the session. The first message that a host sends, once in a worker's life. */
export interface OpenMessage {
  /** Says which message this is. */
  readonly type: "open";
  /** The {@linkcode PROTOCOL_VERSION} that the host speaks. */
  readonly protocol: number;
  /** The session to open. */
  readonly sessionId: string;
  /** The directory of the sidecar, as an absolute path. */
  readonly sessionDir: string;
  /** How long a task may be `in_progress` without a sign of life, in milliseconds. */
  readonly staleAfterMs: number;
  /** What a saved change survives. */
  readonly durability: Durability;
  /** Whether to tell of changes that other hosts make without waiting for a call. */
  readonly watchFile?: boolean | undefined;
}

/** Calls the tool. */
export interface CallMessage {
  /** Says which message this is. */
  readonly type: "call";
  /** A number of the host's choosing, which comes back in the reply. */
  readonly callId: number;
  /** The arguments as they came from the model. */
  readonly input: unknown;
  /**
   * The id that the provider gave the tool call. When the same call, with the same
   * id, has changed the graph before, this one changes nothing and is answered with
   * the same task.
   */
  readonly toolCallId?: string | undefined;
}

/** Ends the session, after everything that was sent before. */
export interface CloseMessage {
  /** Says which message this is. */
  readonly type: "close";
}

/** What a host sends. */
export type HostMessage = OpenMessage | CallMessage | CloseMessage;

/** The worker listens. */
export interface ReadyMessage {
  /** Says which message this is. */
  readonly type: "ready";
  /** The {@linkcode PROTOCOL_VERSION} that the worker speaks. */
  readonly protocol: number;
}

/** The session is open. */
export interface OpenedMessage {
  /** Says which message this is. */
  readonly type: "opened";
  /** The absolute path of the sidecar. */
  readonly sidecarPath: string;
  /** The revision that was loaded. */
  readonly revision: number;
  /** The whole graph. */
  readonly snapshot: SnapshotText;
  /** What loading found and did. */
  readonly warnings: readonly SessionWarning[];
}

/** The session could not be opened; nothing was changed. */
export interface OpenFailedMessage {
  /** Says which message this is. */
  readonly type: "open_failed";
  /** Why. */
  readonly error: ErrorData;
}

/**
 * The graph as it will be at a revision that is being written right now, so that
 * the host can read it in the meantime. It does not count until `tasks_changed`
 * names its revision; when the write fails, it never does.
 */
export interface SnapshotMessage {
  /** Says which message this is. */
  readonly type: "snapshot";
  /** The revision that is being written. */
  readonly revision: number;
  /** The whole graph. */
  readonly snapshot: SnapshotText;
}

/** The graph has changed, and the change is saved. */
export interface TasksChangedMessage {
  /** Says which message this is. */
  readonly type: "tasks_changed";
  /** The revision that was written. */
  readonly revision: number;
  /** The whole graph; absent when it was sent ahead as a `snapshot` of this revision. */
  readonly snapshot?: SnapshotText;
  /** The answer to the call that made the change; absent when another host made it. */
  readonly reply?: DoneReplyMessage;
}

/** Another host is writing the sidecar, and a call waits for it: the worker is well. */
export interface WaitingMessage {
  /** Says which message this is. */
  readonly type: "waiting";
}

/** The answer to a call that was carried out. */
export interface DoneReplyMessage {
  /** Says which message this is. */
  readonly type: "reply";
  /** The number that the call came with. */
  readonly callId: number;
  /** The action that was called. */
  readonly action: TasksAction;
  /** The tasks that the call is about, as positions in the snapshot in force. */
  readonly positions: readonly number[];
}

/** The answer to a call that was refused. */
export interface RefusedReplyMessage {
  /** Says which message this is. */
  readonly type: "reply";
  /** The number that the call came with. */
  readonly callId: number;
  /** Why, and what to send instead. */
  readonly refusal: Refusal;
}

/** The answer to a call. */
export type ReplyMessage = DoneReplyMessage | RefusedReplyMessage;

/** Everything that was sent before `close` has been answered. The last message. */
export interface ClosedMessage {
  /** Says which message this is. */
  readonly type: "closed";
}

/** Something went wrong that never should; the worker answers no more. */
export interface CrashedMessage {
  /** Says which message this is. */
  readonly type: "crashed";
  /** Why. */
  readonly error: ErrorData;
}

/** What a worker sends. */
export type WorkerMessage =
  | ReadyMessage
  | OpenedMessage
  | OpenFailedMessage
  | SnapshotMessage
  | TasksChangedMessage
  | WaitingMessage
  | ReplyMessage
  | ClosedMessage
  | CrashedMessage;

/** One end of a channel, as small as it can be: a worker, its inside, or a `MessagePort`. */
export interface Port {
  /** Sends a message to the other end. */
  postMessage(message: unknown): void;
  /** Called with every message from the other end. */
  onmessage: ((event: MessageEvent) => void) | null;
  /** Called when a message from the other end cannot be read. */
  onmessageerror?: ((event: MessageEvent) => void) | null;
}
