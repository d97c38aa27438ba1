/**
 * The worker of one session. `openSession` starts it; it can also be used alone,
 * from anything that can start a module worker, through the messages that
 * `src/protocol.ts` describes.
 *
 * @example Talk to the worker without a client
 * ```ts
 * import type { HostMessage, WorkerMessage } from "@kin/tasks-dag/worker";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * const worker = new Worker(import.meta.resolve("@kin/tasks-dag/worker"), { type: "module" });
 * const seen: string[] = [];
 * const send = (message: HostMessage) => worker.postMessage(message);
 * await new Promise<void>((resolve) => {
 *   worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
 *     seen.push(data.type);
 *     if (data.type === "ready") {
 *       send({
 *         type: "open",
 *         protocol: data.protocol,
 *         sessionId: "demo",
 *         sessionDir,
 *         staleAfterMs: 300_000,
 *         durability: "process",
 *       });
 *       send({ type: "call", callId: 1, input: { action: "add", content: "Build" } });
 *       send({ type: "close" });
 *     }
 *     if (data.type === "closed") resolve();
 *   };
 * });
 * worker.terminate();
 * assertEquals(seen, ["ready", "opened", "tasks_changed", "closed"]);
 * await Deno.remove(sessionDir, { recursive: true });
 * ```
 *
 * @module
 */

import { customAlphabet } from "nanoid/non-secure";
import { FileStore } from "./src/store/file_store.ts";
import type { Port } from "./src/protocol.ts";
import { serve } from "./src/worker/server.ts";

export type * from "./src/protocol.ts";
export type { ErrorData, Refusal, TasksErrorCode } from "./src/model/errors.ts";
export type {
  SessionWarning,
  TasksAction,
  WarningCode,
} from "./src/model/task.ts";

// A host may import this module for its types, which must not start anything.
const scope: object = globalThis;
if (isPort(scope)) {
  serve(scope, {
    createStore: (open, onWait) => new FileStore({ ...open, onWait }),
    now: Date.now,
    randomSuffix: customAlphabet("0123456789abcdef", 4),
  });
}

/** Whether this is the inside of a worker, which has another end to talk to. */
function isPort(scope: object): scope is Port {
  return "postMessage" in scope && typeof scope.postMessage === "function";
}
