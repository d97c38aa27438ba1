/**
 * How long a task may be in progress without a heartbeat.
 *
 * @module
 */

import { invalidArguments } from "./errors.ts";

const STALE_AFTER_MS = 300_000;

/**
 * The grace for tasks in progress, the default one unless it is given.
 *
 * @throws {TasksError} `invalid_arguments` when it is malformed.
 */
export function resolveStaleAfterMs(staleAfterMs: unknown): number {
  if (staleAfterMs === undefined) return STALE_AFTER_MS;
  if (typeof staleAfterMs === "number" && staleAfterMs >= 0) {
    return staleAfterMs;
  }
  throw invalidArguments(
    '"staleAfterMs" must be a number of milliseconds, 0 or more.',
  );
}
