/**
 * The sessions in a directory.
 *
 * @module
 */

import { join } from "@std/path/join";
import { TasksError } from "../model/errors.ts";
import { reasonOf } from "../model/text.ts";
import {
  readableDir,
  type SessionDirOptions,
} from "../location/session_dir.ts";
import { sessionIdOf } from "../location/sidecar_path.ts";

/** A session that has a sidecar. */
export interface SessionFile {
  /** The session's id. */
  readonly sessionId: string;
  /** The absolute path of the sidecar. */
  readonly path: string;
  /** When the sidecar was last written, in unix milliseconds; 0 where the system does not say. */
  readonly modifiedAt: number;
}

/**
 * The sessions that have a sidecar in the directory, the last written first. A
 * directory that does not exist has none. Nothing is opened or changed.
 *
 * @throws {TasksError} `invalid_arguments` when the directory is malformed;
 * `open_failed` when it is not known or cannot be read.
 *
 * @example Find the session that was last worked on
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { listSessions } from "@kin/tasks-dag/sidecar";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * {
 *   await using session = await openSession({ sessionId: "demo", sessionDir });
 *   await session.tasks({ action: "add", content: "Seed fixtures" });
 * }
 * const [latest] = await listSessions({ sessionDir });
 * assertEquals(latest?.sessionId, "demo");
 * await Deno.remove(sessionDir, { recursive: true });
 * ```
 */
export async function listSessions(
  options: SessionDirOptions = {},
): Promise<readonly SessionFile[]> {
  const sessionDir = readableDir(options);
  const sessions: SessionFile[] = [];
  try {
    for await (const { name } of Deno.readDir(sessionDir)) {
      const sessionId = sessionIdOf(name);
      if (sessionId === undefined) continue;
      const path = join(sessionDir, name);
      const info = await lookAt(path);
      if (!info?.isFile) continue;
      sessions.push({
        sessionId,
        path,
        modifiedAt: info.mtime?.getTime() ?? 0,
      });
    }
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new TasksError(
      "open_failed",
      `The session directory ${sessionDir} cannot be read: ${reasonOf(error)}.`,
    );
  }
  return sessions.sort((a, b) =>
    b.modifiedAt - a.modifiedAt || (a.sessionId < b.sessionId ? -1 : 1)
  );
}

/** What is at the path, or `undefined` when it is gone or leads nowhere. */
async function lookAt(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.stat(path);
  } catch {
    return undefined;
  }
}
