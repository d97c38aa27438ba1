import { assert, assertEquals } from "@std/assert";
import { Warnings } from "../../src/format/warnings.ts";

Deno.test("Warnings gathers what is alike into one warning, in the order it was found", () => {
  const warnings = new Warnings();
  warnings.add("loops", "t_1");
  warnings.add("stale_reset", "t_2");
  warnings.add("loops", "t_3");
  assertEquals(
    warnings.toArray().map(({ code, taskIds }) => [code, taskIds]),
    [["loops", ["t_1", "t_3"]], ["stale_reset", ["t_2"]]],
  );
});

Deno.test("Warnings counts what it cannot name", () => {
  const warnings = new Warnings();
  warnings.add("rows_dropped");
  warnings.add("rows_dropped", "t_1");
  const [warning] = warnings.toArray();
  assert(warning?.message.includes('(2): "t_1"'), warning?.message);
});

Deno.test("Warnings names at most twenty tasks, however many there are", () => {
  const warnings = new Warnings();
  for (let i = 0; i < 1_000; i++) warnings.add("missing_blockers", `t_${i}`);
  const [warning] = warnings.toArray();
  assertEquals(warning?.taskIds.length, 20);
  assert(warning !== undefined && warning.message.includes("(1000)"));
  assert(warning.message.length < 500);
});

Deno.test("Warnings knows which codes it holds", () => {
  const warnings = new Warnings();
  assertEquals(warnings.has("loops"), false);
  warnings.add("loops", "t_1");
  assertEquals(warnings.has("loops"), true);
});
