/**
 * Contenders against each other, in turns, so that what else the machine does
 * hits all of them alike.
 *
 * @module
 */

import type { Contender, ContenderKind } from "./contenders.ts";
import { changeOf, createRows } from "./rows.ts";
import { createRandom, shuffled } from "./statistics.ts";

/** How much is measured, and how. */
export interface RoundOptions {
  /** The number of rows. */
  readonly n: number;
  readonly rounds: number;
  /** How many changes a contender makes in a turn. */
  readonly turn: number;
  /** How long the host rests before each change, in milliseconds. */
  readonly idleMs: number;
  /** How many changes each contender makes before anything is timed. */
  readonly warmUp: number;
}

/** Milliseconds of each change, by contender. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** Opens the contenders, checks what each of them does, and times them in turns. */
export async function runRounds(
  kinds: readonly ContenderKind[],
  variants: readonly RoundOptions[],
): Promise<Samples[]> {
  const { n } = variants[0]!;
  const directory = await Deno.makeTempDir({ prefix: "tasks_dag_bench_" });
  const rows = createRows(n);
  const contenders: Contender[] = [];
  let turn = 0;
  const step = async (contender: Contender): Promise<number> => {
    const change = changeOf(rows, turn++);
    const startedAt = performance.now();
    await contender.change(change);
    return performance.now() - startedAt;
  };
  try {
    for (const kind of kinds) {
      contenders.push(await kind.open({ directory, rows }));
    }
    for (const contender of contenders) {
      for (let i = 0; i < 3; i++) {
        const change = changeOf(rows, turn++);
        await contender.change(change);
        await contender.check(change);
      }
    }
    const results: Samples[] = [];
    for (const options of variants) {
      results.push(await timeRounds(contenders, options, step));
    }
    return results;
  } finally {
    for (const contender of contenders) await contender.close();
    await Deno.remove(directory, { recursive: true });
  }
}

async function timeRounds(
  contenders: readonly Contender[],
  { n, rounds, turn, idleMs, warmUp }: RoundOptions,
  step: (contender: Contender) => Promise<number>,
): Promise<Samples> {
  const random = createRandom(n);
  const samples = new Map<string, number[]>(
    contenders.map(({ name }) => [name, []]),
  );
  for (const contender of contenders) {
    for (let i = 0; i < warmUp; i++) await step(contender);
  }
  for (let round = 0; round < rounds; round++) {
    for (const contender of shuffled(contenders, random)) {
      for (let i = 0; i < turn; i++) {
        if (idleMs > 0) await sleep(idleMs);
        samples.get(contender.name)!.push(await step(contender));
      }
    }
  }
  return samples;
}

/** Waits. */
export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
