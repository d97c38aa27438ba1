/**
 * The six actions, as a pure function from a graph and a call to an outcome.
 *
 * @module
 */

import { actionOf, parseCall } from "./arguments.ts";
import { blockedPositions, findCycle, type Graph } from "./graph.ts";
import {
  type Refusal,
  refusalOf,
  TasksError,
  unreadable,
} from "../model/errors.ts";
import { printable, quote, quoteAll } from "../model/text.ts";
import type {
  AddCall,
  TaskRecord,
  TasksAction,
  TasksCall,
  TaskStatus,
  UpdateCall,
} from "../model/task.ts";

/** What the operations need from outside, so that they stay deterministic. */
export interface Environment {
  /** The time of the call, in unix milliseconds. */
  readonly now: number;
  /** Four random lower-case hexadecimal characters. */
  readonly randomSuffix: () => string;
}

/** What a call leads to. Tasks are named by their position in the graph. */
export type Outcome =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | {
    readonly kind: "answered";
    readonly action: TasksAction;
    readonly positions: readonly number[];
  }
  | {
    /** There is a next graph; it must be stored before the call is answered. */
    readonly kind: "changed";
    readonly action: TasksAction;
    readonly positions: readonly number[];
    readonly graph: Graph;
  };

/** Applies what a model sent, well formed or not. Never throws, and never changes `graph`. */
export function applyInput(
  graph: Graph,
  input: unknown,
  environment: Environment,
): Outcome {
  return refusing(input, () => apply(graph, readCall(input), environment));
}

/** The one place where a `TasksError` becomes the refusal of the call that caused it. */
export function refusing<T>(
  input: unknown,
  answer: () => T,
): T | Extract<Outcome, { kind: "refused" }> {
  try {
    return answer();
  } catch (error) {
    if (!(error instanceof TasksError)) throw error;
    return { kind: "refused", refusal: refusalOf(actionOf(input), error) };
  }
}

/**
 * Reads a call, also from an object that throws when it is looked at.
 *
 * @throws {TasksError} `invalid_arguments`, saying what to send instead.
 */
export function readCall(input: unknown): TasksCall {
  try {
    return parseCall(input);
  } catch (error) {
    throw error instanceof TasksError ? error : unreadable(error);
  }
}

/**
 * Applies a call.
 *
 * @throws {TasksError} When the graph does not allow it: `unknown_task`,
 * `unknown_blocker`, `task_deleted` or `cycle`.
 */
export function apply(
  graph: Graph,
  call: TasksCall,
  environment: Environment,
): Outcome {
  switch (call.action) {
    case "add":
      return add(graph, call, environment);
    case "update":
      return update(graph, call, environment);
    case "complete":
      return changeStatus(
        graph,
        call.action,
        call.id,
        "completed",
        environment,
      );
    case "remove":
      return changeStatus(graph, call.action, call.id, "deleted", environment);
    case "list":
      return {
        kind: "answered",
        action: call.action,
        positions: positionsOf(graph, call.status_filter),
      };
    case "blocked":
      return {
        kind: "answered",
        action: call.action,
        positions: blockedPositions(graph),
      };
  }
}

function add(
  graph: Graph,
  call: AddCall,
  { now, randomSuffix }: Environment,
): Outcome {
  const blockedBy = call.blockedBy ?? [];
  requireKnown(graph, blockedBy);
  return changed(graph, call.action, {
    id: mintId(graph, now, randomSuffix()),
    content: call.content,
    status: "pending",
    active_form: call.active_form,
    blockedBy,
    completed_at: undefined,
    created_at: now,
    updated_at: now,
  });
}

function update(graph: Graph, call: UpdateCall, { now }: Environment): Outcome {
  const task = requireTask(graph, call.id);
  const status = call.status ?? task.status;
  const next: TaskRecord = {
    ...task,
    content: call.content ?? task.content,
    active_form: call.active_form ?? task.active_form,
    blockedBy: isSameList(call.blockedBy ?? task.blockedBy, task.blockedBy)
      ? task.blockedBy
      : call.blockedBy!,
    status,
    completed_at: status === "completed" ? task.completed_at ?? now : undefined,
    updated_at: now,
  };
  // Saying "in_progress" again is a sign of life, which must reach the stamp.
  const changes = call.status === "in_progress" ||
    next.content !== task.content ||
    next.active_form !== task.active_form ||
    next.blockedBy !== task.blockedBy ||
    next.status !== task.status;
  if (!changes) return unchanged(graph, call.action, task);
  if (status === "deleted" && task.status === "deleted") throw deleted(task);
  const before = new Set(task.blockedBy);
  const added = next.blockedBy.filter((id) => !before.has(id));
  requireKnown(graph, added);
  requireAcyclic(graph, task.id, added);
  return changed(graph, call.action, next);
}

