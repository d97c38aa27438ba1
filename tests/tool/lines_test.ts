import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { blockedTasks } from "../../src/graph/graph.ts";
import { refusalOf, TasksError } from "../../src/model/errors.ts";
import type {
  Snapshot,
  Task,
  TasksCall,
  TasksResult,
  TaskStatus,
} from "../../src/model/task.ts";
import { toLines, toRefusedLine, toRow } from "../../src/tool/lines.ts";
import { snapshotOf, Tool } from "../support/graph.ts";

function task(id: string, fields: Partial<Task> = {}): Task {
  return { id, content: `Task ${id}`, status: "pending", ...fields };
}

function added(task: Task, snapshot: Snapshot): TasksResult {
  return { action: "add", task, snapshot };
}

const BUILD = task("t_1", { status: "completed", blocks: ["t_2"] });
const REVIEW = task("t_2", { blockedBy: ["t_1"], blocks: ["t_3"] });
const SHIP = task("t_3", { blockedBy: ["t_1", "t_2"] });
const SNAPSHOT: Snapshot = { tasks: [BUILD, REVIEW, SHIP] };

Deno.test("toLines() names the task of a change, then gives every task a line", () => {
  assertEquals(
    toLines(added(SHIP, SNAPSHOT), SNAPSHOT),
    [
      "add: t_3",
      "completed t_1: Task t_1",
      "pending t_2: Task t_2",
      "pending t_3 (waits for t_2): Task t_3",
    ].join("\n"),
  );
});

Deno.test("toLines() gives a list the lines that it asked for", () => {
  const list = { action: "list", tasks: [REVIEW], snapshot: SNAPSHOT } as const;
  assertEquals(toLines(list, SNAPSHOT), "pending t_2: Task t_2");
  assertEquals(toLines({ ...list, tasks: [] }, SNAPSHOT), "no tasks");
  const blocked = { action: "blocked", tasks: [SHIP] } as const;
  const line = "pending t_3 (waits for t_2): Task t_3";
  assertEquals(toLines(blocked, SNAPSHOT), line);
  assertEquals(
    toLines({ ...blocked, tasks: [] }, SNAPSHOT),
    "nothing is blocked",
  );
});

Deno.test("toRow() gives the task of a change a line, and those that became ready through it", () => {
  const before = {
    tasks: [{ ...BUILD, status: "pending" as const }, REVIEW, SHIP],
  };
  const result = {
    action: "complete",
    task: BUILD,
    snapshot: SNAPSHOT,
  } as const;
  assertEquals(
    toRow(result, { before, after: SNAPSHOT }),
    [
      "complete: completed t_1: Task t_1",
      "now ready: pending t_2: Task t_2",
    ].join("\n"),
  );
});

Deno.test("toRow() tells what is no longer ready", () => {
  const after = {
    tasks: [{ ...BUILD, status: "pending" as const }, REVIEW, SHIP],
  };
  const result = {
    action: "update",
    task: after.tasks[0]!,
    snapshot: after,
  } as const;
  assertEquals(
    toRow(result, { before: SNAPSHOT, after }),
    [
      "update: pending t_1: Task t_1",
      "no longer ready: pending t_2 (waits for t_1): Task t_2",
    ].join("\n"),
  );
});

Deno.test("toRefusedLine() says which action was refused, with what code, and why", () => {
  const error = new TasksError("cycle", "A loop.", ["t_1"]);
  assertEquals(
    toRefusedLine(refusalOf("add", error)),
    "add refused (cycle): A loop.",
  );
  assertEquals(
    toRefusedLine(refusalOf(undefined, error)),
    "call refused (cycle): A loop.",
  );
});

Deno.test("a task is one short line, whatever is in it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
      (content, id) => {
        const odd = task(id, { content: content.toWellFormed() });
        const snapshot = { tasks: [odd] };
        const lines = toLines(added(odd, snapshot), snapshot).split("\n");
        assertEquals(lines.length, 2);
        assert(lines[1]!.length < 400);
        assert(lines[1]!.isWellFormed() || !id.isWellFormed());
      },
    ),
  );
});

Deno.test("a line names ten of many blockers, and counts the others", () => {
  const blockers = Array.from({ length: 12 }, (_, i) => task(`b${i}`));
  const last = task("t", { blockedBy: blockers.map(({ id }) => id) });
  const snapshot = { tasks: [...blockers, last] };
  assertEquals(
    toRow(added(last, snapshot), {
      before: { tasks: blockers },
      after: snapshot,
    }),
    "add: pending t (waits for b0, b1, b2, b3, b4, b5, b6, b7, b8, b9 and 2 more): Task t",
  );
});

/** Which open tasks are blocked, as somebody believes who reads nothing but rows. */
class Reader {
  readonly blocked = new Set<string>();

  read(row: string): void {
    for (const line of row.split("\n")) {
      const [, status, id, waits] =
        /^[a-z ]+: (\w+) (\S+?)( \(waits for .*?\))?: /.exec(line) ?? [];
      assert(id !== undefined, line);
      const isOpen = status === "pending" || status === "in_progress";
      if (isOpen && waits !== undefined) this.blocked.add(id);
      else this.blocked.delete(id);
    }
  }
}

Deno.test("who reads rows, lines or JSON knows the same about readiness, after any calls", () => {
  const status = fc.constantFrom<TaskStatus>(
    "pending",
    "in_progress",
    "completed",
    "deleted",
  );
  const step = fc.record({
    kind: fc.constantFrom("add", "update", "block", "complete", "remove"),
    at: fc.nat(9),
    blocker: fc.nat(9),
    status,
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const tool = new Tool();
      const reader = new Reader();
      for (const { kind, at, blocker, status } of steps) {
        const before = snapshotOf(tool.graph);
        const ids = before.tasks.map(({ id }) => id);
        const id = ids[at % ids.length] ?? "none";
        const other = ids[blocker % ids.length] ?? "none";
        const call: TasksCall = kind === "add"
          ? {
            action: "add",
            content: "x",
            blockedBy: ids.length > 0 ? [other] : [],
          }
          : kind === "update"
          ? { action: "update", id, status }
          : kind === "block"
          ? { action: "update", id, blockedBy: [other] }
          : kind === "complete"
          ? { action: "complete", id }
          : { action: "remove", id };
        const result = tool.call(call);
        if ("error" in result) continue;
        const after = snapshotOf(tool.graph);
        reader.read(toRow(result, { before, after }));
        const truth = blockedTasks(after).map(({ id }) => id);
        assertEquals([...reader.blocked].sort(), [...truth].sort());
        const lines = toLines(result, after).split("\n").slice(1);
        const waiting = lines.filter((line) => line.includes(" (waits for "));
        assertEquals(waiting.map((line) => line.split(" ")[1]), truth);
      }
    }),
  );
});
