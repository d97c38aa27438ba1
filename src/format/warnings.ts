/**
 * What loading a sidecar found, gathered into a few warnings.
 *
 * @module
 */

import { printable, quoteAll } from "../model/text.ts";
import type { SessionWarning, WarningCode } from "../model/task.ts";

const EXPLANATIONS: Readonly<Record<WarningCode, string>> = {
  stale_reset: "Tasks that a dead run had left in_progress are pending again",
  moved_aside: "The file was no sidecar and was moved aside",
  rows_dropped:
    "Rows that are no tasks, or repeat an id, were left out; a copy of the file was kept",
  rows_repaired:
    "Fields that cannot be used were replaced or left out; a copy of the file was kept",
  missing_blockers:
    "Tasks are blocked by ids that no task has; update their blockedBy to free them",
  loops:
    "Tasks wait for each other in a circle; update their blockedBy to free them",
  other_session:
    "The file was written by another session and is continued under this one's id",
};

const MAX_NAMES = 20;

/** Gathers findings into one warning per code. */
export class Warnings {
  readonly #found = new Map<WarningCode, { count: number; names: string[] }>();

  /** Adds a finding, and what it was found on: a task's id, where it has one. */
  add(code: WarningCode, name?: string): void {
    const entry = this.#found.get(code) ?? { count: 0, names: [] };
    this.#found.set(code, entry);
    entry.count++;
    if (name !== undefined && entry.names.length < MAX_NAMES) {
      entry.names.push(name);
    }
  }

  /** Whether there is a finding of this code. */
  has(code: WarningCode): boolean {
    return this.#found.has(code);
  }

  /** The warnings, in the order in which their codes were first found. */
  toArray(): SessionWarning[] {
    return Array.from(this.#found, ([code, { count, names }]) => {
      const named = names.length > 0 ? `: ${quoteAll(names)}` : "";
      const message = `${EXPLANATIONS[code]} (${count})${named}.`;
      const isAboutTasks = code !== "other_session";
      const taskIds = isAboutTasks ? names.map((id) => printable(id)) : [];
      return { code, message, taskIds };
    });
  }
}