function changeStatus(
  graph: Graph,
  action: "complete" | "remove",
  id: string,
  status: TaskStatus,
  { now }: Environment,
): Outcome {
  const task = requireTask(graph, id);
  if (task.status === status) return unchanged(graph, action, task);
  if (task.status === "deleted") throw deleted(task);
  return changed(graph, action, {
    ...task,
    status,
    completed_at: status === "completed" ? now : undefined,
    updated_at: now,
  });
}

function positionsOf(
  graph: Graph,
  filter: TaskStatus | undefined,
): readonly number[] {
  const positions: number[] = [];
  for (let i = 0; i < graph.tasks.length; i++) {
    if (filter === undefined || graph.tasks[i]!.status === filter) {
      positions.push(i);
    }
  }
  return positions;
}

function changed(graph: Graph, action: TasksAction, task: TaskRecord): Outcome {
  const next = graph.with(task);
  return {
    kind: "changed",
    action,
    positions: [next.positionOf(task.id)!],
    graph: next,
  };
}

function unchanged(
  graph: Graph,
  action: TasksAction,
  task: TaskRecord,
): Outcome {
  return { kind: "answered", action, positions: [graph.positionOf(task.id)!] };
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

const SUFFIXES = 0x10000;

/**
 * An id that nothing in the graph bears or mentions: the given suffix, else the
 * next free one, else one of the next millisecond.
 */
function mintId(graph: Graph, now: number, suffix: string): string {
  const first = Number.parseInt(suffix, 16);
  for (let attempt = 0;; attempt++) {
    const time = now + Math.floor(attempt / SUFFIXES);
    const hex = ((first + attempt) % SUFFIXES).toString(16).padStart(4, "0");
    const id = `t_${time}_${hex}`;
    if (graph.positionOf(id) === undefined && !graph.missing.has(id)) return id;
  }
}

function requireTask(graph: Graph, id: string): TaskRecord {
  const task = graph.get(id);
  if (task !== undefined) return task;
  throw new TasksError(
    "unknown_task",
    `There is no task ${quote(id)}. ${WHERE_IDS_COME_FROM}`,
    [id],
  );
}

function requireKnown(graph: Graph, blockedBy: readonly string[]): void {
  const unknown = blockedBy.filter((id) => graph.positionOf(id) === undefined);
  if (unknown.length === 0) return;
  const what = unknown.length === 1
    ? "an id that no task has"
    : "ids that no task has";
  throw new TasksError(
    "unknown_blocker",
    `"blockedBy" names ${what}: ${quoteAll(unknown)}. Nothing was changed. ` +
      WHERE_IDS_COME_FROM,
    unknown,
  );
}

const WHERE_IDS_COME_FROM = 'Ids are made by "add" and returned by it; ' +
  'titles and guesses do not work. Send {"action":"list"} to see them all.';

function requireAcyclic(
  graph: Graph,
  id: string,
  added: readonly string[],
): void {
  const loop = findCycle(graph, id, added);
  if (loop === undefined) return;
  const blocker = quote(loop[1]!);
  const isSelf = loop.length === 2;
  throw new TasksError(
    "cycle",
    `${quote(id)} cannot be blocked by ${blocker}, because it would wait for ` +
      `itself: ${pathOf(loop)} (each is blocked by the next; completed and ` +
      "deleted tasks count, since they can be reopened). Nothing was changed. " +
      `Send a "blockedBy" without ${blocker}` +
      (isSelf ? "." : ", or first take another edge of the loop away."),
    loop.slice(0, -1),
  );
}

const MAX_LOOP_SHOWN = 20;

function pathOf(loop: readonly string[]): string {
  const half = MAX_LOOP_SHOWN / 2;
  const left = loop.length - MAX_LOOP_SHOWN;
  const shown = left > 0
    ? [...loop.slice(0, half), `… ${left} more …`, ...loop.slice(-half)]
    : loop;
  return shown.map((id) => printable(id, 40)).join(" → ");
}

function deleted({ id }: TaskRecord): TasksError {
  const restore = JSON.stringify({ action: "update", id, status: "pending" });
  return new TasksError(
    "task_deleted",
    `Task ${quote(id)} is deleted, so it cannot be changed. Nothing was ` +
      `changed. To restore it send ${restore}.`,
    [id],
  );
}
