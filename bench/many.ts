/**
 * Many sessions in one process: what each takes of memory, and how long all of
 * them take. Each configuration is measured in a process of its own.
 *
 * @module
 */

import type { Figure, Findings, Scale } from "./figures.ts";
import { p50 } from "./statistics.ts";

const MUTATIONS = 20;

/** What `children/many.ts` prints. */
export interface ChildReport {
  /** Resident memory, in bytes, before anything was started and at the end. */
  readonly rssBefore: number;
  readonly rssAfter: number;
  /** From the start of the first to the last answer, in milliseconds. */
  readonly elapsedMs: number;
}

/** What runs in a child: sessions, of `mutations` each, or workers that do nothing. */
export type ChildKind = "sessions" | "empty";

/** Measures resident memory per session. */
export async function benchMemory({ isQuick }: Scale): Promise<Findings> {
  const figures: Figure[] = [];
  for (const count of isQuick ? [1, 10, 50] : [1, 10, 50, 200]) {
    const own: number[] = [];
    const empty: number[] = [];
    for (let run = 0; run < (isQuick || count === 200 ? 1 : 3); run++) {
      own.push(await memoryPer("sessions", count));
      empty.push(await memoryPer("empty", count));
    }
    figures.push({
      measure: `memory per session ÷ empty worker, ${count}`,
      value: p50(own) / p50(empty),
      unit: "×",
      details: { ours_mib: p50(own), other_mib: p50(empty) },
    });
  }
  return { figures };
}

async function memoryPer(kind: ChildKind, count: number): Promise<number> {
  const { rssBefore, rssAfter } = await runChild(kind, count, 1);
  return (rssAfter - rssBefore) / count / 2 ** 20;
}

/** Times many sessions that all work at once. */
export async function benchMany({ isQuick }: Scale): Promise<Findings> {
  const count = isQuick ? 20 : 200;
  const own: number[] = [];
  const empty: number[] = [];
  for (let run = 0; run < (isQuick ? 1 : 3); run++) {
    own.push((await runChild("sessions", count, MUTATIONS)).elapsedMs);
    empty.push((await runChild("empty", count, 0)).elapsedMs);
  }
  return {
    figures: [{
      measure: `${count} sessions × ${MUTATIONS} mutations ÷ ` +
        `starting ${count} empty workers`,
      value: p50(own) / p50(empty),
      unit: "×",
      details: { ours_us: p50(own) * 1_000, other_us: p50(empty) * 1_000 },
    }],
  };
}

async function runChild(
  kind: ChildKind,
  count: number,
  mutations: number,
): Promise<ChildReport> {
  const script = new URL("children/many.ts", import.meta.url).href;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", script, kind, `${count}`, `${mutations}`],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${script} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
