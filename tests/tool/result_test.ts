import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { TasksError } from "../../src/model/errors.ts";
import { refusalOf } from "../../src/model/errors.ts";
import {
  resultOf,
  toRefusedToolResult,
  toToolResult,
} from "../../src/tool/result.ts";
import type { DoneReplyMessage } from "../../src/protocol.ts";
import type { Snapshot, TasksAction } from "../../src/model/task.ts";
import { graphOf, snapshotOf } from "../support/graph.ts";

const SNAPSHOT: Snapshot = snapshotOf(
  graphOf({ A: [], B: ["A"], C: ["A", "B"] }),
);

function reply(
  action: TasksAction,
  positions: readonly number[],
): DoneReplyMessage {
  return { type: "reply", callId: 1, action, positions };
}

Deno.test("resultOf() gives a change its task and the snapshot", () => {
  for (const action of ["add", "update", "complete", "remove"] as const) {
    const result = resultOf(reply(action, [1]), SNAPSHOT);
    assertEquals(Object.keys(result), ["action", "task", "snapshot"]);
    assert("task" in result);
    assertEquals(result.action, action);
    assertStrictEquals(result.task, SNAPSHOT.tasks[1]);
    assertStrictEquals(result.snapshot, SNAPSHOT);
  }
});

Deno.test("resultOf() gives list its tasks and the snapshot, and blocked its tasks alone", () => {
  const list = resultOf(reply("list", [0, 2]), SNAPSHOT);
  assertEquals(list, {
    action: "list",
    tasks: SNAPSHOT.tasks.filter((task) => task.id !== "B"),
    snapshot: SNAPSHOT,
  });
  const blocked = resultOf(reply("blocked", []), SNAPSHOT);
  assertEquals(blocked, { action: "blocked", tasks: [] });
});

Deno.test("toToolResult() writes for the model what the host gets as data", () => {
  const [first, ...rest] = SNAPSHOT.tasks;
  const pieces = [[first], rest].map((tasks) => ({
    text: JSON.stringify(tasks),
  }));
  const replies = [
    reply("add", [2]),
    reply("list", []),
    reply("list", [0, 1, 2]),
    reply("blocked", [1, 2]),
  ];
  for (const message of replies) {
    const result = resultOf(message, SNAPSHOT);
    const toolResult = toToolResult(result, "json", {
      before: SNAPSHOT,
      after: SNAPSHOT,
      pieces,
    });
    assertEquals(toolResult.isError, false);
    assertStrictEquals(toolResult.result, result);
    assertEquals(toolResult.content, JSON.stringify(result));
  }
});

Deno.test("toRefusedToolResult() marks a refusal as an error", () => {
  const refusal = refusalOf("add", new TasksError("cycle", "A loop.", ["A"]));
  assertEquals(toRefusedToolResult(refusal, "json"), {
    isError: true,
    content:
      '{"action":"add","error":{"code":"cycle","message":"A loop.","taskIds":["A"]}}',
    result: refusal,
  });
});
