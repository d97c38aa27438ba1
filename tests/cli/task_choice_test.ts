import { assertEquals, assertThrows } from "@std/assert";
import { TasksError } from "../../mod.ts";
import { chooseTask } from "../../src/cli/task_choice.ts";

function choose(ids: readonly string[], part: string): string {
  const tasks = ids.map((id) => ({
    id,
    content: id,
    status: "pending" as const,
  }));
  return chooseTask({ tasks }, part);
}

Deno.test("chooseTask() takes the whole id before anything else", () => {
  assertEquals(choose(["t_1", "t_1_a", "x_t_1"], "t_1"), "t_1");
});

Deno.test("chooseTask() takes the end of an id before what is in one", () => {
  assertEquals(choose(["t_ab_1", "t_1_ab"], "ab"), "t_1_ab");
  assertEquals(choose(["t_ab_1", "t_1_cd"], "ab"), "t_ab_1");
});

Deno.test("chooseTask() refuses what could be several, and names them", () => {
  const ids = Array.from({ length: 12 }, (_, i) => `t_${i}_x`);
  const error = assertThrows(() => choose(ids, "_x"), TasksError);
  assertEquals(error.code, "unknown_task");
  assertEquals(error.taskIds, ids);
  assertEquals(error.message.includes("and 2 more"), true);
});

Deno.test("chooseTask() refuses what is no part of an id", () => {
  for (const part of ["", "zz", "T_1"]) {
    assertThrows(() => choose(["t_1"], part), TasksError, "No task");
  }
});
