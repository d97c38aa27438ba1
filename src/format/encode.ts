/**
 * From a document to its texts: the sidecar on disk, the snapshot on the wire.
 *
 * @module
 */

import { Graph } from "../graph/graph.ts";
import type { RememberedCall, SessionDocument } from "../graph/document.ts";
import type { Task, TaskRecord } from "../model/task.ts";

/** The version of the sidecar's format that this package reads and writes. */
export const SIDECAR_VERSION = 1;

/** How many tasks a piece of a snapshot holds; the last one may hold fewer. */
export const TASKS_PER_PIECE = 16;

/**
 * Encodes documents, one after the other. It keeps the text of every task, and of
 * every few tasks together, so that a document that differs from the last one in
 * a few tasks costs little more than putting known texts together.
 */
export class Encoder {
  readonly #lines = new RowTexts({ separator: ",\n" });
  readonly #rows = new RowTexts({ start: "[", separator: ",", end: "]" });
  readonly #callLines = new WeakMap<RememberedCall, string>();
  #stored = Graph.empty;
  #shown = Graph.empty;

  /** The sidecar: JSON with one task per line; the same whatever was encoded before. */
  sidecar(document: SessionDocument): string {
    const { tasks } = document.graph;
    const known = this.#stored.tasks;
    // Should a task fail to encode, nothing is known any more.
    this.#stored = Graph.empty;
    for (let i = 0; i < tasks.length; i++) {
      if (tasks[i] !== known[i]) this.#lines.set(i, toStoredRow(tasks[i]!));
    }
    const pieces = this.#lines.take(tasks.length);
    this.#stored = document.graph;

    // Added up rather than joined, so that the whole is written to memory once.
    let text = `${headOf(document)},"tasks":[\n`;
    for (let i = 0; i < pieces.length; i++) {
      text += i === 0 ? pieces[i] : `,\n${pieces[i]}`;
    }
    const calls = document.calls.map((call) => this.#lineOf(call));
    if (calls.length > 0) text += `\n],"calls":[\n${calls.join(",\n")}`;
    return `${text}\n]}\n`;
  }

  /**
   * The tasks of the snapshot as JSON arrays of {@linkcode TASKS_PER_PIECE} each;
   * the same whatever was encoded before.
   */
  snapshot({ graph }: SessionDocument): readonly string[] {
    const { tasks, dependents } = graph;
    const known = this.#shown;
    this.#shown = Graph.empty;
    for (let i = 0; i < tasks.length; i++) {
      const isSame = tasks[i] === known.tasks[i] &&
        dependents[i] === known.dependents[i];
      if (!isSame) this.#rows.set(i, toTask(graph, i));
    }
    const pieces = this.#rows.take(tasks.length);
    this.#shown = graph;
    return pieces;
  }

  #lineOf(call: RememberedCall): string {
    const known = this.#callLines.get(call);
    if (known !== undefined) return known;
    const { toolCallId, digest, action, taskId } = call;
    const line = JSON.stringify([toolCallId, digest, action, taskId]);
    this.#callLines.set(call, line);
    return line;
  }
}

/** Rows as JSON, each alone and {@linkcode TASKS_PER_PIECE} together. */
class RowTexts {
  readonly #start: string;
  readonly #separator: string;
  readonly #end: string;
  readonly #rows: string[] = [];
  readonly #pieces: string[] = [];
  /** The pieces that do not agree with their rows. */
  readonly #stale = new Set<number>();

  constructor(
    { start = "", separator, end = "" }: {
      readonly start?: string;
      readonly separator: string;
      readonly end?: string;
    },
  ) {
    this.#start = start;
    this.#separator = separator;
    this.#end = end;
  }

  set(position: number, row: unknown): void {
    this.#rows[position] = JSON.stringify(row);
    this.#stale.add(Math.floor(position / TASKS_PER_PIECE));
  }

  /** The pieces of the first `count` rows; those after them are forgotten. */
  take(count: number): readonly string[] {
    const pieceCount = Math.ceil(count / TASKS_PER_PIECE);
    if (count < this.#rows.length) {
      this.#rows.length = count;
      if (count > 0) this.#stale.add(pieceCount - 1);
    }
    for (const piece of this.#stale) {
      const first = piece * TASKS_PER_PIECE;
      const rows = this.#rows.slice(first, first + TASKS_PER_PIECE);
      this.#pieces[piece] = this.#start + rows.join(this.#separator) +
        this.#end;
    }
    this.#stale.clear();
    this.#pieces.length = pieceCount;
    return this.#pieces.slice();
  }
}

/**
 * The beginning of the sidecar. The revision comes early, where it can be found
 * without reading the whole file.
 */
function headOf(document: SessionDocument): string {
  const { sessionId, revision, unknownFields } = document;
  const id = JSON.stringify(sessionId);
  const rest = JSON.stringify(unknownFields).slice(1, -1);
  return `{"version":${SIDECAR_VERSION},"session_id":${id},` +
    `"revision":${revision}${rest === "" ? "" : ","}${rest}`;
}

/** The compact row of the task at `position`. */
export function toTask(graph: Graph, position: number): Task {
  const { id, content, status, active_form, blockedBy, completed_at } = graph
    .tasks[position]!;
  const blocks = graph.blocksOf(position);
  return {
    id,
    content,
    status,
    ...(active_form !== undefined && { active_form }),
    ...(blockedBy.length > 0 && { blockedBy }),
    ...(blocks.length > 0 && { blocks }),
    ...(completed_at !== undefined && { completed_at }),
  };
}

function toStoredRow(task: TaskRecord): Record<string, unknown> {
  const { id, content, status, active_form, blockedBy, completed_at } = task;
  return {
    id,
    content,
    status,
    active_form,
    blockedBy: blockedBy.length > 0 ? blockedBy : undefined,
    completed_at,
    created_at: task.created_at,
    updated_at: task.updated_at,
    ...task.unknownFields,
  };
}

/**
 * The revision in a sidecar's text, of which the first {@linkcode REVISION_WITHIN}
 * characters are enough; `undefined` when it does not begin as this package writes it.
 */
export function revisionOf(text: string): number | undefined {
  const match = /^\{"version":\d+,"session_id":"[^"\\]*","revision":(\d+)[,}]/
    .exec(text);
  const revision = Number(match?.[1]);
  return Number.isSafeInteger(revision) ? revision : undefined;
}

/** How many characters {@linkcode revisionOf} needs. */
export const REVISION_WITHIN = 256;
