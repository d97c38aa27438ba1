/**
 * The snapshots that the views are tested with.
 *
 * @module
 */

import type { Snapshot, Task, TaskStatus } from "../../src/model/task.ts";

/** The id of the task with this number, in the shape that the store mints. */
export function idOf(number: number): string {
  return `t_${1720600000000 + number}_${
    (0xa000 + number).toString(16).padStart(4, "0")
  }`;
}

/** A task with a number; `blockedBy` holds numbers too. */
export function task(
  number: number,
  status: TaskStatus,
  content: string,
  more: { blockedBy?: readonly number[]; active_form?: string } = {},
): Task {
  return {
    id: idOf(number),
    content,
    status,
    ...(more.active_form === undefined
      ? {}
      : { active_form: more.active_form }),
    ...(more.blockedBy === undefined
      ? {}
      : { blockedBy: more.blockedBy.map(idOf) }),
    ...(status === "completed" ? { completed_at: 1720600000000 } : {}),
  };
}

/** A snapshot of these tasks, with `blocks` derived, frozen like a session's. */
export function snapshotOf(tasks: readonly Task[]): Snapshot {
  const rows = tasks.map((task) => {
    const blocks = tasks.filter((other) => other.blockedBy?.includes(task.id))
      .map((other) => other.id);
    return Object.freeze(blocks.length === 0 ? task : { ...task, blocks });
  });
  return Object.freeze({ tasks: Object.freeze(rows) });
}

function many(count: number): Task[] {
  const statuses = ["completed", "in_progress", "pending", "pending"] as const;
  return Array.from(
    { length: count },
    (_, i) =>
      task(i + 1, statuses[i % 4]!, `Migrate table ${i + 1} of ${count}`, {
        blockedBy: i % 4 === 3 ? [i] : [],
      }),
  );
}

/** The graphs of the golden frames: what is in them, and which task the modal shows. */
export const GRAPHS: Readonly<
  Record<string, { snapshot: Snapshot; selected: number }>
> = {
  empty: { snapshot: snapshotOf([]), selected: 1 },
  one_in_progress: {
    snapshot: snapshotOf([
      task(1, "in_progress", "Provision the dev DB", {
        active_form: "Provisioning the dev DB",
      }),
    ]),
    selected: 1,
  },
  three_in_progress_nine_pending: {
    snapshot: snapshotOf([
      task(1, "completed", "Read the old schema"),
      task(2, "in_progress", "Provision the dev DB", {
        blockedBy: [1],
        active_form: "Provisioning the dev DB",
      }),
      task(3, "pending", "Seed fixtures", { blockedBy: [2] }),
      task(4, "in_progress", "Write the migration"),
      task(5, "pending", "Smoke test", { blockedBy: [3, 4] }),
      task(6, "pending", "Translate the release notes: 発表を翻訳する"),
      task(7, "in_progress", "Measure cold starts", {
        active_form: "Measuring cold starts",
      }),
      task(
        8,
        "pending",
        "Tell everybody who wrote to us about the outage that it will not " +
          "happen again, and why\nFamilies first 👨‍👩‍👧‍👦",
        { blockedBy: [5, 1] },
      ),
      task(9, "pending", "Tag the release", { blockedBy: [5, 8] }),
      task(10, "pending", "Update the status page"),
      task(11, "pending", "Rotate the keys"),
      task(12, "pending", "Archive the logs"),
      task(13, "pending", "Plan the next release"),
    ]),
    selected: 9,
  },
  all_done: {
    snapshot: snapshotOf([
      task(1, "completed", "Provision the dev DB"),
      task(2, "completed", "Seed fixtures", { blockedBy: [1] }),
    ]),
    selected: 2,
  },
  deleted_rows: {
    snapshot: snapshotOf([
      task(1, "deleted", "Buy a bigger machine"),
      task(2, "pending", "Make it faster", { blockedBy: [1] }),
      task(3, "deleted", "Rewrite it", { blockedBy: [2] }),
    ]),
    selected: 2,
  },
  five_hundred: { snapshot: snapshotOf(many(500)), selected: 300 },
  damaged_loop: {
    snapshot: snapshotOf([
      task(1, "pending", "Chicken", { blockedBy: [2] }),
      task(2, "pending", "Egg", { blockedBy: [3] }),
      task(3, "in_progress", "Nest", { blockedBy: [1, 99] }),
      task(4, "pending", "Ourselves", { blockedBy: [4] }),
    ]),
    selected: 1,
  },
};
