import { assertEquals } from "@std/assert";
import {
  renderAgentPanel,
  renderPinnedPanel,
  renderTaskModal,
} from "@kin/tasks-dag/ui";
import { blockedTasks } from "../../src/graph/graph.ts";
import type { TaskStatus } from "../../src/model/task.ts";
import { idOf, snapshotOf, task } from "./graphs.ts";

const SIZE = { columns: 80, rows: 24 };
const BLOCKERS: readonly [status: TaskStatus, blocks: boolean][] = [
  ["pending", true],
  ["in_progress", true],
  ["completed", false],
  ["deleted", false],
];

for (const [status, blocks] of BLOCKERS) {
  for (const own of ["pending", "in_progress"] as const) {
    Deno.test(`every view agrees on a ${own} task whose blocker is ${status}`, () => {
      const blocker = task(1, status, "Before");
      const tasks = [blocker, task(2, own, "After", { blockedBy: [1] })];
      const snapshot = snapshotOf(tasks);
      const view = { taskId: idOf(2) };
      const tagged = (lines: readonly string[]) =>
        lines.some((line) => line.includes("After (blocked)"));
      assertEquals(blockedTasks(snapshot).length, blocks ? 1 : 0);
      assertEquals(tagged(renderPinnedPanel(snapshot, SIZE)), blocks);
      assertEquals(tagged(renderAgentPanel(snapshot, {}, SIZE)), blocks);
      assertEquals(
        renderTaskModal(snapshot, view, SIZE).join().includes("waits for"),
        blocks,
      );
      const dependents = renderTaskModal(snapshot, { taskId: idOf(1) }, SIZE);
      assertEquals(tagged(dependents), blocks);
    });
  }
}
