/**
 * From a document to its texts: the sidecar on disk, the snapshot on the wire.
 *
 * @module
 */

import { Graph } from "./dag.ts";
import type { RememberedCall, SessionDocument } from "./document.ts";
import type { Task, TaskRecord } from "./task.ts";

/** The version of the sidecar's format that this package reads and writes. */
export const SIDECAR_VERSION = 1;

/** The two texts of one document. */
export interface Encoded {
  /** The sidecar: JSON with one task per line. */
  readonly sidecar: string;
  /** The snapshot as JSON. */
  readonly snapshot: string;
}

/**
 * Encodes documents, one after the other. It keeps the text of every task, so
 * that a document that differs from the last one in a few tasks costs little
 * more than joining texts.
 */
export class Encoder {
  #graph = Graph.empty;
  #lines: string[] = [];
  #rows: string[] = [];
  readonly #callLines = new WeakMap<RememberedCall, string>();

  /** The texts of this document; the same whatever was encoded before. */
  encode(document: SessionDocument): Encoded {
    this.#adopt(document.graph);
    const calls = document.calls.map((call) => this.#lineOf(call));
    const tail = calls.length > 0 ? `],"calls":[\n${calls.join(",\n")}\n` : "";
    return {
      sidecar: `${headOf(document)},"tasks":[\n${
        this.#lines.join(",\n")
      }\n${tail}]}\n`,
      snapshot: `{"tasks":[${this.#rows.join(",")}]}`,
    };
  }

  #lineOf(call: RememberedCall): string {
    const known = this.#callLines.get(call);
    if (known !== undefined) return known;
    const { toolCallId, digest, action, taskId } = call;
    const line = JSON.stringify([toolCallId, digest, action, taskId]);
    this.#callLines.set(call, line);
    return line;
  }

  #adopt(graph: Graph): void {
    const { tasks, dependents } = graph;
    const known = this.#graph;
    // Should a task fail to encode, nothing is known any more.
    this.#graph = Graph.empty;
    for (let i = 0; i < tasks.length; i++) {
      const isSameTask = tasks[i] === known.tasks[i];
      if (!isSameTask) this.#lines[i] = JSON.stringify(toStoredRow(tasks[i]!));
      if (!isSameTask || dependents[i] !== known.dependents[i]) {
        this.#rows[i] = JSON.stringify(toTask(graph, i));
      }
    }
    this.#lines.length = tasks.length;
    this.#rows.length = tasks.length;
    this.#graph = graph;
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
