import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  type Snapshot,
  type Task,
  type TaskStatus,
  toDot,
  toMermaid,
} from "@kin/tasks-dag/diagram";
import { blockedTasks } from "../src/dag.ts";
import { labelOf } from "../src/diagram/label.ts";
import { type Drawn, type DrawnBox, sorted } from "./support/drawn.ts";
import { drawDot } from "./support/graphviz.ts";
import { drawMermaid, parseMermaid } from "./support/mermaid.ts";

/** Texts that mean something to one of the languages that labels pass through. */
const HOSTILE = [
  'n0"]\nn1 --> n2\nclick n0 "javascript:alert(1)"\n',
  '"; n9 -> n8; x [label="',
  "\\",
  '\\"',
  "\\N \\G \\n \\l",
  "[](){}<>|/\\",
  "`**bold** _it_ *x*`",
  "&lt;b&gt; &#35; &quot; &bogus;",
  "#quot; #35; #9829; #lt;b#gt;",
  "style:#fff; classDef x fill:#f00;",
  "%%{init: {'theme': 'dark'}}%% %% comment",
  "---\ntitle: x\n---\n",
  "1. one\n- two\n# three\n> four",
  "$$x^2$$ fa:fa-car www.example.com a@example.com https://example.com",
  "<script>alert(1)</script><img src=x onerror=alert(1)><br/>",
  "ﬂ°°35¶ß ﬂ°lt¶ß",
  "subgraph end graph strict digraph node edge default linkStyle 0",
  "n0@{ shape: circle } n0:::blocked e1@--> ",
  "\u202eevil\u202c \u2066x\u2069 \u200bzero\ufeff",
  "\0\x07\x1b[31m\x7f\x85\r\n\t\u2028\u2029",
  "\ud800 \udfff",
  "\ufffe\uffff\u{1fffe}",
  "e" + "\u0301".repeat(300),
  "👨‍👩‍👧‍👦".repeat(40),
  "שלום مرحبا 発表 🇩🇪",
];

const statuses = ["pending", "in_progress", "completed", "deleted"] as const;

const text: fc.Arbitrary<string> = fc.array(
  fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "grapheme", maxLength: 20 }),
    fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
  ),
  { maxLength: 6 },
).map((parts) => parts.join(""));

const snapshots: fc.Arbitrary<Snapshot> = fc
  .uniqueArray(fc.oneof(fc.stringMatching(/^t_\d{13}_[0-9a-f]{4}$/), text), {
    maxLength: 10,
  })
  .chain((ids) => {
    const row = fc.record({
      content: text,
      status: fc.constantFrom(...statuses),
      // The last of the ids is an edge's only: no task has it.
      blockedBy: fc.array(fc.constantFrom("", ...ids), { maxLength: 3 }),
    });
    const rows = fc.tuple(...ids.slice(0, -1).map(() => row));
    return rows.map((rows) => ({
      tasks: rows.map((row, i): Task => ({ id: ids[i]!, ...row })),
    }));
  });

const GRAPHS: readonly Snapshot[] = [
  { tasks: [] },
  { tasks: HOSTILE.map((hostile) => task(hostile, "pending", hostile)) },
  ...fc.sample(snapshots, { numRuns: 300, seed: 5 }),
];

function task(
  id: string,
  status: TaskStatus,
  content: string,
  blockedBy: readonly string[] = [],
): Task {
  return { id, content, status, blockedBy };
}

/** What a picture of this graph has to show, written down once more. */
function expected(snapshot: Snapshot): Drawn {
  const { tasks } = snapshot;
  const edges = tasks.flatMap(({ id, blockedBy = [] }) =>
    [...new Set(blockedBy)].map((blocker) => ({ blocker, id }))
  );
  const known = tasks.map((task) => task.id);
  const ids = [...new Set([...known, ...edges.map((edge) => edge.blocker)])];
  const blocked = blockedTasks(snapshot);
  const boxes = ids.map((id, i): DrawnBox => {
    const task = tasks[i];
    const status = task?.status ?? "missing";
    const isBlocked = task !== undefined && blocked.includes(task);
    const content = labelOf(task?.content ?? "There is no such task");
    return {
      name: `n${i}`,
      classes: isBlocked ? [status, "blocked"] : [status],
      lines: [`${glyphOf(status, isBlocked)} ${content}`, labelOf(id)]
        .map((line) => line.trimEnd()).filter((line) => line !== ""),
    };
  });
  const arrows = edges.map(({ blocker, id }) => {
    const status = tasks.find((task) => task.id === blocker)?.status;
    return {
      from: `n${ids.indexOf(blocker)}`,
      to: `n${ids.indexOf(id)}`,
      isDashed: status === "completed" || status === "deleted",
    };
  });
  return sorted({ boxes, arrows });
}

function glyphOf(status: string, isBlocked: boolean): string {
  if (status === "pending") return isBlocked ? "⊘" : "○";
  if (status === "in_progress") return "◐";
  if (status === "completed") return "✓";
  return status === "deleted" ? "✗" : "?";
}

Deno.test("mermaid parses the flowcharts of 300 random graphs, and finds the tasks and nothing else", async () => {
  assert(GRAPHS.length > 300);
  for (const snapshot of GRAPHS) {
    const flowchart = toMermaid(snapshot);
    assertEquals(await parseMermaid(flowchart), expected(snapshot), flowchart);
  }
});

Deno.test("mermaid draws every text as it is", async () => {
  for (const snapshot of GRAPHS.slice(0, 30)) {
    const flowchart = toMermaid(snapshot);
    const { boxes } = expected(snapshot);
    assertEquals(await drawMermaid(flowchart), boxes, flowchart);
  }
});

Deno.test("Graphviz draws 300 random graphs, and finds the tasks and nothing else", async () => {
  const drawn = await drawDot(GRAPHS.map(toDot));
  assertEquals(drawn.length, GRAPHS.length);
  for (const [i, snapshot] of GRAPHS.entries()) {
    assertEquals(drawn[i], expected(snapshot), toDot(snapshot));
  }
});
