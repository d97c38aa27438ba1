/**
 * The graph: an immutable collection of tasks and the edges between them, and
 * every question that is asked of those edges.
 *
 * @module
 */

import type { Snapshot, Task, TaskRecord, TaskStatus } from "../model/task.ts";

const NO_DEPENDENTS: readonly number[] = [];

/**
 * Tasks in insertion order, found by id, with the edges kept in both
 * directions. A graph never changes: {@linkcode Graph.with} returns the next
 * one, which shares with it all that is the same.
 *
 * A task keeps its position for ever, so positions serve as compact names.
 */
export class Graph {
  /** The graph without tasks. */
  static readonly empty: Graph = Graph.from([]);

  /** Every task, in insertion order. */
  readonly tasks: readonly TaskRecord[];
  /** For each position, the ascending positions of the tasks that it blocks. */
  readonly dependents: readonly (readonly number[])[];
  /** Ids that edges led to, when the graph was loaded, although no task has them. */
  readonly missing: ReadonlySet<string>;

  // Shared by all graphs that grew out of one another. It may know more than
  // this graph does (a successor's task, or one that was never committed), so
  // an entry counts only where `tasks` agrees.
  readonly #positions: Map<string, number>;

  private constructor(
    tasks: readonly TaskRecord[],
    dependents: readonly (readonly number[])[],
    missing: ReadonlySet<string>,
    positions: Map<string, number>,
  ) {
    this.tasks = tasks;
    this.dependents = dependents;
    this.missing = missing;
    this.#positions = positions;
  }

  /** Builds a graph from tasks with distinct ids. */
  static from(tasks: readonly TaskRecord[]): Graph {
    const positions = new Map<string, number>();
    for (let i = 0; i < tasks.length; i++) positions.set(tasks[i]!.id, i);
    const dependents: (readonly number[])[] = new Array(tasks.length).fill(
      NO_DEPENDENTS,
    );
    const missing = new Set<string>();
    for (let i = 0; i < tasks.length; i++) {
      for (const id of tasks[i]!.blockedBy) {
        const blocker = positions.get(id);
        if (blocker === undefined) missing.add(id);
        else if (dependents[blocker] === NO_DEPENDENTS) {
          dependents[blocker] = [i];
        } else (dependents[blocker] as number[]).push(i);
      }
    }
    return new Graph(tasks, dependents, missing, positions);
  }

  /** The position of a task, or `undefined` when no task has this id. */
  positionOf(id: string): number | undefined {
    const position = this.#positions.get(id);
    return position !== undefined && this.tasks[position]?.id === id
      ? position
      : undefined;
  }

  /** The task with this id, or `undefined`. */
  get(id: string): TaskRecord | undefined {
    const position = this.positionOf(id);
    return position === undefined ? undefined : this.tasks[position];
  }

  /** The ids of the tasks that the one at `position` blocks, in insertion order. */
  blocksOf(position: number): readonly string[] {
    return this.dependents[position]!.map((dependent) =>
      this.tasks[dependent]!.id
    );
  }

