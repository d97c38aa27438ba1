/**
 * A terminal that is no device: it remembers what was written.
 *
 * @module
 */

import type { Terminal, TerminalEvents } from "@kin/tasks-dag/ui";
import type { Size } from "../../src/ui/size.ts";
import { ScreenModel } from "./screen_model.ts";

/** A terminal for tests. */
export class FakeTerminal implements Terminal {
  readonly color = false;
  /** What it shows. */
  readonly model: ScreenModel;
  /** Each write, in order. */
  readonly writes: string[] = [];
  /** What is wired to it; `undefined` while nobody listens. */
  events: TerminalEvents | undefined;
  #size: Size;
  #written = Promise.withResolvers<void>();

  constructor(size: Size = { columns: 40, rows: 10 }) {
    this.#size = size;
    this.model = new ScreenModel(size);
  }

  size(): Size {
    return this.#size;
  }

  write(text: string): void {
    this.writes.push(text);
    this.model.write(text);
    this.#written.resolve();
    this.#written = Promise.withResolvers();
  }

  listen(events: TerminalEvents): () => void {
    this.events = events;
    return () => this.events = undefined;
  }

  /** Presses keys, spelt as the bytes that a terminal sends. */
  type(keys: string): void {
    this.events?.onInput(new TextEncoder().encode(keys));
  }

  /** Gives the window another size. */
  resize(size: Size): void {
    this.#size = size;
    this.model.resize(size);
    this.events?.onResize();
  }

  /** Waits until what is shown satisfies the condition. */
  async until(condition: (model: ScreenModel) => boolean): Promise<void> {
    while (!condition(this.model)) await this.#written.promise;
  }
}
