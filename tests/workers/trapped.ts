// A worker that does its work as it should, until a call comes whose content
// names one of these traps.

import { FileStore } from "../../src/store/file_store.ts";
import type { HostMessage, Port } from "../../src/protocol.ts";
import { serve } from "../../src/worker/server.ts";

/** What is there once the worker shall not start any more. */
const MARK = "starts no more";

const TRAPS: Readonly<Record<string, (port: Port) => void>> = {
  "throws": () => {
    throw new Error("thrown later");
  },
  "rejects": () => {
    Promise.reject(new Error("rejected later"));
  },
  "tells a change without a graph": (port) =>
    port.postMessage({ type: "tasks_changed", revision: 999 }),
  "posts null": (port) => port.postMessage(null),
  "closes itself": () => globalThis.close(),
  "loops for ever": () => {
    for (;;);
  },
  "stops listening": (port) => port.onmessage = null,
  "starts no more": () => {
    Deno.writeTextFileSync(`${sessionDir}/${MARK}`, "");
    throw new Error("thrown later");
  },
};

/** Carries the call out, and dies before it says so. */
const DIES_BEFORE_IT_ANSWERS = "dies before it answers";

let sessionDir = "";
let isDying = false;

function contentOf(message: HostMessage): unknown {
  return message.type === "call" && typeof message.input === "object" &&
    message.input !== null && "content" in message.input &&
    message.input.content;
}

function isPort(scope: object): scope is Port {
  return "postMessage" in scope;
}

const scope: object = globalThis;
if (isPort(scope)) {
  const port: Port = {
    postMessage: (message) => {
      if (isDying) {
        throw new Error("thrown before the answer");
      }
      scope.postMessage(message);
    },
    onmessage: null,
  };
  scope.onmessage = (event: MessageEvent<HostMessage>) => {
    const { data } = event;
    if (data.type === "open") {
      sessionDir = data.sessionDir;
      if (isThere(`${sessionDir}/${MARK}`)) throw new Error(MARK);
    }
    const content = String(contentOf(data));
    isDying ||= content === DIES_BEFORE_IT_ANSWERS;
    const trap = TRAPS[content];
    if (trap !== undefined) {
      // Nothing is answered from here on.
      port.onmessage = null;
      trap(scope);
    }
    port.onmessage?.(event);
  };
  let minted = 0;
  serve(port, {
    createStore: (open) => new FileStore(open),
    now: Date.now,
    randomSuffix: () => (minted++).toString(16).padStart(4, "0"),
  });
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
