/**
 * What is made of samples: percentiles, and a random order that can be repeated.
 *
 * @module
 */

/** The value that `share` (0 to 1) of the samples do not exceed, interpolated. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError("There are no samples");
  const ascending = samples.toSorted((a, b) => a - b);
  const at = (ascending.length - 1) * share;
  const below = ascending[Math.floor(at)]!;
  const above = ascending[Math.ceil(at)]!;
  return below + (above - below) * (at - Math.floor(at));
}

/** The middle of the samples. */
export function p50(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The items in a random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
