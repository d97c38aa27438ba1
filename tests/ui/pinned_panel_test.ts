import { assertEquals, assertStringIncludes } from "@std/assert";
import { renderPinnedPanel } from "@kin/tasks-dag/ui";
import { GRAPHS, snapshotOf, task } from "./graphs.ts";

const SIZE = { columns: 60, rows: 20 };
const { snapshot } = GRAPHS.three_in_progress_nine_pending!;

Deno.test("renderPinnedPanel() hides itself when nothing is open", () => {
  const done = snapshotOf([
    task(1, "completed", "A"),
    task(2, "deleted", "B"),
  ]);
  assertEquals(renderPinnedPanel(done, SIZE), []);
  assertEquals(renderPinnedPanel({ tasks: [] }, SIZE), []);
  assertEquals(renderPinnedPanel(done, SIZE, { collapsed: true }), []);
  const reopened = snapshotOf([task(1, "pending", "A")]);
  assertEquals(renderPinnedPanel(reopened, SIZE).length, 2);
});

Deno.test("renderPinnedPanel() never shows completed and deleted tasks", () => {
  const lines = renderPinnedPanel(
    snapshotOf([
      task(1, "completed", "Apple"),
      task(2, "deleted", "Pear"),
      task(3, "pending", "Plum"),
    ]),
    SIZE,
  );
  assertEquals(lines, ["Tasks  1 done · 1 open", "○ Plum"]);
});

Deno.test("renderPinnedPanel() puts tasks in progress first, with their active form", () => {
  const lines = renderPinnedPanel(
    snapshotOf([
      task(1, "pending", "Plan"),
      task(2, "in_progress", "Build", { active_form: "Building" }),
      task(3, "in_progress", "Test", { active_form: "" }),
    ]),
    SIZE,
  );
  assertEquals(lines.slice(1), ["◐ Building", "◐ Test", "○ Plan"]);
});

Deno.test("renderPinnedPanel() counts the pending tasks after the fifth", () => {
  const pending = [1, 2, 3, 4, 5].map((i) => task(i, "pending", `Task ${i}`));
  assertEquals(renderPinnedPanel(snapshotOf(pending), SIZE).length, 6);
  const six = snapshotOf([...pending, task(6, "pending", "Task 6")]);
  assertEquals(renderPinnedPanel(six, SIZE).slice(5), [
    "○ Task 5",
    "  +1 more pending",
  ]);
});

Deno.test("renderPinnedPanel() fills fewer rows and counts the rest", () => {
  const draw = (rows: number) => renderPinnedPanel(snapshot, { ...SIZE, rows });
  assertEquals(draw(0), []);
  assertEquals(draw(1), [
    "Tasks  1 done · 12 open · ◐ Provisioning the dev DB",
  ]);
  assertEquals(draw(2), [
    "Tasks  1 done · 12 open",
    "◐ Provisioning the dev DB",
  ]);
  assertEquals(draw(3), [
    "Tasks  1 done · 12 open",
    "◐ Provisioning the dev DB",
    "  +2 more in progress, 9 pending",
  ]);
  assertEquals(draw(6).at(-1), "  +8 more pending");
  assertEquals(draw(10), draw(100));
});

Deno.test("renderPinnedPanel() folds to one line", () => {
  assertEquals(renderPinnedPanel(snapshot, SIZE, { collapsed: true }), [
    "Tasks  1 done · 12 open · ◐ Provisioning the dev DB",
  ]);
});

Deno.test("renderPinnedPanel() tags blocked tasks even when their content is long", () => {
  const [, , line] = renderPinnedPanel(
    snapshotOf([
      task(1, "pending", "A"),
      task(2, "pending", "long ".repeat(3000), { blockedBy: [1] }),
    ]),
    SIZE,
  );
  assertStringIncludes(line!, "… (blocked)");
});

Deno.test("renderPinnedPanel() keeps a task with line breaks on one line", () => {
  const lines = renderPinnedPanel(
    snapshotOf([1, 2, 3].map((i) => task(i, "pending", `a\nb\r\nc\u2028${i}`))),
    SIZE,
  );
  assertEquals(lines.slice(1), ["○ a b c 1", "○ a b c 2", "○ a b c 3"]);
});