  /**
   * The graph in which this task replaces the one of the same id, or comes last.
   * What blocks it must be tasks of the graph, or `missing`; its own id must not be.
   */
  with(task: TaskRecord): Graph {
    const position = this.positionOf(task.id) ?? this.tasks.length;
    const before = this.tasks[position]?.blockedBy ?? [];
    const tasks = this.tasks.slice();
    tasks[position] = task;
    const known = this.#positions.get(task.id) ?? position;
    const positions = known === position
      ? this.#positions
      : new Map(this.#positions);
    positions.set(task.id, position);

    let dependents = this.dependents;
    if (position === this.tasks.length || before !== task.blockedBy) {
      const next = dependents.slice();
      next[position] ??= NO_DEPENDENTS;
      for (const id of before) {
        const blocker = this.positionOf(id);
        if (blocker !== undefined) {
          next[blocker] = next[blocker]!.filter((dependent) =>
            dependent !== position
          );
        }
      }
      for (const id of task.blockedBy) {
        const blocker = this.positionOf(id);
        if (blocker !== undefined) {
          next[blocker] = insertSorted(next[blocker]!, position);
        }
      }
      dependents = next;
    }
    return new Graph(tasks, dependents, this.missing, positions);
  }
}

function insertSorted(
  ascending: readonly number[],
  value: number,
): readonly number[] {
  const at = ascending.findLastIndex((other) => other < value) + 1;
  return ascending.toSpliced(at, 0, value);
}

/**
 * The loop that would be closed if the task got these new blockers, as ids from
 * the task back to itself, each blocked by the next; `undefined` when there is
 * none. Edges of tasks of every status count, since any task can be reopened.
 *
 * The search goes from the task along the tasks that wait for it, depth first,
 * with a stack of its own, so that no chain is too long for it.
 */
export function findCycle(
  graph: Graph,
  taskId: string,
  newBlockers: readonly string[],
): string[] | undefined {
  const start = graph.positionOf(taskId);
  if (start === undefined || newBlockers.length === 0) return undefined;
  const targets = new Set(newBlockers.map((id) => graph.positionOf(id)));
  const UNVISITED = -1;
  const cameFrom = new Int32Array(graph.tasks.length).fill(UNVISITED);
  cameFrom[start] = start;
  const stack = [start];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (targets.has(at)) {
      const loop = [taskId];
      for (let step = at; step !== start; step = cameFrom[step]!) {
        loop.push(graph.tasks[step]!.id);
      }
      return [...loop, taskId];
    }
    for (const dependent of graph.dependents[at]!) {
      if (cameFrom[dependent] !== UNVISITED) continue;
      cameFrom[dependent] = at;
      stack.push(dependent);
    }
  }
  return undefined;
}

/**
 * Loops among the edges, each as ids from a task back to itself; at least one
 * for every knot of tasks that wait for each other, so none exactly when the
 * graph has no cycle.
 */
export function findLoops(graph: Graph): string[][] {
  const { tasks, dependents } = graph;
  // Take away, again and again, the tasks that wait for nobody who is left.
  const waitsFor = new Int32Array(tasks.length);
  for (const waiting of dependents) for (const i of waiting) waitsFor[i]!++;
  const free: number[] = [];
  for (let i = 0; i < tasks.length; i++) if (waitsFor[i] === 0) free.push(i);
  let left = tasks.length;
  for (let at = free.pop(); at !== undefined; at = free.pop()) {
    left--;
    for (const i of dependents[at]!) if (--waitsFor[i]! === 0) free.push(i);
  }
  if (left === 0) return [];

  // Every task that is left has a blocker that is left: follow it into a loop.
  const loops: string[][] = [];
  const walkOf = new Int32Array(tasks.length);
  for (let first = 0; first < tasks.length; first++) {
    if (waitsFor[first] === 0) continue;
    const walk: number[] = [];
    let at = first;
    while (walkOf[at] === 0) {
      walkOf[at] = first + 1;
      walk.push(at);
      at = tasks[at]!.blockedBy.map((id) => graph.positionOf(id))
        .find((blocker) => blocker !== undefined && waitsFor[blocker] !== 0)!;
    }
    if (walkOf[at] !== first + 1) continue;
    const loop = [...walk.slice(walk.indexOf(at)), at];
    loops.push(loop.map((position) => tasks[position]!.id));
  }
  return loops;
}

/**
 * Those of the given blockers that are active: neither `completed` nor
 * `deleted`. A blocker that is not in the graph is active. This is the one
 * place that decides what holds a task back.
 */
function activeAmong(
  blockedBy: readonly string[],
  statusOf: (id: string) => TaskStatus | undefined,
): readonly string[] {
  return blockedBy.filter((id) => {
    const status = statusOf(id);
    return status !== "completed" && status !== "deleted";
  });
}

function isOpen(status: TaskStatus): boolean {
  return status === "pending" || status === "in_progress";
}

