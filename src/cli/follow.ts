/**
 * Follows a session's file without opening the session.
 *
 * @module
 */

import { readSidecar, type SidecarReading } from "../sidecar/mod.ts";
import { FileWatch } from "./file_watch.ts";
import type { SessionChoice } from "./session_choice.ts";

/**
 * Reads the session's file, and again whenever it has changed. Changes that
 * come while one is being dealt with are skipped for the newest.
 *
 * @throws {TasksError} As `readSidecar` does.
 */
export async function* followSession(
  choice: SessionChoice,
  signal?: AbortSignal,
): AsyncGenerator<SidecarReading, void> {
  let changed = Promise.withResolvers<void>();
  const { path } = await readSidecar(choice);
  using _watch = new FileWatch(path, () => changed.resolve());
  signal?.addEventListener("abort", () => changed.resolve());
  let shown: string | undefined;
  while (!signal?.aborted) {
    // Before the reading, so that a change during it is not missed.
    changed = Promise.withResolvers();
    const reading = await readSidecar({ ...choice, staleAfterMs: Infinity });
    const text = JSON.stringify(reading);
    if (text !== shown) {
      shown = text;
      yield reading;
    }
    if (!signal?.aborted) await changed.promise;
  }
}
