import { assert, assertEquals } from "@std/assert";
import {
  renderAgentPanel,
  renderPinnedPanel,
  renderTaskModal,
} from "@kin/tasks-dag/ui";
import fc from "fast-check";
import stringWidth from "string-width";
import type { Snapshot, Task } from "../../src/model/task.ts";

const HOSTILE = [
  "\x1b[2J\x1b[H",
  "\x1b]52;c;aGk=\x07",
  "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
  "\x9b31m\x90q\x9c",
  "\u202edeteled\u202c",
  "\u2066\u2069\u061c\u200e\u200f\ufeff\u200b",
  "\u2028\u2029\x85\r\n\v\f\t",
  "\ud83d",
  "\udc68\u200d",
  "👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿🇩🇪1️⃣☺️",
  "e\u0301\u0301\u0301" + "\u0302".repeat(40),
  "你好世界ﾊﾞﷺ",
  "क्षि\u0d4e\u0600",
  "\u1160\u115f\u3164한글",
];

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 8 })),
    { maxLength: 8 },
  ).map((parts) => parts.join("")),
  fc.constantFrom(...HOSTILE).map((part) => part.repeat(200)),
);
const id = fc.oneof(
  fc.constantFrom("t_1", "t_2", "t_3", "t_4", "__proto__", "constructor"),
  text,
);
const task: fc.Arbitrary<Task> = fc.record({
  id,
  content: text,
  status: fc.constantFrom("pending", "in_progress", "completed", "deleted"),
  active_form: text,
  blockedBy: fc.array(id, { maxLength: 4 }),
  blocks: fc.array(id, { maxLength: 4 }),
  completed_at: fc.double(),
}, { requiredKeys: ["id", "content", "status"] });
const snapshot: fc.Arbitrary<Snapshot> = fc.record({
  tasks: fc.array(task, { maxLength: 30 }),
});
const side = fc.oneof(
  fc.integer({ min: 0, max: 130 }),
  fc.integer({ min: 0, max: 8 }),
);
const size = fc.record({ columns: side, rows: side });
const view = fc.record({
  selectedId: fc.option(id, { nil: undefined }),
  top: fc.integer({ min: 0, max: 60 }),
});

// deno-lint-ignore no-control-regex -- escape codes are what is looked for
const SGR = /\x1b\[[\d;]*m/g;
const UNSAFE =
  // deno-lint-ignore no-control-regex -- as above
  /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

function everyView(
  snapshot: Snapshot,
  view: { readonly selectedId: string | undefined; readonly top: number },
  size: { readonly columns: number; readonly rows: number },
  color: boolean,
): (readonly string[])[] {
  const taskId = view.selectedId ?? snapshot.tasks[0]?.id ?? "t_1";
  return [
    renderPinnedPanel(snapshot, size, { color }),
    renderPinnedPanel(snapshot, size, { color, collapsed: true }),
    renderAgentPanel(snapshot, view, size, { color }),
    renderTaskModal(snapshot, { taskId, top: view.top }, size, { color }),
  ];
}

Deno.test("views keep to their size and to harmless text, whatever the tasks", () => {
  fc.assert(
    fc.property(snapshot, view, size, (snapshot, view, size) => {
      for (const lines of everyView(snapshot, view, size, false)) {
        assert(lines.length <= size.rows, `${lines.length} lines`);
        for (const line of lines) {
          assert(stringWidth(line) <= size.columns, JSON.stringify(line));
          assert(!UNSAFE.test(line), JSON.stringify(line));
          assert(line.isWellFormed(), JSON.stringify(line));
        }
      }
    }),
    { numRuns: 400 },
  );
});

Deno.test("views say the same with colour, but for SGR codes that end with their line", () => {
  fc.assert(
    fc.property(snapshot, view, size, (snapshot, view, size) => {
      const plain = everyView(snapshot, view, size, false);
      const painted = everyView(snapshot, view, size, true);
      assertEquals(
        painted.map((lines) => lines.map((line) => line.replace(SGR, ""))),
        plain,
      );
      for (const line of painted.flat()) {
        const last = line.match(SGR)?.at(-1);
        assert(last === undefined || last === "\x1b[0m", JSON.stringify(line));
      }
    }),
    { numRuns: 200 },
  );
});

for (const side of [-1, 0, 1, 2, 5, 10, NaN, Infinity, -Infinity, 2.5]) {
  Deno.test(`views take ${side} for a side of their size`, () => {
    const snapshot = {
      tasks: [
        { id: "t_1", content: "你好世界", status: "pending" as const },
        { id: "t_2", content: "B", status: "in_progress" as const },
      ],
    };
    const view = { selectedId: "t_2", top: 0 };
    const usable = Number.isNaN(side) ? 80 : Math.max(side, 0);
    for (
      const size of [{ columns: side, rows: 9 }, { columns: 9, rows: side }]
    ) {
      const [columns, rows] = size.rows === 9 ? [usable, 9] : [9, usable];
      for (const lines of everyView(snapshot, view, size, false)) {
        assert(lines.length <= rows);
        for (const line of lines) assert(stringWidth(line) <= columns);
      }
    }
  });
}
