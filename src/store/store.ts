/**
 * Where a session's document is kept, seen from the session.
 *
 * @module
 */

import { revisionOf } from "../format/encode.ts";

/**
 * Keeps one text, and replaces it only for a writer who has seen what it
 * replaces. An engine with compare-and-set can serve as one.
 */
export interface Store {
  /** Where the text is kept, for people to read. */
  readonly location: string;

  /** What is kept, or `undefined` when nothing is. */
  load(): Promise<Uint8Array | undefined>;

  /**
   * Replaces what is kept, provided that it still has the revision `seen`, or
   * that nothing is kept: then `saved`, and the text will survive what the
   * store's durability promises. Otherwise `moved`, and nothing was changed.
   *
   * @throws When it cannot be done; then nothing was changed, and nothing left behind.
   */
  save(text: string, seen: number): Promise<"saved" | "moved">;

  /**
   * Calls back whenever something else may be kept than this store has loaded or
   * saved, for as long as the thread lives. A store that cannot tell has no such
   * method.
   */
  watch?(onChange: () => void): void;

  /**
   * Puts what was loaded out of the way (`move`), or keeps a copy of it (`copy`),
   * under a name that holds `now` in unix milliseconds and that nothing else has.
   *
   * @returns The name, or `undefined` when something else is kept by now; then
   * nothing was changed.
   * @throws When it cannot be done; then nothing was changed.
   */
  setAside(how: "move" | "copy", now: number): Promise<string | undefined>;
}

/** A store in memory: the twin of the file store, for tests and measurements. */
export class MemoryStore implements Store {
  readonly location = "memory";
  /** What is kept. */
  text: string | undefined;
  /** What was set aside, by name. */
  readonly aside: Map<string, string> = new Map();

  /** Constructs a store that keeps this text. */
  constructor(text?: string) {
    this.text = text;
  }

  load(): Promise<Uint8Array | undefined> {
    return Promise.resolve(
      this.text === undefined ? undefined : new TextEncoder().encode(this.text),
    );
  }

  save(text: string, seen: number): Promise<"saved" | "moved"> {
    const kept = this.text === undefined ? undefined : revisionOf(this.text);
    if (kept !== undefined && kept !== seen) return Promise.resolve("moved");
    this.text = text;
    return Promise.resolve("saved");
  }

  setAside(how: "move" | "copy", now: number): Promise<string | undefined> {
    let suffix = now;
    while (this.aside.has(`${this.location}.corrupt-${suffix}`)) suffix++;
    const name = `${this.location}.corrupt-${suffix}`;
    if (this.text !== undefined) this.aside.set(name, this.text);
    if (how === "move") this.text = undefined;
    return Promise.resolve(name);
  }
}
