import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  renderTaskModal,
  taskModalKey,
  type TaskModalView,
} from "@kin/tasks-dag/ui";
import { GRAPHS, idOf, snapshotOf, task } from "./graphs.ts";

const SIZE = { columns: 80, rows: 30 };

function modal(
  snapshot: Parameters<typeof renderTaskModal>[0],
  number: number,
): string {
  return renderTaskModal(snapshot, { taskId: idOf(number) }, SIZE).join("\n");
}

Deno.test("renderTaskModal() leads from a task to what it waits for in the end", () => {
  const chain = snapshotOf([
    task(1, "pending", "Root"),
    ...[2, 3, 4, 5].map((i) =>
      task(i, "pending", `Step ${i}`, { blockedBy: [i - 1] })
    ),
  ]);
  const text = modal(chain, 5);
  assertStringIncludes(text, "⊘ pending · waits for Root");
  const order = ["Step 5", "Step 4", "└ Step 3", "└ Step 2", "└ Root"];
  const places = order.map((part) => text.indexOf(part));
  assert(!places.includes(-1));
  assertEquals(places.toSorted((a, b) => a - b), places);
});

Deno.test("renderTaskModal() shows finished blockers without what was before them", () => {
  const text = modal(
    snapshotOf([
      task(1, "pending", "Long ago"),
      task(2, "completed", "Before", { blockedBy: [1] }),
      task(3, "deleted", "Never", { blockedBy: [1] }),
      task(4, "pending", "Now", { blockedBy: [2, 3] }),
    ]),
    4,
  );
  assertStringIncludes(text, "○ pending · ready to start");
  assertStringIncludes(text, "✓ completed   · Before");
  assertStringIncludes(text, "✗ deleted     · Never");
  assert(!text.includes("Long ago"));
});

Deno.test("renderTaskModal() lists dependents with their own status", () => {
  const text = modal(
    snapshotOf([
      task(1, "in_progress", "First", { active_form: "Doing the first" }),
      task(2, "pending", "Second", { blockedBy: [1] }),
      task(3, "deleted", "Third", { blockedBy: [1] }),
    ]),
    1,
  );
  assertStringIncludes(text, "◐ in_progress · Doing the first");
  assertStringIncludes(text, "Blocked by nothing");
  assertStringIncludes(text, "⊘ pending     · Second (blocked)");
  assertStringIncludes(text, "✗ deleted     · Third");
});

Deno.test("renderTaskModal() ends where blockers go in a circle", () => {
  const text = modal(GRAPHS.damaged_loop!.snapshot, 1);
  assertStringIncludes(text, "waits on a loop of blockers");
  assertStringIncludes(text, "Chicken (loop)");
  assertStringIncludes(text, "? missing");
  const itself = modal(GRAPHS.damaged_loop!.snapshot, 4);
  assertStringIncludes(itself, "Ourselves (loop)");
});

Deno.test("renderTaskModal() unfolds each blocker of a ladder of diamonds once", () => {
  const rungs = Array.from({ length: 40 }, (_, i) => {
    const blockedBy = i === 0 ? [] : [2 * i - 2, 2 * i - 1];
    return [
      task(2 * i, "pending", "L", { blockedBy }),
      task(2 * i + 1, "pending", "R", { blockedBy }),
    ];
  }).flat();
  const rows = { columns: 80, rows: 1000 };
  const view = { taskId: idOf(79) };
  const lines = renderTaskModal(snapshotOf(rungs), view, rows);
  assert(lines.length < 4 * 80);
});

Deno.test("renderTaskModal() says when a task was completed, and takes any stamp", () => {
  const completed = task(1, "completed", "A");
  assertStringIncludes(
    modal(snapshotOf([completed]), 1),
    "✓ completed · 2024-07-10 08:26 UTC",
  );
  for (const completed_at of [NaN, Infinity, -1e300, 8.64e15 + 1]) {
    const odd = { ...completed, completed_at };
    assertStringIncludes(modal(snapshotOf([odd]), 1), "unknown time");
  }
});

Deno.test("renderTaskModal() says that a task is not there", () => {
  assertStringIncludes(modal({ tasks: [] }, 1), "no task with this id");
});

Deno.test("renderTaskModal() wraps the content and keeps its lines", () => {
  const text = modal(
    snapshotOf([task(1, "pending", `${"word ".repeat(30)}\n- second`)]),
    1,
  );
  assertEquals(text.match(/word/g)?.length, 30);
  assertStringIncludes(text, "│ - second ");
});

Deno.test("taskModalKey() scrolls between the first line and the last", () => {
  const content = Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n");
  const snapshot = snapshotOf([task(1, "pending", content)]);
  const size = { columns: 40, rows: 12 };
  const start = { taskId: idOf(1) };
  const press = (view: TaskModalView, name: string) =>
    taskModalKey(view, { name }, snapshot, size);
  assertEquals(press(start, "down"), { ...start, top: 1 });
  assertEquals(press(start, "pagedown"), { ...start, top: 10 });
  assertEquals(press({ ...start, top: 5 }, "pageup"), { ...start, top: 0 });
  const end = press(start, "end")!;
  assertEquals(press({ taskId: idOf(1), top: 900 }, "down"), end);
  const lines = renderTaskModal(snapshot, end, size);
  assertEquals(lines.length, 12);
  assertStringIncludes(lines.at(-2)!, "Blocks nothing");
  assertEquals(press(end, "home")?.top, 0);
});

Deno.test("taskModalKey() closes on Escape and q, and ignores other keys", () => {
  const view = { taskId: idOf(1) };
  const press = (name: string) =>
    taskModalKey(view, { name }, { tasks: [] }, SIZE);
  assertEquals(press("escape"), undefined);
  assertEquals(press("q"), undefined);
  assertEquals(press("x"), view);
});
