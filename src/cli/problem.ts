/**
 * Why there is nothing to see in a file, in words.
 *
 * @module
 */

import type { SidecarReading } from "../sidecar/mod.ts";

/** Why the file shows no tasks. */
export function problemWith(
  reading: Exclude<SidecarReading, { kind: "sidecar" }>,
): string {
  switch (reading.kind) {
    case "missing":
      return `${reading.path} does not exist yet.`;
    case "corrupt":
      return `${reading.path} cannot be used, because ${reading.reason}.`;
    case "refused":
      return reading.error.message;
  }
}
