/**
 * Where sidecars are, and whose they are.
 *
 * @module
 */

import { join } from "@std/path/join";
import { requirePermissions, resolveSessionDir } from "../host/options.ts";
import { checkSessionId } from "./session_id.ts";

const SUFFIX = ".tasks.json";

/** Where sessions are kept. */
export interface SessionDirOptions {
  /**
   * The directory of the sidecars. By default `KIN_SESSION_DIR` where it is
   * set, else `.kin/sessions` in the home directory.
   */
  readonly sessionDir?: string | URL | undefined;
}

/**
 * The absolute path of a directory that may be read.
 *
 * @throws {TasksError} `invalid_arguments` when it is malformed; `open_failed`
 * when there is no default, or the permission to read it is missing.
 */
export function readableDir({ sessionDir }: SessionDirOptions): string {
  const path = resolveSessionDir(sessionDir);
  requirePermissions(["read"], path, "the session directory");
  return path;
}

/** The path of a session's sidecar. */
export function sidecarPath(sessionDir: string, sessionId: string): string {
  return join(sessionDir, `${sessionId}${SUFFIX}`);
}

/** The session whose sidecar has this name, or `undefined` when it is none. */
export function sessionIdOf(fileName: string): string | undefined {
  if (!fileName.endsWith(SUFFIX)) return undefined;
  try {
    return checkSessionId(fileName.slice(0, -SUFFIX.length));
  } catch {
    return undefined;
  }
}
