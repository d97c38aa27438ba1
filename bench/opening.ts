/**
 * What opening a session costs, against starting a worker that does nothing.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { openSession } from "../mod.ts";
import { startEmptyWorker } from "./empty_worker.ts";
import type { Findings, Scale } from "./figures.ts";
import { p50, percentile } from "./statistics.ts";

/** Opens sessions and empty workers, one after the other, in turns. */
export async function benchOpening({ isQuick }: Scale): Promise<Findings> {
  const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_bench_" });
  const own: number[] = [];
  const empty: number[] = [];
  const warmUp = 5;
  const count = warmUp + (isQuick ? 10 : 40);
  try {
    for (let i = 0; i < count; i++) {
      let startedAt = performance.now();
      const session = await openSession({ sessionId: `s${i}`, sessionDir });
      own.push(performance.now() - startedAt);
      assertEquals(session.snapshot, { tasks: [] });
      await session.close();
      startedAt = performance.now();
      const worker = await startEmptyWorker();
      empty.push(performance.now() - startedAt);
      worker.terminate();
    }
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
  const [ours, other] = [own.slice(warmUp), empty.slice(warmUp)];
  return {
    figures: [{
      measure: "session open ÷ empty worker's first reply",
      value: p50(ours) / p50(other),
      unit: "×",
      details: {
        ours_us: p50(ours) * 1_000,
        ours_p95_us: percentile(ours, 0.95) * 1_000,
        other_us: p50(other) * 1_000,
        other_p95_us: percentile(other, 0.95) * 1_000,
      },
    }],
  };
}
