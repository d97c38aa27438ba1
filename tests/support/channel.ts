import type {
  HostMessage,
  OpenMessage,
  WorkerMessage,
} from "../../src/protocol.ts";
import { PROTOCOL_VERSION } from "../../src/protocol.ts";
import { serve, type ServeOptions } from "../../src/worker/server.ts";
import type { WorkerPort } from "../../src/host/connection.ts";
import type { Store } from "../../src/store/store.ts";
import { Recorder } from "./recorder.ts";
import { partsOf } from "./session_actor.ts";

/** The message that opens session `s`. */
export const OPEN: OpenMessage = {
  type: "open",
  protocol: PROTOCOL_VERSION,
  sessionId: "s",
  sessionDir: "/nowhere",
  staleAfterMs: 300_000,
  durability: "process",
};

/** A server at the other end of a channel in the same thread. */
export interface Served extends Disposable {
  readonly messages: Recorder<WorkerMessage>;
  send(message: HostMessage): void;
  /** Sends what is no message. */
  sendNonsense(nonsense: unknown): void;
}

function optionsFor(createStore: ServeOptions["createStore"]): ServeOptions {
  let minted = 0;
  return {
    createStore,
    now: () => 1_000_000_000,
    randomSuffix: () => (minted++).toString(16).padStart(4, "0"),
  };
}

/** Serves a session whose store is made by `createStore`. */
export function serveHere(createStore: ServeOptions["createStore"]): Served {
  const { port1, port2 } = new MessageChannel();
  const messages = new Recorder<WorkerMessage>();
  port1.onmessage = ({ data }) => partsOf(data).forEach(messages.add);
  serve(port2, optionsFor(createStore));
  return {
    messages,
    send: (message) => port1.postMessage(message),
    sendNonsense: (nonsense) => port1.postMessage(nonsense),
    [Symbol.dispose]: () => port1.close(),
  };
}

/** A worker in the same thread, which keeps its session in this store. */
export function workerHere(store: Store): WorkerPort & { isOver: boolean } {
  const { port1, port2 } = new MessageChannel();
  serve(port2, optionsFor(() => store));
  const worker: WorkerPort & { isOver: boolean } = {
    isOver: false,
    onmessage: null,
    postMessage: (message) => port1.postMessage(message),
    terminate: () => {
      worker.isOver = true;
      port1.close();
    },
  };
  port1.onmessage = (event) => worker.onmessage?.(event);
  return worker;
}
