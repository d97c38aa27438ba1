import {
  assert,
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { drawChart } from "../bench/chart.ts";
import { type Figure, type Series, verdictOf } from "../bench/figures.ts";
import { changeOf, createChain, createRows, sidecarOf } from "../bench/rows.ts";
import {
  createRandom,
  p50,
  percentile,
  shuffled,
} from "../bench/statistics.ts";
import { align, figureTable, round, seriesTable } from "../bench/table.ts";
import { decode } from "../src/format/decode.ts";

const SERIES: readonly Series[] = [10, 1_000].map((n) => ({
  pace: "paced",
  n,
  p50: { "floor": 20 * n, "tasks-dag": 30 * n, "a < b & c": 40 * n },
  p95: { "floor": 30 * n, "tasks-dag": 40 * n, "a < b & c": 50 * n },
}));

function figure(measure: string, value: number): Figure {
  return {
    measure,
    value,
    unit: "×",
    details: { ours_us: 1_234.5, other_us: 9.876 },
  };
}

Deno.test("percentile() interpolates between samples, whatever their order", () => {
  assertEquals(p50([3, 1, 2]), 2);
  assertEquals(p50([4, 1, 2, 3]), 2.5);
  assertEquals(percentile([10, 0], 0.95), 9.5);
  assertEquals(percentile([7], 0.95), 7);
  assertThrows(() => p50([]), RangeError);
});

Deno.test("shuffled() keeps every item, and gives the same order for the same seed", () => {
  const items = Array.from({ length: 20 }, (_, i) => i);
  const order = shuffled(items, createRandom(1));
  assertNotEquals(order, items);
  assertEquals(order.toSorted((a, b) => a - b), items);
  assertEquals(shuffled(items, createRandom(1)), order);
});

Deno.test("createRows() makes rows of about 340 bytes that load without a warning", () => {
  for (const rows of [createRows(300), createChain(300)]) {
    const bytes = new TextEncoder().encode(sidecarOf("s", rows));
    const mean = bytes.length / rows.length;
    assert(mean > 320 && mean < 380, `${mean} bytes a row`);
    const options = {
      sessionId: "s",
      now: Date.now(),
      staleAfterMs: 300_000,
    };
    const decoded = decode(bytes, options);
    assert(decoded.kind === "sidecar");
    assertEquals(decoded.warnings, []);
    assertEquals(decoded.document.graph.tasks.length, 300);
  }
});

Deno.test("changeOf() really changes an open row, and keeps its length", () => {
  for (const n of [10, 100, 1_000]) {
    const rows = createRows(n);
    const contents = new Map(rows.map(({ id, content }) => [id, content]));
    for (let turn = 0; turn < 2 * n; turn++) {
      const { id, content, status } = changeOf(rows, turn);
      const row = rows.find((each) => each.id === id)!;
      assertNotEquals(row.status, "completed");
      if (content === undefined) {
        assertEquals(status, "in_progress");
      } else {
        assertEquals(content.length, row.content.length);
        assertNotEquals(content, contents.get(id));
        contents.set(id, content);
      }
    }
  }
});

Deno.test("verdictOf() holds a figure against what the issue asks for", () => {
  const call = "whole call ÷ floor, hot, n = 100";
  assertEquals(verdictOf(figure(call, 1.25)), "aim");
  assertEquals(verdictOf(figure(call, 1.6)), "ok");
  assertEquals(verdictOf(figure(call, 1.61)), "miss");
  const peer = "write-file-atomic, no fsync ÷ ours, paced, n = 100";
  assertEquals(verdictOf(figure(peer, 1.4)), "aim");
  assertEquals(verdictOf(figure(peer, 0.99)), "miss");
  const sqlite = "sqlite WAL NORMAL ÷ ours, paced, n = 100";
  assertEquals(verdictOf(figure(sqlite, 0.5)), "–");
});

Deno.test("figureTable() shows each figure with its target and what it comes from", () => {
  const table = figureTable([figure("loading 1000 tasks ÷ JSON.parse", 2)]);
  const cells = table.split("\n").at(-1)!.split("|").map((cell) => cell.trim());
  assertEquals(cells.slice(1, -1), [
    "loading 1000 tasks ÷ JSON.parse",
    "2.00",
    "≤ 6",
    "≤ 3",
    "aim",
    "1235 µs",
    "9.88 µs",
  ]);
});

Deno.test("align() makes all lines of a table as wide as each other", () => {
  const lines = align([["name", "n"], ["a", "1000"], ["longer", "1"]])
    .split("\n");
  assertEquals(new Set(lines.map((line) => line.length)).size, 1);
  assertEquals(lines[1], "| ------ | ---: |");
});

Deno.test("seriesTable() has a column for each number of rows", () => {
  const table = seriesTable(SERIES, "paced");
  assertStringIncludes(table, "n = 10 | n = 1000");
  assertStringIncludes(table, `${round(200)} |    20000 |`);
});

Deno.test("drawChart() draws every contender, labels apart, with its name escaped", () => {
  const svg = drawChart(SERIES, "a machine");
  assertEquals(svg.match(/class="line /g)?.length, 3);
  assertStringIncludes(svg, "a &lt; b &amp; c");
  assertStringIncludes(svg, "a machine");
  assert(!svg.includes("NaN"));
  const heights = Array.from(
    svg.matchAll(/class="label[^>]* y="([\d.]+)"/g),
    ([, y]) => Number(y),
  ).sort((a, b) => a - b);
  for (let i = 1; i < heights.length; i++) {
    assert(heights[i]! - heights[i - 1]! > 16);
  }
  assertThrows(() => drawChart([], ""), RangeError);
});

async function runBench(
  ...args: readonly string[]
): Promise<Deno.CommandOutput> {
  const script = new URL("../bench/main.ts", import.meta.url).href;
  return await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", script, ...args],
  }).output();
}

Deno.test("the bench checks what it times, and prints what it found as JSON", async () => {
  const { code, stdout } = await runBench(
    "--quick",
    "--only=loading,cycle",
    "--json",
  );
  assertEquals(code, 0);
  const { machine, figures } = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals(machine.deno, Deno.version.deno);
  assertEquals(
    figures.map(({ measure }: Figure) => measure),
    [
      "loading 1000 tasks ÷ JSON.parse",
      "refused cycle, chain of 10000",
      "cycle check alone, graphology-dag ÷ ours",
    ],
  );
  for (const { value, details } of figures as Figure[]) {
    assert(value > 0);
    assert(details.ours_us! > 0);
  }
});

Deno.test("the bench refuses a flag that it does not know", async () => {
  const { code, stderr } = await runBench("--only=nothing");
  assertEquals(code, 2);
  assertStringIncludes(new TextDecoder().decode(stderr), '"nothing"');
});