/** The positions of the open tasks that have at least one active blocker, ascending. */
export function blockedPositions(graph: Graph): number[] {
  const statusOf = (id: string) => graph.get(id)?.status;
  const positions: number[] = [];
  for (let i = 0; i < graph.tasks.length; i++) {
    const { status, blockedBy } = graph.tasks[i]!;
    if (
      isOpen(status) && blockedBy.length > 0 &&
      activeAmong(blockedBy, statusOf).length > 0
    ) positions.push(i);
  }
  return positions;
}

const indexes = new WeakMap<Snapshot, ReadonlyMap<string, Task>>();

function indexOf(snapshot: Snapshot): ReadonlyMap<string, Task> {
  const known = indexes.get(snapshot);
  if (known !== undefined) return known;
  const index = new Map(snapshot.tasks.map((task) => [task.id, task]));
  // Only what cannot change may be remembered.
  if (Object.isFrozen(snapshot) && Object.isFrozen(snapshot.tasks)) {
    indexes.set(snapshot, index);
  }
  return index;
}

/**
 * The task with this id in a snapshot, or `undefined`.
 *
 * On a snapshot that came from a session the first call builds an index, which
 * later calls use.
 *
 * @example Look a task up
 * ```ts
 * import { findTask } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = { tasks: [{ id: "t_1", content: "Test", status: "pending" as const }] };
 * assertEquals(findTask(snapshot, "t_1")?.content, "Test");
 * assertEquals(findTask(snapshot, "t_2"), undefined);
 * ```
 */
export function findTask(snapshot: Snapshot, id: string): Task | undefined {
  return indexOf(snapshot).get(id);
}

/**
 * The ids of a task's active blockers: those that are neither completed nor
 * deleted. An id that no task has counts as active. Empty for an unknown task.
 *
 * @example Ask why a task cannot start
 * ```ts
 * import { activeBlockers } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" as const },
 *     { id: "t_2", content: "Review", status: "pending" as const },
 *     { id: "t_3", content: "Ship", status: "pending" as const, blockedBy: ["t_1", "t_2"] },
 *   ],
 * };
 * assertEquals(activeBlockers(snapshot, "t_3"), ["t_2"]);
 * ```
 */
export function activeBlockers(
  snapshot: Snapshot,
  id: string,
): readonly string[] {
  const index = indexOf(snapshot);
  return activeIn(index, index.get(id));
}

function activeIn(
  index: ReadonlyMap<string, Task>,
  task: Task | undefined,
): readonly string[] {
  const blockedBy = task?.blockedBy ?? [];
  return activeAmong(blockedBy, (blocker) => index.get(blocker)?.status);
}

/**
 * The tasks that cannot go on yet: `pending` or `in_progress`, with at least
 * one active blocker. The same answer as the tool's `blocked` action.
 *
 * @example List what has to wait
 * ```ts
 * import { blockedTasks } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "pending" as const },
 *     { id: "t_2", content: "Ship", status: "pending" as const, blockedBy: ["t_1"] },
 *   ],
 * };
 * assertEquals(blockedTasks(snapshot).map((task) => task.id), ["t_2"]);
 * ```
 */
export function blockedTasks(snapshot: Snapshot): readonly Task[] {
  const index = indexOf(snapshot);
  return snapshot.tasks.filter((task) =>
    isOpen(task.status) && activeIn(index, task).length > 0
  );
}

/**
 * The tasks that can be started now: `pending`, without an active blocker.
 *
 * @example Pick the next task
 * ```ts
 * import { readyTasks } from "@kin/tasks-dag";
 * import { assertEquals } from "@std/assert";
 *
 * const snapshot = {
 *   tasks: [
 *     { id: "t_1", content: "Build", status: "completed" as const },
 *     { id: "t_2", content: "Ship", status: "pending" as const, blockedBy: ["t_1"] },
 *   ],
 * };
 * assertEquals(readyTasks(snapshot)[0]?.id, "t_2");
 * ```
 */
export function readyTasks(snapshot: Snapshot): readonly Task[] {
  const index = indexOf(snapshot);
  return snapshot.tasks.filter((task) =>
    task.status === "pending" && activeIn(index, task).length === 0
  );
}
