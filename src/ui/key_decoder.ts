/**
 * Bytes from a terminal into key presses.
 *
 * @module
 */

import { emitKeypressEvents } from "node:readline";
import { PassThrough } from "node:stream";
import type { Key } from "./key.ts";

// How long an Escape may be the start of a longer sequence.
const ESCAPE_TIMEOUT_MS = 50;

/** Turns what a terminal sends into keys. */
export interface KeyDecoder extends Disposable {
  /** Takes the next bytes. */
  write(bytes: Uint8Array): void;
}

/**
 * Decodes keys with the runtime's own keypress support. A bracketed paste
 * becomes one key with the name `paste`.
 */
export function createKeyDecoder(onKey: (key: Key) => void): KeyDecoder {
  const stream = new PassThrough();
  const paste = new PasteCollector(onKey);
  // The second parameter is typed as a whole Interface; only this is read.
  Reflect.apply(emitKeypressEvents, undefined, [
    stream,
    { escapeCodeTimeout: ESCAPE_TIMEOUT_MS },
  ]);
  stream.on("keypress", (text: string | undefined, key: NodeKey) => {
    paste.take(text, key);
  });
  return {
    write: (bytes) => void stream.write(bytes),
    [Symbol.dispose]: () => {
      stream.removeAllListeners("keypress");
      stream.destroy();
    },
  };
}

interface NodeKey extends Key {
  /** The sequence without its Escape. */
  readonly code?: string | undefined;
}

// The runtimes differ in how far they understand paste markers: some name
// them, some end the sequence before its tilde, which then comes as a key.
class PasteCollector {
  readonly #onKey: (key: Key) => void;
  #pasted: string | undefined;
  #tildeFollows = false;

  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey;
  }

  take(text: string | undefined, key: NodeKey): void {
    const isTilde = this.#tildeFollows && text === "~";
    this.#tildeFollows = false;
    if (isTilde) return;
    const marker = /^\[20([01])(~?)$/.exec(key.code ?? "");
    if (marker !== null) {
      this.#tildeFollows = marker[2] === "";
      if (marker[1] === "0") this.#pasted = "";
      else this.#end();
    } else if (this.#pasted !== undefined) {
      this.#pasted += key.sequence ?? "";
    } else {
      this.#onKey(key);
    }
  }

  #end(): void {
    const sequence = this.#pasted;
    this.#pasted = undefined;
    if (sequence !== undefined) this.#onKey({ name: "paste", sequence });
  }
}
