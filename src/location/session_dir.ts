/**
 * The directory that sessions are kept in, and the permission to use it.
 *
 * @module
 */

import { fromFileUrl } from "@std/path/from-file-url";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import { invalidArguments, TasksError } from "../model/errors.ts";
import { printable } from "../model/text.ts";

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

/**
 * The absolute path of the session directory, the default one unless it is given.
 *
 * @throws {TasksError} `invalid_arguments` when it is malformed; `open_failed`
 * when there is no default.
 */
export function resolveSessionDir(
  sessionDir: string | URL | undefined,
): string {
  return resolve(
    sessionDir === undefined ? defaultSessionDir() : toPath(sessionDir),
  );
}

function toPath(directory: string | URL): string {
  if (typeof directory === "string" && directory !== "") return directory;
  if (directory instanceof URL && directory.protocol === "file:") {
    return fromFileUrl(directory);
  }
  throw invalidArguments('"sessionDir" must be a path or a file: URL.');
}

function defaultSessionDir(): string {
  const configured = readVariable("KIN_SESSION_DIR");
  if (configured) return configured;
  const home = readVariable("HOME") || readVariable("USERPROFILE");
  if (home) return join(home, ".kin", "sessions");
  throw new TasksError(
    "open_failed",
    'There is no directory for the session. Give "sessionDir", on a command line --dir, ' +
      "or set KIN_SESSION_DIR or HOME and run with --allow-env=KIN_SESSION_DIR,HOME,USERPROFILE.",
  );
}

/** The variable's value, or `undefined` when it is not set or may not be read. */
function readVariable(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}

/** Refuses early what would otherwise stop and ask the person; names all that is missing. */
export function requirePermissions(
  names: readonly ("read" | "write")[],
  path: string,
  what: string,
): void {
  const missing = names.filter((name) =>
    Deno.permissions.querySync({ name, path }).state !== "granted"
  );
  if (missing.length === 0) return;
  const flags = missing.map((name) =>
    `--allow-${name}=${printable(path, 300)}`
  );
  throw new TasksError(
    "open_failed",
    `Nothing was changed, since the process may not ${missing.join(" or ")} ` +
      `${what}. Run with ${flags.join(" ")}.`,
  );
}
