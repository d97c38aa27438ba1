/**
 * Where sidecars are, and whose they are.
 *
 * @module
 */

import { join } from "@std/path/join";
import { checkSessionId } from "./session_id.ts";

const SUFFIX = ".tasks.json";

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
