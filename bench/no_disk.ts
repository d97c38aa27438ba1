/**
 * What a mutation costs without the disk: how our own work grows with the graph.
 *
 * @module
 */

import { inMemory } from "./contenders.ts";
import type { Findings, Scale } from "./figures.ts";
import { runRounds } from "./rounds.ts";
import { startEmptyWorker } from "./empty_worker.ts";
import { p50 } from "./statistics.ts";

/** Times the pipeline with a store in memory. */
export async function benchNoDisk({ isQuick }: Scale): Promise<Findings> {
  const ping = p50(await timePings(isQuick ? 500 : 2_000));
  const rounds = isQuick ? 150 : 400;
  const samples = new Map<number, number[]>([[100, []], [1_000, []]]);
  // In turns, so that what else the machine does hits both sizes alike.
  for (let start = 0; start < 3; start++) {
    for (const [n, all] of samples) {
      const options = { n, rounds, turn: 1, idleMs: 0, warmUp: 3 * rounds };
      const [found] = await runRounds([inMemory], [options]);
      all.push(...found!.get(inMemory.name)!);
    }
  }
  const small = p50(samples.get(100)!);
  const large = p50(samples.get(1_000)!);
  const details = {
    n100_us: small * 1_000,
    n1000_us: large * 1_000,
    ping_us: ping * 1_000,
  };
  return {
    figures: [
      {
        measure: "without the disk, n = 1000 ÷ n = 100",
        value: large / small,
        unit: "×",
        details,
      },
      {
        measure: "the same, each less the ping of an empty worker",
        value: (large - ping) / (small - ping),
        unit: "×",
        details,
      },
    ],
  };
}

async function timePings(count: number): Promise<number[]> {
  const worker = await startEmptyWorker();
  const samples: number[] = [];
  for (let i = 0; i < 2 * count; i++) {
    const startedAt = performance.now();
    await worker.ping();
    if (i >= count) samples.push(performance.now() - startedAt);
  }
  worker.terminate();
  return samples;
}
