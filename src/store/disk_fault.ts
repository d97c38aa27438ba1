/**
 * What went wrong on the disk, in words that say what to do.
 *
 * @module
 */

import { TasksError } from "../model/errors.ts";
import { printable, reasonOf } from "../model/text.ts";

const FAILURES = {
  persist_failed: "The sidecar could not be saved, so nothing was changed",
  open_failed: "The session could not be opened, and nothing was changed",
};

/** The error for what was thrown while the file at `path` was read or written. */
export function toTasksError(
  thrown: unknown,
  code: keyof typeof FAILURES,
  path: string,
): TasksError {
  return thrown instanceof TasksError ? thrown : new TasksError(
    code,
    `${FAILURES[code]}. ${explainDiskFault(thrown, path)}.`,
  );
}

/** Explains what was thrown while `path` was read or written. */
export function explainDiskFault(thrown: unknown, path: string): string {
  const where = printable(path, 300);
  const advice = adviceFor(thrown);
  return advice === undefined
    ? `${where}: ${reasonOf(thrown)}`
    : `${where}: ${advice} (${reasonOf(thrown)})`;
}

function adviceFor(thrown: unknown): string | undefined {
  if (thrown instanceof Deno.errors.NotCapable) {
    return "the process may not use it; run with --allow-read and --allow-write for its directory";
  }
  if (thrown instanceof Deno.errors.NotADirectory) return NOT_A_DIRECTORY;
  const code = thrown instanceof Error && "code" in thrown
    ? thrown.code
    : undefined;
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full; free some space";
    case "EROFS":
      return "the volume is read-only; choose another session directory";
    case "EACCES":
    case "EPERM":
      return "the user may not write it; change its owner or permissions";
    case "EISDIR":
    case "ENOTEMPTY":
      return "a directory is in the way; remove it";
    case "ENOTDIR":
      return NOT_A_DIRECTORY;
    case "ENOENT":
      return "its directory is gone; create it again";
    case "ENAMETOOLONG":
      return "the name is too long for the file system; choose a shorter session id or directory";
    case "EXDEV":
      return "it is on another file system than its temp file; do not mount a single file";
    case "EBUSY":
      return "another program holds it; close that program";
    default:
      return undefined;
  }
}

const NOT_A_DIRECTORY =
  "a file stands where the directory should be; remove it";
