/** Keeps what it is given, and lets a test wait for it. */
export class Recorder<T> {
  readonly items: T[] = [];
  #waiting: (() => void)[] = [];

  /** Keeps one more. */
  readonly add = (item: T): void => {
    this.items.push(item);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  };

  /** The first one that passes, as soon as there is one. */
  async find<S extends T>(
    passes: ((item: T) => item is S) | ((item: T) => boolean),
  ): Promise<S> {
    for (;;) {
      const found = this.items.find(passes);
      if (found !== undefined) return found as S;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** All of them, as soon as there are so many. */
  async take(count: number): Promise<readonly T[]> {
    while (this.items.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return this.items;
  }
}
