import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openSession, type TaskSession } from "@kin/tasks-dag";
import { openScreen, renderPinnedPanel, type Screen } from "@kin/tasks-dag/ui";
import { FakeTerminal } from "./fake_terminal.ts";

const FRAME_INTERVAL_MS = 16;

function watch(session: TaskSession, terminal: FakeTerminal): Screen {
  const screen = openScreen({
    terminal,
    render: (size, options) => ({
      lines: renderPinnedPanel(session.snapshot, size, options),
    }),
    frameIntervalMs: FRAME_INTERVAL_MS,
  });
  session.addEventListener("tasks_changed", () => screen.refresh());
  return screen;
}

Deno.test("two sessions in one process update only their own views", async () => {
  const sessionDir = await Deno.makeTempDir({ prefix: "live_test_" });
  try {
    await using a = await openSession({ sessionId: "a", sessionDir });
    await using b = await openSession({ sessionId: "b", sessionDir });
    const [left, right] = [new FakeTerminal(), new FakeTerminal()];
    using _left = watch(a, left);
    using _right = watch(b, right);
    const untouched = right.writes.length;
    await a.tasks({ action: "add", content: "Only here" });
    await left.until((model) => model.text.includes("Only here"));
    assertEquals(right.writes.length, untouched);
    await b.tasks({ action: "add", content: "Only there" });
    await right.until((model) => model.text.includes("Only there"));
    assert(!left.model.text.includes("there"));
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
});

Deno.test("a thousand changes do not queue up frames", async () => {
  const sessionDir = await Deno.makeTempDir({ prefix: "live_test_" });
  try {
    await using session = await openSession({ sessionId: "a", sessionDir });
    const { task } = await session.tasks({ action: "add", content: "Step 0" });
    const terminal = new FakeTerminal();
    const startedAt = performance.now();
    using _screen = watch(session, terminal);
    await Promise.all(Array.from({ length: 1000 }, (_, i) =>
      session.tasks({
        action: "update",
        id: task.id,
        content: `Step ${i + 1}`,
      })));
    await terminal.until((model) => model.text.includes("Step 1000"));
    const elapsedMs = performance.now() - startedAt;
    const frames = terminal.writes.length;
    // Timers may be a millisecond early.
    assert(frames <= elapsedMs / (FRAME_INTERVAL_MS - 1) + 2, `${frames}`);
    const shown = terminal.writes.join("").matchAll(/Step (\d+)/g);
    const steps = Array.from(shown, (match) => Number(match[1]));
    assertEquals(steps, steps.toSorted((a, b) => a - b));
    assertStringIncludes(terminal.model.text, "Step 1000");
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
});
