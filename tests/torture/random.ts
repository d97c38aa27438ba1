/** Random choices that a seed repeats (mulberry32). */
export class Random {
  #state: number;

  /** Starts the choices that belong to this seed. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A seed for choices of somebody else's. */
  seed(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return (x ^ (x >>> 14)) >>> 0;
  }

  /** A number from 0 up to `end`, without it. */
  below(end: number): number {
    return Math.floor(this.seed() / 2 ** 32 * end);
  }

  /** A whole number from `least` to `greatest`. */
  between(least: number, greatest: number): number {
    return least + this.below(greatest - least + 1);
  }

  /** `true` in this share of all cases. */
  chance(share: number): boolean {
    return this.seed() < share * 2 ** 32;
  }

  /** One of the items. */
  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** The items in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.seed() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
}
