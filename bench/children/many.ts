// Starts many sessions or empty workers at once, and tells what they took.
// deno-lint-ignore-file no-console
import { assertEquals } from "@std/assert";
import { openSession } from "../../mod.ts";
import { startEmptyWorker } from "../empty_worker.ts";
import type { ChildKind, ChildReport } from "../many.ts";

const kind = Deno.args[0] as ChildKind;
const count = Number(Deno.args[1]);
const mutations = Number(Deno.args[2]);

async function startSession(
  sessionId: string,
  sessionDir: string,
): Promise<void> {
  const session = await openSession({ sessionId, sessionDir });
  for (let i = 0; i < mutations; i++) {
    await session.tasks({ action: "add", content: `Task ${i}` });
  }
}

async function checkSidecars(directory: string): Promise<void> {
  if (kind !== "sessions") return;
  for (let i = 0; i < count; i++) {
    const text = await Deno.readTextFile(`${directory}/s${i}.tasks.json`);
    assertEquals(JSON.parse(text).tasks.length, mutations);
  }
}

const directory = await Deno.makeTempDir({ prefix: "tasks_dag_bench_" });
const rssBefore = Deno.memoryUsage().rss;
const startedAt = performance.now();
await Promise.all(
  Array.from(
    { length: count },
    (_, i) =>
      kind === "sessions"
        ? startSession(`s${i}`, directory)
        : startEmptyWorker(),
  ),
);
const elapsedMs = performance.now() - startedAt;
const rssAfter = Deno.memoryUsage().rss;
await checkSidecars(directory);
await Deno.remove(directory, { recursive: true });
const report: ChildReport = { rssBefore, rssAfter, elapsedMs };
console.log(JSON.stringify(report));
Deno.exit();
