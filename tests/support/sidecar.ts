import type { Snapshot, Task } from "../../src/model/task.ts";

/** A row of a sidecar, as far as these tests look at it. */
export interface StoredRow {
  readonly id: string;
  readonly content: string;
  readonly status: string;
  readonly blockedBy?: readonly string[];
  readonly completed_at?: number;
  readonly created_at?: number;
  readonly updated_at?: number;
}

/** A sidecar, as far as these tests look at it. */
export interface Sidecar {
  readonly version: number;
  readonly session_id: string;
  readonly revision: number;
  readonly tasks: readonly StoredRow[];
}

/** The row of a pending task. */
export function row(
  id: string,
  fields: Partial<StoredRow> = {},
): StoredRow {
  return {
    id,
    content: `Task ${id}`,
    status: "pending",
    created_at: 1_000,
    updated_at: 1_000,
    ...fields,
  };
}

/** The text of a sidecar of session `s`. */
export function sidecarText(
  revision: number,
  tasks: readonly StoredRow[] = [],
): string {
  return JSON.stringify({ version: 1, session_id: "s", revision, tasks });
}

/** Reads a sidecar's text. */
export function parseSidecar(text: string): Sidecar {
  return JSON.parse(text);
}

/** The snapshot that a sidecar stands for: its rows without stamps, with `blocks`. */
export function snapshotOf({ tasks }: Sidecar): Snapshot {
  return {
    tasks: tasks.map(
      ({ created_at: _created, updated_at: _updated, ...fields }) => {
        const blocks = tasks.filter(({ blockedBy }) =>
          blockedBy?.includes(fields.id)
        ).map(({ id }) => id);
        return { ...fields, ...(blocks.length > 0 && { blocks }) } as Task;
      },
    ),
  };
}
