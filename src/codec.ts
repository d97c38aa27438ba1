/**
 * Between a graph and its texts: the sidecar on disk, the snapshot on the wire.
 *
 * @module
 */

import { ACTIONS, STATUSES } from "./arguments.ts";
import { findLoops, Graph } from "./dag.ts";
import type { RememberedCall, SessionDocument } from "./document.ts";
import { quote, TasksError } from "./errors.ts";
import type { SessionWarning, Task, TaskRecord, TaskStatus } from "./task.ts";
import { Warnings } from "./warnings.ts";

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

  /** The texts of this document; the same whatever was encoded before. */
  encode(document: SessionDocument): Encoded {
    this.#adopt(document.graph);
    const head = headOf(document);
    return {
      sidecar: `${head},"tasks":[\n${this.#lines.join(",\n")}\n]}\n`,
      snapshot: `{"tasks":[${this.#rows.join(",")}]}`,
    };
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
  const { sessionId, revision, calls, unknownFields } = document;
  const rest = JSON.stringify({
    calls: calls.length > 0 ? calls.map(toStoredCall) : undefined,
    ...unknownFields,
  }).slice(1, -1);
  return `{"version":${SIDECAR_VERSION},"session_id":${
    JSON.stringify(sessionId)
  },"revision":${revision}${rest === "" ? "" : ","}${rest}`;
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

function toStoredCall(call: RememberedCall): readonly string[] {
  return [call.toolCallId, call.action, call.taskId];
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

/** What {@linkcode decode} needs to know besides the text. */
export interface DecodeOptions {
  /** The session that is being opened. */
  readonly sessionId: string;
  /** The time, in unix milliseconds. */
  readonly now: number;
  /** How old an `in_progress` task may be before it counts as abandoned, in milliseconds. */
  readonly staleAfterMs: number;
}

/** What was made of a sidecar. */
export type Decoded =
  | {
    readonly kind: "sidecar";
    readonly document: SessionDocument;
    readonly warnings: readonly SessionWarning[];
    /** Whether the document differs from the file in a way that should be written back at once. */
    readonly needsSave: boolean;
    /** Whether the file holds something that the document has not, so that a copy must be kept. */
    readonly losesData: boolean;
  }
  | { readonly kind: "corrupt"; readonly reason: string };

/**
 * Reads a sidecar. What is damaged inside is repaired, with a warning; bytes that
 * are no sidecar at all are `corrupt`.
 *
 * @throws {TasksError} `sidecar_newer` when a newer version wrote the file;
 * `open_failed` when it belongs to a session whose id differs only in case.
 */
export function decode(bytes: Uint8Array, options: DecodeOptions): Decoded {
  let text: string;
  let root: unknown;
  try {
    // The decoder drops a byte order mark and refuses what is not UTF-8.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    root = JSON.parse(text);
  } catch {
    return { kind: "corrupt", reason: "it is not JSON in UTF-8" };
  }
  if (!isObject(root)) {
    return { kind: "corrupt", reason: "it is not a JSON object" };
  }
  const {
    version = SIDECAR_VERSION,
    session_id,
    revision,
    calls,
    tasks,
    ...unknownFields
  } = root;
  if (typeof version === "number" && version > SIDECAR_VERSION) {
    throw new TasksError(
      "sidecar_newer",
      `The sidecar has version ${version}, and this package reads version ${SIDECAR_VERSION}. ` +
        "The file was left untouched. Update @kin/tasks-dag, or open another session.",
    );
  }
  if (version !== SIDECAR_VERSION) {
    return { kind: "corrupt", reason: '"version" is not a version' };
  }
  if (!Array.isArray(tasks)) {
    return { kind: "corrupt", reason: '"tasks" is not an array' };
  }

  const warnings = new Warnings();
  const isFork = typeof session_id === "string" &&
    session_id !== options.sessionId;
  if (isFork) {
    if (session_id.toLowerCase() === options.sessionId.toLowerCase()) {
      throw new TasksError(
        "open_failed",
        `The sidecar belongs to session ${
          quote(session_id)
        }, which differs from ` +
          `${
            quote(options.sessionId)
          } only in case, and this file system does not tell them ` +
          "apart. The file was left untouched. Open the session by its own id, or choose another.",
      );
    }
    warnings.add("other_session", session_id);
  }
  const records = readRows(tasks, options, warnings);
  const graph = Graph.from(records);
  for (const id of graph.missing) warnings.add("missing_blockers", id);
  for (const loop of findLoops(graph)) {
    for (const id of loop.slice(1)) warnings.add("loops", id);
  }

  const document = {
    sessionId: options.sessionId,
    revision: revisionOf(text) ?? (isCount(revision) ? revision : 0),
    graph,
    calls: readCalls(calls),
    unknownFields: isEncodable(unknownFields) ? unknownFields : {},
  };
  if (document.unknownFields !== unknownFields) warnings.add("rows_repaired");
  return {
    kind: "sidecar",
    document,
    warnings: warnings.toArray(),
    needsSave: isFork || warnings.has("stale_reset"),
    losesData: warnings.has("rows_dropped") || warnings.has("rows_repaired"),
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
  return isCount(revision) ? revision : undefined;
}

/** How many characters {@linkcode revisionOf} needs. */
export const REVISION_WITHIN = 256;

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isStatus(value: unknown): value is TaskStatus {
  return STATUSES.some((status) => status === value);
}

/** The remembered calls, without what is none: to forget a call is harmless. */
function readCalls(calls: unknown): readonly RememberedCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.flatMap((call: unknown) => {
    const [toolCallId, name, taskId] = Array.isArray(call) ? call : [];
    const action = ACTIONS.find((known) => known === name);
    return isId(toolCallId) && action !== undefined && isId(taskId)
      ? [{ toolCallId, action, taskId }]
      : [];
  });
}

function readRows(
  rows: readonly unknown[],
  options: DecodeOptions,
  warnings: Warnings,
): TaskRecord[] {
  const records: TaskRecord[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const record = readRow(row, options, warnings);
    if (record === undefined) continue;
    if (seen.has(record.id)) {
      warnings.add("rows_dropped", record.id);
      continue;
    }
    seen.add(record.id);
    records.push(record);
  }
  return records;
}

function readRow(
  row: unknown,
  { now, staleAfterMs }: DecodeOptions,
  warnings: Warnings,
): TaskRecord | undefined {
  if (
    !isObject(row) || typeof row.id !== "string" || row.id === "" ||
    !row.id.isWellFormed() ||
    typeof row.content !== "string"
  ) {
    warnings.add(
      "rows_dropped",
      isObject(row) && typeof row.id === "string" ? row.id : undefined,
    );
    return undefined;
  }
  const {
    id,
    content,
    status,
    active_form,
    blockedBy = NO_BLOCKERS,
    blocks: _derived,
    completed_at,
    created_at,
    updated_at,
    ...rest
  } = row;
  const known: TaskStatus = isStatus(status) ? status : "pending";
  const blockers = readBlockers(blockedBy);
  const form = typeof active_form === "string" && active_form !== ""
    ? active_form.toWellFormed()
    : undefined;
  const unknownFields = readUnknownFields(rest);
  if (
    known !== status || blockers === undefined ||
    (form ?? "") !== (active_form ?? "") ||
    !content.isWellFormed() || unknownFields === "not encodable"
  ) warnings.add("rows_repaired", id);
  const isAbandoned = known === "in_progress" &&
    !(isNumber(updated_at) && Math.abs(now - updated_at) <= staleAfterMs);
  if (isAbandoned) warnings.add("stale_reset", id);
  const stamp = !isAbandoned && isNumber(updated_at) ? updated_at : now;
  const completedAt = isNumber(completed_at) ? completed_at : stamp;
  return {
    id,
    content: content.toWellFormed(),
    status: isAbandoned ? "pending" : known,
    active_form: form,
    blockedBy: blockers ?? onlyIds(blockedBy),
    completed_at: known === "completed" ? completedAt : undefined,
    created_at: isNumber(created_at) ? created_at : stamp,
    updated_at: stamp,
    unknownFields: unknownFields === "not encodable"
      ? undefined
      : unknownFields,
  };
}

const NO_BLOCKERS: readonly string[] = [];

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** The blockers without repetitions, or `undefined` when the value is not a list of ids. */
function readBlockers(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every(isId)) return undefined;
  return value.length > 1 ? [...new Set(value)] : value;
}

function onlyIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter(isId))] : NO_BLOCKERS;
}

function readUnknownFields(rest: Fields): Fields | undefined | "not encodable" {
  for (const _ in rest) return isEncodable(rest) ? rest : "not encodable";
  return undefined;
}

const MAX_DEPTH = 100;

/** Whether the fields can be written back; what is nested too deeply cannot. */
function isEncodable(fields: Fields): boolean {
  let level: readonly object[] = [fields];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    level = level.flatMap((parent) => Object.values(parent)).filter(isNested);
  }
  return true;
}

function isNested(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
