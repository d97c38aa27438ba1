import { assertEquals } from "@std/assert";
import {
  renderAgentPanel,
  renderPinnedPanel,
  renderTaskModal,
} from "@kin/tasks-dag/ui";
import { idOf, snapshotOf, task } from "./graphs.ts";

const SIZE = { columns: 120, rows: 40 };
const STATUSES = ["completed", "in_progress", "pending", "pending"] as const;
const OPTIONS = { color: true };
const last = idOf(999);

const mixed = snapshotOf(
  Array.from(
    { length: 1000 },
    (_, i) =>
      task(
        i,
        STATUSES[i % 4]!,
        `Migrate table ${i}, and check every row of it`,
        {
          blockedBy: i === 0 ? [] : [i - 1],
        },
      ),
  ),
);
const chain = snapshotOf(
  Array.from(
    { length: 1000 },
    (_, i) =>
      task(i, "pending", `Migrate table ${i}: 移行して全ての行を確認する`, {
        blockedBy: i === 0 ? [] : [i - 1],
      }),
  ),
);
const thawed = { tasks: [...chain.tasks] };

assertEquals(renderPinnedPanel(mixed, SIZE).length, SIZE.rows);
assertEquals(renderAgentPanel(mixed, {}, SIZE).length, SIZE.rows);
assertEquals(renderTaskModal(chain, { taskId: last }, SIZE).length, SIZE.rows);

Deno.bench("pinned panel, 1 000 tasks", () => {
  renderPinnedPanel(mixed, SIZE, OPTIONS);
});
Deno.bench("agent panel, 1 000 tasks", () => {
  renderAgentPanel(mixed, { selectedId: last }, SIZE, OPTIONS);
});
Deno.bench("agent panel, 1 000 tasks, wide characters", () => {
  renderAgentPanel(chain, { selectedId: last }, SIZE, OPTIONS);
});
Deno.bench("agent panel, 1 000 tasks, not frozen", () => {
  renderAgentPanel(thawed, { selectedId: last }, SIZE, OPTIONS);
});
Deno.bench("task modal, the end of a chain of 1 000 blockers", () => {
  renderTaskModal(chain, { taskId: last }, SIZE, OPTIONS);
});
