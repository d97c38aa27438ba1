/**
 * What making a checked graph of a sidecar costs, against merely parsing it.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { decode } from "../src/format/decode.ts";
import type { Findings, Scale } from "./figures.ts";
import { createRows, sidecarOf } from "./rows.ts";
import { p50 } from "./statistics.ts";

const N = 1_000;

/** Times the decoder. */
export function benchLoading({ isQuick }: Scale): Findings {
  const rows = createRows(N);
  const bytes = new TextEncoder().encode(sidecarOf("load", rows));
  const options = {
    sessionId: "load",
    now: Date.now(),
    staleAfterMs: 300_000,
  };
  const parse = (): unknown => JSON.parse(new TextDecoder().decode(bytes));
  const decoded = decode(bytes, options);
  if (decoded.kind === "corrupt") throw new Error(decoded.reason);
  assertEquals(decoded.warnings, []);
  assertEquals(
    decoded.document.graph.tasks.map(({ id, content }) => ({ id, content })),
    rows.map(({ id, content }) => ({ id, content })),
  );

  const own: number[] = [];
  const other: number[] = [];
  const warmUp = 50;
  const count = warmUp + (isQuick ? 100 : 300);
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    decode(bytes, options);
    const between = performance.now();
    parse();
    if (i < warmUp) continue;
    own.push(between - startedAt);
    other.push(performance.now() - between);
  }
  return {
    figures: [{
      measure: `loading ${N} tasks ÷ JSON.parse`,
      value: p50(own) / p50(other),
      unit: "×",
      details: { ours_us: p50(own) * 1_000, other_us: p50(other) * 1_000 },
    }],
  };
}
