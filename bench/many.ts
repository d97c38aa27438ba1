/**
 * Many sessions in one process: what each takes of memory, and how long all of
 * them take. Each configuration is measured in a process of its own.
 *
 * @module
 */

import type { Figure, Findings, Scale } from "./figures.ts";

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
    const own = await memoryPer("sessions", count);
    const empty = await memoryPer("empty", count);
    figures.push({
      measure: `memory per session ÷ empty worker, ${count}`,
      value: own / empty,
      unit: "×",
      details: { ours_mib: own, other_mib: empty },
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
  const own = await runChild("sessions", count, MUTATIONS);
  const empty = await runChild("empty", count, 0);
  return {
    figures: [{
      measure: `${count} sessions × ${MUTATIONS} mutations ÷ ` +
        `starting ${count} empty workers`,
      value: own.elapsedMs / empty.elapsedMs,
      unit: "×",
      details: {
        ours_us: own.elapsedMs * 1_000,
        other_us: empty.elapsedMs * 1_000,
      },
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
