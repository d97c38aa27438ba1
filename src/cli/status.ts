/**
 * A status as a person types it.
 *
 * @module
 */

import type { TaskStatus } from "../../mod.ts";
import { STATUSES } from "../model/vocabulary.ts";
import { type Input, UsageError } from "./command.ts";

/** The statuses as the help names them. */
export const STATUS_NAMES: string = STATUSES.join(", ");

/**
 * The status that was given, if any; hyphens do for underscores.
 *
 * @throws {UsageError} When it is none.
 */
export function statusOf(input: Input): TaskStatus | undefined {
  const given = input.text("status");
  if (given === undefined) return undefined;
  const word = given.trim().toLowerCase().replaceAll("-", "_");
  const status = STATUSES.find((status) => status === word);
  if (status !== undefined) return status;
  throw new UsageError(
    `"${given}" is no status. Take one of ${STATUS_NAMES}.`,
  );
}
