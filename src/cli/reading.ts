/**
 * What a reading of a session's file amounts to.
 *
 * @module
 */

import { TasksError } from "../../mod.ts";
import type { SidecarReading, SoundSidecar } from "../sidecar/mod.ts";

/**
 * Whether nobody needs to mend the file. Tasks that a dead run left in progress,
 * and a copy of another session's file, are dealt with by opening the session.
 */
export function isSound(reading: SidecarReading): boolean {
  return reading.kind === "sidecar" &&
    reading.warnings.every(({ code }) =>
      code === "stale_reset" || code === "other_session"
    );
}

/** Why the file shows no tasks. */
export function problemWith(
  reading: Exclude<SidecarReading, SoundSidecar>,
): string {
  const { path } = reading;
  switch (reading.kind) {
    case "missing":
      return `${path} does not exist.`;
    case "corrupt":
      return `${path} cannot be used, because ${reading.reason}.`;
    case "refused":
      return `${path} cannot be used. ${reading.error.message}`;
  }
}

/**
 * The reading of a file that can be used.
 *
 * @throws {TasksError} When it is another.
 */
export function requireSidecar(
  reading: SidecarReading,
  sessionId: string,
): SoundSidecar {
  switch (reading.kind) {
    case "sidecar":
      return reading;
    case "missing":
      throw new TasksError(
        "open_failed",
        `There is no session ${sessionId}: ${problemWith(reading)} ` +
          "Run tasks sessions to see which there are.",
      );
    case "corrupt":
      throw new TasksError(
        "open_failed",
        `${problemWith(reading)} ` +
          "Nothing was changed. Mend the file or move it away.",
      );
    case "refused": {
      const { code, taskIds } = reading.error;
      throw new TasksError(code, problemWith(reading), taskIds);
    }
  }
}
