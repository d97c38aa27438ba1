/**
 * A session as its sidecar has it.
 *
 * @module
 */

import { toTask } from "../format/encode.ts";
import type { Graph } from "../graph/graph.ts";
import { decode } from "../format/decode.ts";
import { type ErrorData, TasksError, toErrorData } from "../model/errors.ts";
import { reasonOf } from "../model/text.ts";
import { resolveStaleAfterMs } from "../model/stale_after.ts";
import { checkSessionId } from "../location/session_id.ts";
import type { SessionWarning, Snapshot, Task } from "../model/task.ts";
import {
  readableDir,
  type SessionDirOptions,
} from "../location/session_dir.ts";
import { sidecarPath } from "../location/sidecar_path.ts";

/** How {@linkcode readSidecar} reads. */
export interface ReadSidecarOptions extends SessionDirOptions {
  /** The session's id. */
  readonly sessionId: string;
  /**
   * How old the last sign of life of an `in_progress` task may be, in
   * milliseconds, before it is told as `pending`, as opening the session would
   * make it. With `Infinity` every task is told as the file has it.
   *
   * @default {300_000}
   */
  readonly staleAfterMs?: number | undefined;
}

/** There is no file: opening the session would start with no tasks. */
export interface MissingSidecar {
  /** The discriminant. */
  readonly kind: "missing";
  /** Where the file would be. */
  readonly path: string;
}

/** The file is no sidecar: opening the session would move it aside, and start with no tasks. */
export interface CorruptSidecar {
  /** The discriminant. */
  readonly kind: "corrupt";
  /** The absolute path of the file. */
  readonly path: string;
  /** What is wrong with it, such as `it is not JSON in UTF-8`. */
  readonly reason: string;
}

/** Opening the session would be refused, and the file left untouched. */
export interface RefusedSidecar {
  /** The discriminant. */
  readonly kind: "refused";
  /** The absolute path of the file. */
  readonly path: string;
  /**
   * Why: `sidecar_newer` when a newer version of this package wrote the file,
   * `open_failed` when it cannot be read or belongs to another session.
   */
  readonly error: ErrorData;
}

/** The file can be used, if need be with repairs. */
export interface SoundSidecar {
  /** The discriminant. */
  readonly kind: "sidecar";
  /** The absolute path of the file. */
  readonly path: string;
  /** The revision of the file; it rises with every change. */
  readonly revision: number;
  /** The whole graph, deeply frozen. */
  readonly snapshot: Snapshot;
  /** What opening the session would find and deal with, in the words it would use. */
  readonly warnings: readonly SessionWarning[];
}

/** What a sidecar turned out to be. */
export type SidecarReading =
  | MissingSidecar
  | CorruptSidecar
  | RefusedSidecar
  | SoundSidecar;

/**
 * Reads a session's sidecar and tells what opening the session would find.
 * Nothing is opened, written, moved or reset, whatever state the file is in. A
 * change that an agent makes meanwhile is seen as a whole or not at all.
 *
 * @throws {TasksError} `invalid_arguments` when an option is malformed;
 * `open_failed` when the directory is not known or may not be read. What is
 * wrong with the file itself is told by the result.
 *
 * @example Look at a session that an agent has open
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { readSidecar } from "@kin/tasks-dag/sidecar";
 * import { assert, assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * {
 *   await using session = await openSession({ sessionId: "demo", sessionDir });
 *   await session.tasks({ action: "add", content: "Seed fixtures" });
 *
 *   const reading = await readSidecar({
 *     sessionId: "demo",
 *     sessionDir,
 *     staleAfterMs: Infinity, // what is in progress is shown as that
 *   });
 *   assert(reading.kind === "sidecar");
 *   assertEquals(reading.revision, 1);
 *   assertEquals(reading.snapshot, session.snapshot);
 * }
 * await Deno.remove(sessionDir, { recursive: true });
 * ```
 */
export async function readSidecar(
  options: ReadSidecarOptions,
): Promise<SidecarReading> {
  const sessionId = checkSessionId(options.sessionId);
  const staleAfterMs = resolveStaleAfterMs(options.staleAfterMs);
  const path = sidecarPath(readableDir(options), sessionId);
  try {
    const bytes = await readFile(path);
    if (bytes === undefined) return { kind: "missing", path };
    const decoded = decode(bytes, {
      sessionId,
      now: Date.now(),
      staleAfterMs,
    });
    if (decoded.kind === "corrupt") return { ...decoded, path };
    const { document: { revision, graph }, warnings } = decoded;
    const snapshot = snapshotOf(graph);
    return { kind: "sidecar", path, revision, snapshot, warnings };
  } catch (error) {
    return { kind: "refused", path, error: toErrorData(asTasksError(error)) };
  }
}

/** The bytes of the file, or `undefined` when there is none. */
async function readFile(path: string): Promise<Uint8Array | undefined> {
  try {
    const { isFile } = await Deno.stat(path);
    // To read a pipe or a device might never end.
    if (!isFile) throw new Error("it is not a file");
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function snapshotOf(graph: Graph): Snapshot {
  const tasks = graph.tasks.map((_, i) => frozen(toTask(graph, i)));
  return Object.freeze({ tasks: Object.freeze(tasks) });
}

function frozen(task: Task): Task {
  Object.freeze(task.blockedBy);
  Object.freeze(task.blocks);
  return Object.freeze(task);
}

function asTasksError(error: unknown): TasksError {
  if (error instanceof TasksError) return error;
  return new TasksError(
    "open_failed",
    `The sidecar cannot be read: ${reasonOf(error)}.`,
  );
}
