/**
 * What a session is opened with: the options, their defaults, and the checks
 * that come before anything is touched.
 *
 * @module
 */

import { fromFileUrl } from "@std/path/from-file-url";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import { printable, TasksError } from "../model/errors.ts";
import type { Durability } from "../protocol.ts";
import { checkSessionId } from "../location/session_id.ts";

/** Options for {@linkcode openSession}. */
export interface SessionOptions {
  /**
   * The session's name and the stem of its sidecar: 1 to 100 characters out of
   * `A-Z a-z 0-9 . _ -`, without a dot at either end, and not a Windows device.
   */
  readonly sessionId: string;
  /**
   * The directory of the sidecar, created when it is missing. By default
   * `KIN_SESSION_DIR` where it is set, else `.kin/sessions` in the home directory.
   */
  readonly sessionDir?: string | URL | undefined;
  /**
   * How old the last sign of life of an `in_progress` task may be, in
   * milliseconds, before opening the session makes it `pending` again.
   *
   * @default {300_000}
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * What a change that was answered survives: the death of the `process`, or a
   * loss of `power` too, which costs a sync of file and directory per change.
   *
   * @default {"process"}
   */
  readonly durability?: Durability | undefined;
  /**
   * How long the worker may leave calls waiting without giving any answer, in
   * milliseconds, before they are rejected with `timeout`. It also bounds opening
   * and closing.
   *
   * @default {30_000}
   */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Whether to tell of changes that other hosts of the same session make, with a
   * `tasks_changed` event, without waiting for a call of this one. Where the
   * system cannot watch the directory, they are found by this host's next change.
   *
   * @default {false}
   */
  readonly watchFile?: boolean | undefined;
  /**
   * Where the worker's module is, for bundlers that move it.
   *
   * @default {new URL("../../worker.ts", import.meta.url)}
   */
  readonly workerUrl?: string | URL | undefined;
  /** Aborts opening. */
  readonly signal?: AbortSignal | undefined;
}

/** The options with every default filled in and every value checked. */
export interface ResolvedOptions {
  readonly sessionId: string;
  /** An absolute path. */
  readonly sessionDir: string;
  readonly staleAfterMs: number;
  readonly durability: Durability;
  readonly requestTimeoutMs: number;
  readonly watchFile: boolean;
  readonly workerUrl: URL | undefined;
}

/** What a worker loads, which takes a permission where it is local. */
const OWN_MODULES = [
  new URL("../../worker.ts", import.meta.url),
  new URL("..", import.meta.url),
];

const MAX_TIMER_MS = 2 ** 31 - 1;
const STALE_AFTER_MS = 300_000;

/**
 * Checks the options and fills in the defaults. Asks for no permission.
 *
 * @throws {TasksError} `invalid_arguments` when an option is malformed;
 * `open_failed` when the directory is not known or may not be used.
 */
export function resolveOptions(options: SessionOptions): ResolvedOptions {
  const sessionId = checkSessionId(options.sessionId);
  const {
    durability = "process",
    requestTimeoutMs = 30_000,
    watchFile = false,
  } = options;
  if (durability !== "process" && durability !== "power") {
    throw invalid('"durability" must be "process" or "power".');
  }
  if (typeof watchFile !== "boolean") {
    throw invalid('"watchFile" must be true or false.');
  }
  const staleAfterMs = resolveStaleAfterMs(options.staleAfterMs);
  if (!isAmong(requestTimeoutMs, 1, MAX_TIMER_MS)) {
    throw invalid(
      `"requestTimeoutMs" must be a number of milliseconds from 1 to ${MAX_TIMER_MS}.`,
    );
  }
  const sessionDir = resolveSessionDir(options.sessionDir);
  requirePermissions(["read", "write"], sessionDir, "the session directory");
  const workerUrl = options.workerUrl === undefined
    ? undefined
    : toUrl(options.workerUrl);
  for (const module of workerUrl === undefined ? OWN_MODULES : [workerUrl]) {
    if (module.protocol !== "file:") continue;
    requirePermissions(["read"], fromFileUrl(module), "the worker's module");
  }
  return {
    sessionId,
    sessionDir,
    staleAfterMs,
    durability,
    requestTimeoutMs,
    watchFile,
    workerUrl,
  };
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

/**
 * The grace for tasks in progress, the default one unless it is given.
 *
 * @throws {TasksError} `invalid_arguments` when it is malformed.
 */
export function resolveStaleAfterMs(staleAfterMs: unknown): number {
  if (staleAfterMs === undefined) return STALE_AFTER_MS;
  if (isAmong(staleAfterMs, 0, Infinity)) return staleAfterMs;
  throw invalid('"staleAfterMs" must be a number of milliseconds, 0 or more.');
}

function invalid(message: string): TasksError {
  return new TasksError("invalid_arguments", message);
}

function toPath(directory: string | URL): string {
  if (typeof directory === "string" && directory !== "") return directory;
  if (directory instanceof URL && directory.protocol === "file:") {
    return fromFileUrl(directory);
  }
  throw invalid('"sessionDir" must be a path or a file: URL.');
}

function toUrl(url: string | URL): URL {
  if (url instanceof URL) return url;
  if (typeof url === "string" && URL.canParse(url)) return new URL(url);
  throw invalid('"workerUrl" must be an absolute URL.');
}

function isAmong(
  value: unknown,
  least: number,
  greatest: number,
): value is number {
  return typeof value === "number" && value >= least && value <= greatest;
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
