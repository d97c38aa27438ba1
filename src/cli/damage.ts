/**
 * Which findings of a sidecar are damage.
 *
 * @module
 */

import type { SessionWarning } from "../../mod.ts";

/**
 * Whether somebody should mend the file. Tasks that a dead run left in progress,
 * and a copy of another session's file, are dealt with by opening the session.
 */
export function isDamage({ code }: SessionWarning): boolean {
  return code !== "stale_reset" && code !== "other_session";
}
