/**
 * What the tests of the pure core share: short ways to make graphs, and a tool
 * that keeps its graph in memory.
 *
 * @module
 */

import { assert, assertStrictEquals } from "@std/assert";
import { toTask } from "../../src/format/encode.ts";
import type { DecodeOptions } from "../../src/format/decode.ts";
import { Graph } from "../../src/graph/graph.ts";
import type { ErrorData, Refusal } from "../../src/model/errors.ts";
import {
  applyInput,
  type Environment,
  type Outcome,
} from "../../src/graph/operations.ts";
import { resultOf } from "../../src/tool/result.ts";
import type {
  Snapshot,
  Task,
  TaskRecord,
  TasksResult,
} from "../../src/model/task.ts";

/** The time at which tests start, in unix milliseconds. */
export const NOW = 1_720_600_000_000;

/** What {@linkcode decode} needs, for the session `demo`. */
export const DECODE_OPTIONS: DecodeOptions = {
  sessionId: "demo",
  now: NOW,
  staleAfterMs: 300_000,
};

/** A pending task without blockers, but for the given fields. */
export function record(
  id: string,
  fields: Partial<TaskRecord> = {},
): TaskRecord {
  return {
    id,
    content: `Task ${id}`,
    status: "pending",
    blockedBy: [],
    created_at: NOW,
    updated_at: NOW,
    ...fields,
  };
}

/** The graph of pending tasks in which each id is blocked by the listed ones. */
export function graphOf(
  blockers: Readonly<Record<string, readonly string[]>>,
): Graph {
  return Graph.from(
    Object.entries(blockers).map(([id, blockedBy]) =>
      record(id, { blockedBy })
    ),
  );
}

/** The graph as callers see it. */
export function snapshotOf(graph: Graph): Snapshot {
  return { tasks: graph.tasks.map((_, position) => toTask(graph, position)) };
}

/** The `tasks` tool over a graph in memory, with a clock and an id source of the test's. */
export class Tool {
  graph: Graph;
  now = NOW;
  randomSuffix = (): string => "a1b2";

  constructor(graph: Graph = Graph.empty) {
    this.graph = graph;
  }

  /** Applies what a model could send, and takes the next graph over. */
  apply(input: unknown): Outcome {
    const environment: Environment = {
      now: this.now,
      randomSuffix: this.randomSuffix,
    };
    const outcome = applyInput(this.graph, input, environment);
    if (outcome.kind === "changed") this.graph = outcome.graph;
    return outcome;
  }

  /** The result as the caller gets it. */
  call(input: unknown): TasksResult | Refusal {
    const outcome = this.apply(input);
    return outcome.kind === "refused" ? outcome.refusal : resultOf(
      { type: "reply", callId: 1, ...outcome },
      snapshotOf(this.graph),
    );
  }

  /** The task that a call, which must succeed, is about. */
  change(input: unknown): Task {
    const result = this.call(input);
    assert("task" in result, JSON.stringify(result));
    return result.task;
  }

  /** The error of a call, which must be refused and change nothing. */
  refuse(input: unknown): ErrorData {
    const before = this.graph;
    const result = this.call(input);
    assert("error" in result, "The call was not refused");
    assertStrictEquals(this.graph, before);
    return result.error;
  }

  /** Adds a task and returns its id. */
  add(content: string, blockedBy: readonly string[] = []): string {
    return this.change({ action: "add", content, blockedBy }).id;
  }

  /** The ids that `list` (with this filter) or `blocked` answers. */
  ids(input: unknown): string[] {
    const result = this.call(input);
    assert("tasks" in result, JSON.stringify(result));
    return result.tasks.map((task) => task.id);
  }

  /** The ids of the blocked tasks. */
  blocked(): string[] {
    return this.ids({ action: "blocked" });
  }

  /** The row of a task. */
  task(id: string): Task {
    const task = snapshotOf(this.graph).tasks.find((task) => task.id === id);
    assert(task !== undefined, `There is no task ${id}`);
    return task;
  }
}
