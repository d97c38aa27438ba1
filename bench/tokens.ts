/**
 * What the results of calls cost a model to read, in each view.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { countTokens } from "npm:gpt-tokenizer@4.0.0/encoding/o200k_base";
import { openSession, type TaskSession, type ToolView } from "../mod.ts";
import type { Figure, Findings } from "./figures.ts";

const TASKS = 30;
const VIEWS: readonly ToolView[] = ["json", "lines", "row"];

/** Contents as models write them, in turn. */
const CONTENTS = [
  "Read the failing CI log and find the first test that broke",
  "Write a regression test for the parser's empty-input case",
  "Rename the config loader and update its callers",
  "Run the migration on the staging database",
  "Update the changelog and the README",
];

/** Counts the tokens of results while a graph of {@linkcode TASKS} tasks grows. */
export async function benchTokens(): Promise<Findings> {
  const figures: Figure[] = [];
  for (const view of VIEWS) {
    const { added, completed } = await countView(view);
    const tokens = (measure: string, value: number): Figure => ({
      measure: `${measure}, as ${view}`,
      value,
      unit: "tokens",
      details: {},
    });
    figures.push(
      tokens(`add number ${TASKS}`, added.at(-1)!),
      tokens(`${TASKS} adds together`, added.reduce((sum, n) => sum + n)),
      tokens(`a completion among ${TASKS} tasks`, completed),
    );
  }
  return { figures };
}

interface Counts {
  /** The tokens of each add's result. */
  readonly added: readonly number[];
  /** The tokens of the result of completing the first task. */
  readonly completed: number;
}

async function countView(view: ToolView): Promise<Counts> {
  const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_bench_" });
  try {
    await using session = await openSession({ sessionId: view, sessionDir });
    const added: number[] = [];
    for (let i = 0; i < TASKS; i++) {
      const content = CONTENTS[i % CONTENTS.length];
      const before = session.snapshot.tasks.at(-1);
      // Every other task waits for the one before it.
      const blockedBy = i % 2 === 1 && before ? [before.id] : [];
      const call = { action: "add", content, blockedBy };
      added.push(await countCall(session, call, view));
    }
    assertEquals(session.snapshot.tasks.length, TASKS);
    const { id } = session.snapshot.tasks[0]!;
    const completed = await countCall(
      session,
      { action: "complete", id },
      view,
    );
    return { added, completed };
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
}

async function countCall(
  session: TaskSession,
  call: unknown,
  view: ToolView,
): Promise<number> {
  const { content, result } = await session.handleToolCall(call, { view });
  if (!("task" in result)) throw new Error(content);
  assertStringIncludes(content, result.task.id);
  return countTokens(content);
}
