/**
 * What a session is opened with: the options, their defaults, and the checks
 * that come before anything is touched.
 *
 * @module
 */

import { fromFileUrl } from "@std/path/from-file-url";
import {
  requirePermissions,
  resolveSessionDir,
} from "../location/session_dir.ts";
import { checkSessionId } from "../location/session_id.ts";
import { invalidArguments } from "../model/errors.ts";
import { resolveStaleAfterMs } from "../model/stale_after.ts";
import type { Durability } from "../protocol.ts";

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
    throw invalidArguments('"durability" must be "process" or "power".');
  }
  if (typeof watchFile !== "boolean") {
    throw invalidArguments('"watchFile" must be true or false.');
  }
  const staleAfterMs = resolveStaleAfterMs(options.staleAfterMs);
  if (!isAmong(requestTimeoutMs, 1, MAX_TIMER_MS)) {
    throw invalidArguments(
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

function toUrl(url: string | URL): URL {
  if (url instanceof URL) return url;
  if (typeof url === "string" && URL.canParse(url)) return new URL(url);
  throw invalidArguments('"workerUrl" must be an absolute URL.');
}

function isAmong(
  value: unknown,
  least: number,
  greatest: number,
): value is number {
  return typeof value === "number" && value >= least && value <= greatest;
}
