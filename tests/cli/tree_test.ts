import { assert, assertEquals } from "@std/assert";
import { treeLines } from "../../src/cli/tree_lines.ts";
import { snapshotOf } from "../support/sidecar.ts";
import { row, type StoredRow } from "../support/sidecar.ts";

const PIPE = { color: false };

function tree(
  rows: readonly StoredRow[],
  page: Parameters<typeof treeLines>[1] = PIPE,
): string[] {
  const sidecar = { version: 1, session_id: "s", revision: 1, tasks: rows };
  return treeLines(snapshotOf(sidecar), page);
}

Deno.test("the tree unfolds a task once", () => {
  assertEquals(
    tree([
      row("root"),
      row("left", { blockedBy: ["root"] }),
      row("right", { blockedBy: ["left", "root"] }),
      row("top", { blockedBy: ["left", "right"] }),
    ]),
    [
      "⊘ top Task top (blocked)",
      "├─ ⊘ left Task left (blocked)",
      "│  └─ ○ root Task root",
      "└─ ⊘ right Task right (blocked)",
      "   ├─ ⊘ left Task left (above)",
      "   └─ ○ root Task root",
    ],
  );
});

Deno.test("the tree shows loops, and blockers that no task is", () => {
  assertEquals(
    tree([
      row("a", { blockedBy: ["b"] }),
      row("b", { blockedBy: ["a", "gone"] }),
      row("c", { status: "deleted" }),
    ]),
    [
      "✗ c Task c",
      "⊘ a Task a (blocked)",
      "└─ ⊘ b Task b (blocked)",
      "   ├─ ⊘ a Task a (loop)",
      "   └─ ? gone no such task",
    ],
  );
});

Deno.test("the tree of a long chain stays readable, and within a terminal's width", () => {
  const rows = Array.from(
    { length: 3_000 },
    (_, i) => row(`t_${i}`, { blockedBy: i === 0 ? [] : [`t_${i - 1}`] }),
  );
  const piped = tree(rows);
  assertEquals(piped.length, 3_000);
  assertEquals(
    piped.at(-1),
    `${" ".repeat(93)}└(2999) ○ t_0 Task t_0`,
  );
  const drawn = tree(rows, { color: false, columns: 40 });
  assertEquals(drawn.at(-1), `${" ".repeat(9)}└(2999) ○ t_0 Task t_0`);
  assert(drawn.every((line) => line.length <= 40));
});

Deno.test("the tree shortens ids where lists do, and leaves room for what tasks are about", () => {
  const rows = [
    row("t_1720600000000_a1b2", { content: "Seed fixtures" }),
    row("t_1720600010000_77de", {
      content: "Smoke test",
      blockedBy: ["t_1720600000000_a1b2"],
    }),
  ];
  assertEquals(tree(rows, { color: false, columns: 30 }), [
    "⊘ …77de Smoke test (blocked)",
    "└─ ○ …a1b2 Seed fixtures",
  ]);
  assertEquals(tree(rows, { color: false, columns: 16 }), [
    "⊘ Smoke test",
    "└─ ○ Seed fixtu…",
  ]);
});

Deno.test("the tree of no tasks has no lines", () => {
  assertEquals(tree([]), []);
});
