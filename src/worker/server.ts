/**
 * The worker's end of the channel: it opens a session, hands calls to it, and
 * posts what it emits.
 *
 * @module
 */

import { type Actor, createActor } from "xstate";
import { actionOf } from "../graph/arguments.ts";
import { emptyDocument } from "../graph/document.ts";
import { refusalOf, TasksError, toErrorData } from "../model/errors.ts";
import { reasonOf } from "../model/text.ts";
import { sessionMachine } from "./machine.ts";
import {
  type CallMessage,
  type HostMessage,
  type OpenMessage,
  type Port,
  PROTOCOL_VERSION,
  type WorkerMessage,
} from "../protocol.ts";
import type { Store } from "../store/store.ts";

/** What {@linkcode serve} needs from outside. */
export interface ServeOptions {
  /** Makes the store of the session that is to be opened. */
  readonly createStore: (open: OpenMessage, onWait: () => void) => Store;
  /** The clock, in unix milliseconds. */
  readonly now: () => number;
  /** Four random lower-case hexadecimal characters. */
  readonly randomSuffix: () => string;
}

/** Serves one session on this port, and says that it is ready to. */
export function serve(port: Port, options: ServeOptions): void {
  let session: Actor<typeof sessionMachine> | undefined;
  const post = (message: WorkerMessage) => port.postMessage(message);

  const open = (message: OpenMessage) => {
    try {
      if (session !== undefined) {
        throw new TasksError(
          "open_failed",
          "This worker has a session already. Start another worker.",
        );
      }
      if (message.protocol !== PROTOCOL_VERSION) {
        throw new TasksError(
          "open_failed",
          `The host speaks version ${message.protocol} of the protocol and the worker version ` +
            `${PROTOCOL_VERSION}. Load both from the same version of @kin/tasks-dag.`,
        );
      }
      session = startSession(message, options, post);
    } catch (error) {
      const failure = error instanceof TasksError
        ? error
        : new TasksError("open_failed", reasonOf(error));
      post({ type: "open_failed", error: toErrorData(failure) });
    }
  };
  const call = (message: CallMessage) => {
    const { callId, input } = message;
    if (session?.getSnapshot().status === "active") {
      session.send(message);
    } else {
      const error = new TasksError(
        "session_closed",
        "The session is not open.",
      );
      post({
        type: "reply",
        callId,
        refusal: refusalOf(actionOf(input), error),
      });
    }
  };

  port.onmessage = ({ data }: MessageEvent<HostMessage | null>) => {
    switch (data?.type) {
      case "open":
        return open(data);
      case "call":
        return call(data);
      case "close":
        return session?.getSnapshot().status === "active"
          ? session.send({ type: "close" })
          : post({ type: "closed" });
    }
  };
  port.onmessageerror = () => {
    // Whoever sent it waits for an answer that cannot be addressed.
    const error = new TasksError(
      "worker_crashed",
      "A message could not be read.",
    );
    post({ type: "crashed", error: toErrorData(error) });
  };
  post({ type: "ready", protocol: PROTOCOL_VERSION });
}

function startSession(
  message: OpenMessage,
  { createStore, now, randomSuffix }: ServeOptions,
  post: (message: WorkerMessage) => void,
): Actor<typeof sessionMachine> {
  const { sessionId, staleAfterMs, watchFile } = message;
  const store = createStore(message, () => post({ type: "waiting" }));
  const document = emptyDocument(sessionId);
  const actor = createActor(sessionMachine, {
    input: { store, sessionId, staleAfterMs, now, randomSuffix, document },
  });
  actor.on("*", post);
  actor.subscribe({
    error: (error) => {
      const crash = new TasksError("worker_crashed", reasonOf(error));
      post({ type: "crashed", error: toErrorData(crash) });
    },
  });
  if (watchFile) {
    const onChange = () => actor.send({ type: "stored" });
    const subscription = actor.on("opened", () => {
      subscription.unsubscribe();
      store.watch?.(onChange);
    });
  }
  actor.start();
  return actor;
}
