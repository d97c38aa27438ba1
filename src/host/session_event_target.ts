/**
 * Events whose listeners cannot harm anybody else.
 *
 * @module
 */

import type { TaskSessionEvents, TaskSessionListener } from "./session.ts";

/**
 * The event target that a session is: its events are typed, and nothing that a
 * listener throws, now or later, escapes; it is reported instead.
 */
export abstract class SessionEventTarget extends EventTarget {
  readonly #guarded = new WeakMap<object, (event: Event) => void>();

  /** Called with what a listener threw; not for listeners of `error` events. */
  protected abstract reportFailure(error: unknown): void;

  override addEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener && this.#guard(listener), options);
  }

  override removeEventListener<K extends keyof TaskSessionEvents>(
    type: K,
    listener: TaskSessionListener<K>,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
  override removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void {
    // A signal that ends a listener removes it in its wrapping.
    const guarded = listener && (this.#guarded.get(listener) ?? listener);
    super.removeEventListener(type, guarded, options);
  }

  #guard(listener: EventListenerOrEventListenerObject): (event: Event) => void {
    const known = this.#guarded.get(listener);
    if (known !== undefined) return known;
    const guarded = async (event: Event) => {
      try {
        await (typeof listener === "function"
          ? listener.call(this, event)
          : listener.handleEvent(event));
      } catch (error) {
        if (event.type !== "error") this.reportFailure(error);
      }
    };
    this.#guarded.set(listener, guarded);
    return guarded;
  }
}
