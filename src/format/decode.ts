/**
 * From a sidecar's bytes to a document, repaired where it has to be.
 *
 * @module
 */

import { revisionOf, SIDECAR_VERSION } from "./encode.ts";
import { findLoops, Graph } from "../graph/graph.ts";
import type { RememberedCall, SessionDocument } from "../graph/document.ts";
import { TasksError } from "../model/errors.ts";
import { quote } from "../model/text.ts";
import type { SessionWarning, TaskRecord, TaskStatus } from "../model/task.ts";
import { ACTIONS, STATUSES } from "../model/vocabulary.ts";
import { cleanText } from "../model/text.ts";
import { Warnings } from "./warnings.ts";

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
  } catch (error) {
    // What is too large to be read says nothing about what it is.
    if (error instanceof RangeError) throw error;
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
  refuseNewer(version);
  if (version !== SIDECAR_VERSION) {
    return { kind: "corrupt", reason: '"version" is not a version' };
  }
  if (!Array.isArray(tasks)) {
    return { kind: "corrupt", reason: '"tasks" is not an array' };
  }

  const { sessionId } = options;
  const warnings = new Warnings();
  const isFork = typeof session_id === "string" && session_id !== sessionId;
  if (isFork) {
    refuseNamesake(session_id, sessionId);
    warnings.add("other_session", session_id);
  }
  const graph = Graph.from(readRows(tasks, options, warnings));
  for (const id of graph.missing) warnings.add("missing_blockers", id);
  for (const loop of findLoops(graph)) {
    for (const id of loop.slice(1)) warnings.add("loops", id);
  }
  const isKept = isEncodable(unknownFields);
  if (!isKept) warnings.add("rows_repaired");
  return {
    kind: "sidecar",
    document: {
      sessionId,
      revision: revisionOf(text) ?? (isCount(revision) ? revision : 0),
      graph,
      // The calls of the session that this one was forked from are not its own.
      calls: isFork ? [] : readCalls(calls),
      unknownFields: isKept ? unknownFields : {},
    },
    warnings: warnings.toArray(),
    needsSave: isFork || warnings.has("stale_reset"),
    losesData: warnings.has("rows_dropped") || warnings.has("rows_repaired"),
  };
}

function refuseNewer(version: unknown): void {
  if (typeof version !== "number" || version <= SIDECAR_VERSION) return;
  throw new TasksError(
    "sidecar_newer",
    `The sidecar has version ${version}, and this package reads version ` +
      `${SIDECAR_VERSION}. The file was left untouched. Update ` +
      "@kin/tasks-dag, or open another session.",
  );
}

/** Refuses a sidecar that is only found because the file system is blind to case. */
function refuseNamesake(stored: string, sessionId: string): void {
  if (stored.toLowerCase() !== sessionId.toLowerCase()) return;
  throw new TasksError(
    "open_failed",
    `The sidecar belongs to session ${quote(stored)}, which differs from ` +
      `${quote(sessionId)} only in case, and this file system does not tell ` +
      "them apart. The file was left untouched. Open the session by its own " +
      "id, or choose another.",
  );
}

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
    const [toolCallId, digest, name, taskId] = Array.isArray(call) ? call : [];
    const action = ACTIONS.find((known) => known === name);
    return isText(toolCallId) && isText(digest) && action !== undefined &&
        isId(taskId)
      ? [{ toolCallId, digest, action, taskId }]
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
  if (!isObject(row) || !isId(row.id) || typeof row.content !== "string") {
    const id = isObject(row) && typeof row.id === "string" ? row.id : undefined;
    warnings.add("rows_dropped", id);
    return undefined;
  }
  const {
    id,
    content,
    status,
    active_form = "",
    blockedBy = NO_BLOCKERS,
    blocks: _derived,
    completed_at,
    created_at,
    updated_at,
    ...unknownFields
  } = row;
  const text = cleanText(content);
  const known: TaskStatus = isStatus(status) ? status : "pending";
  const form = typeof active_form === "string" ? cleanText(active_form) : "";
  const blockers = readBlockers(blockedBy);
  const hasUnknownFields = Object.keys(unknownFields).length > 0;
  const isKept = !hasUnknownFields || isEncodable(unknownFields);
  const isIntact = text === content && known === status &&
    form === active_form && blockers !== undefined && isKept;
  if (!isIntact) warnings.add("rows_repaired", id);

  const age = isNumber(updated_at) ? Math.abs(now - updated_at) : Infinity;
  const isAbandoned = known === "in_progress" && age > staleAfterMs;
  if (isAbandoned) warnings.add("stale_reset", id);
  const stamp = !isAbandoned && isNumber(updated_at) ? updated_at : now;
  const completedAt = isNumber(completed_at) ? completed_at : stamp;
  return {
    id,
    content: text,
    status: isAbandoned ? "pending" : known,
    active_form: form === "" ? undefined : form,
    blockedBy: blockers ?? onlyIds(blockedBy),
    completed_at: known === "completed" ? completedAt : undefined,
    created_at: isNumber(created_at) ? created_at : stamp,
    updated_at: stamp,
    unknownFields: hasUnknownFields && isKept ? unknownFields : undefined,
  };
}

const NO_BLOCKERS: readonly string[] = [];

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** Whether a call can name it: calls are trimmed. */
function isId(value: unknown): value is string {
  return isText(value) && value === value.trim();
}

/** The blockers without repetitions, or `undefined` when the value is not a list of ids. */
function readBlockers(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || !value.every(isId)) return undefined;
  return value.length > 1 ? [...new Set(value)] : value;
}

function onlyIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.filter(isId))] : NO_BLOCKERS;
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
