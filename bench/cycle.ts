/**
 * What refusing a cycle costs on a long chain: the whole call, and the check alone.
 *
 * @module
 */

import { assertEquals, assertRejects } from "@std/assert";
import graphology from "npm:graphology@0.26.0";
import { willCreateCycle } from "npm:graphology-dag@0.4.1";
import { openSession, TasksError } from "../mod.ts";
import { findCycle, Graph } from "../src/graph/graph.ts";
import type { Findings, Scale } from "./figures.ts";
import { createChain, sidecarOf } from "./rows.ts";
import { p50 } from "./statistics.ts";

const LENGTH = 10_000;

/** Times refusals. */
export async function benchCycle({ isQuick }: Scale): Promise<Findings> {
  const count = isQuick ? 30 : 100;
  const whole = p50(await timeCalls(count));
  const { own, other } = timeChecks(count);
  return {
    figures: [
      {
        measure: `refused cycle, chain of ${LENGTH}`,
        value: whole,
        unit: "ms",
        details: { ours_us: whole * 1_000 },
      },
      {
        measure: "cycle check alone, graphology-dag ÷ ours",
        value: p50(other) / p50(own),
        unit: "×",
        details: { ours_us: p50(own) * 1_000, other_us: p50(other) * 1_000 },
      },
    ],
  };
}

async function timeCalls(count: number): Promise<number[]> {
  const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_bench_" });
  const rows = createChain(LENGTH);
  const path = `${sessionDir}/chain.tasks.json`;
  await Deno.writeTextFile(path, sidecarOf("chain", rows));
  const session = await openSession({ sessionId: "chain", sessionDir });
  const samples: number[] = [];
  try {
    assertEquals(session.warnings, []);
    const call = {
      action: "update",
      id: rows[0]!.id,
      blockedBy: [rows[LENGTH - 1]!.id],
    } as const;
    const error = await assertRejects(() => session.tasks(call), TasksError);
    assertEquals(error.code, "cycle");
    for (let i = 0; i < count; i++) {
      const startedAt = performance.now();
      await session.tasks(call).catch(() => {});
      samples.push(performance.now() - startedAt);
    }
  } finally {
    await session.close();
    await Deno.remove(sessionDir, { recursive: true });
  }
  return samples;
}

function timeChecks(count: number): { own: number[]; other: number[] } {
  const rows = createChain(LENGTH);
  const first = rows[0]!.id;
  const last = rows[LENGTH - 1]!.id;
  const graph = Graph.from(
    rows.map((row) => ({ ...row, blockedBy: row.blockedBy ?? [] })),
  );
  const peer = new graphology.DirectedGraph();
  for (const { id } of rows) peer.addNode(id);
  for (const { id, blockedBy = [] } of rows) {
    for (const blocker of blockedBy) peer.addEdge(blocker, id);
  }
  const check = (): boolean => findCycle(graph, first, [last]) !== undefined;
  const checkPeer = (): boolean => willCreateCycle(peer, last, first);
  assertEquals([check(), checkPeer()], [true, true]);

  const own: number[] = [];
  const other: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    check();
    const between = performance.now();
    checkPeer();
    own.push(between - startedAt);
    other.push(performance.now() - between);
  }
  return { own, other };
}
