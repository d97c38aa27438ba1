// A worker that dies, or falls silent, at a moment that is written beside the
// sidecar: in `<sessionId>.fates.json`, one fate for each worker to come.

import { FileStore } from "../../../src/store/file_store.ts";
import type { HostMessage, Port } from "../../../src/protocol.ts";
import { serve } from "../../../src/worker/server.ts";
import type { Store } from "../../../src/store/store.ts";

const scope: object = globalThis;

/** How one worker ends. */
export interface Fate {
  /** After how many saves. */
  readonly saves: number;
  readonly when: "before the save" | "after the save";
  readonly how: "throws" | "rejects" | "closes" | "falls silent" | "hangs";
}

/** The name of the file that fates are written in. */
export function fatesOf(sessionId: string): string {
  return `${sessionId}.fates.json`;
}

/** A store that meets its fate. */
class MortalStore implements Store {
  readonly #store: Store;
  readonly #fate: Fate | undefined;
  #saves = 0;

  constructor(store: Store, fate: Fate | undefined) {
    this.#store = store;
    this.#fate = fate;
  }

  get location(): string {
    return this.#store.location;
  }

  load(): Promise<Uint8Array | undefined> {
    return this.#store.load();
  }

  async save(text: string, seen: number): Promise<"saved" | "moved"> {
    const isLast = this.#fate !== undefined &&
      this.#fate.saves <= this.#saves++;
    if (isLast && this.#fate.when === "before the save") await this.#die();
    const saved = await this.#store.save(text, seen);
    if (isLast && this.#fate.when === "after the save") await this.#die();
    return saved;
  }

  setAside(how: "move" | "copy", now: number): Promise<string | undefined> {
    return this.#store.setAside(how, now);
  }

  async #die(): Promise<void> {
    switch (this.#fate?.how) {
      case "throws":
        setTimeout(() => {
          throw lastWords("thrown at random");
        });
        break;
      case "rejects":
        Promise.reject(lastWords("rejected at random"));
        break;
      case "closes":
        globalThis.close();
        break;
      case "falls silent":
        if (isPort(scope)) scope.onmessage = null;
        break;
    }
    // The rest waits for ever, with or without the others.
    await new Promise<never>(() => {});
  }
}

/** An error that takes one line where it is shown. */
function lastWords(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

/** The next worker's fate, which is taken off the list. */
function takeFate(path: string): Fate | undefined {
  const [fate, ...rest]: Fate[] = JSON.parse(Deno.readTextFileSync(path));
  Deno.writeTextFileSync(path, JSON.stringify(rest));
  return fate;
}

function isPort(scope: object): scope is Port {
  return "postMessage" in scope && typeof scope.postMessage === "function";
}

if (isPort(scope)) {
  let minted = Math.floor(Math.random() * 0x10000);
  serve(scope, {
    createStore: (open: HostMessage & { readonly type: "open" }) =>
      new MortalStore(
        new FileStore(open),
        takeFate(`${open.sessionDir}/${fatesOf(open.sessionId)}`),
      ),
    now: Date.now,
    randomSuffix: () => (minted++ % 0x10000).toString(16).padStart(4, "0"),
  });
}
