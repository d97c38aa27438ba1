import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import {
  type Snapshot,
  type Task,
  type TaskStatus,
  toDot,
  toMermaid,
} from "@kin/tasks-dag/diagram";
import { blockedTasks } from "../../src/graph/graph.ts";
import { labelOf } from "../../src/diagram/label.ts";
import { type Drawn, type DrawnBox, sorted } from "../support/drawn.ts";
import { drawDot } from "../support/graphviz.ts";
import { drawMermaid, parseMermaid } from "../support/mermaid.ts";

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

const PLAN: Snapshot = {
  tasks: [
    task("t_1", "completed", "Read the old schema"),
    task("t_2", "in_progress", "Provision the dev DB", ["t_1"]),
    task("t_3", "pending", 'Seed "fixtures"', ["t_2"]),
    task("t_4", "deleted", "Buy a machine"),
    task("t_5", "pending", "Write the notes", ["t_4"]),
  ],
};
const DAMAGED: Snapshot = {
  tasks: [
    task("t_1", "pending", "Chicken", ["t_2"]),
    task("t_2", "in_progress", "Egg", ["t_1", "t_9"]),
    task("t_3", "pending", "Itself", ["t_3"]),
  ],
};

Deno.test("toMermaid() gives statuses and blocked tasks a class, and dashes the arrows of what is done", () => {
  assertEquals(
    toMermaid(PLAN),
    `flowchart LR
n0["✓ Read the old schema<br/>t_1"]
n1["◐ Provision the dev DB<br/>t_2"]
n2["⊘ Seed #34;fixtures#34;<br/>t_3"]
n3["✗ Buy a machine<br/>t_4"]
n4["○ Write the notes<br/>t_5"]
n0 -.-> n1
n1 --> n2
n3 -.-> n4
classDef pending fill:#f6f8fa,stroke:#57606a,color:#1f2328
class n2,n4 pending
classDef in_progress fill:#ddf4ff,stroke:#0969da,color:#0a3069
class n1 in_progress
classDef completed fill:#dafbe1,stroke:#1a7f37,color:#0f5323
class n0 completed
classDef deleted fill:#ffffff,stroke:#afb8c1,color:#6e7781,stroke-dasharray:4 3
class n3 deleted
classDef blocked stroke:#bc4c00,stroke-width:2px
class n2 blocked
linkStyle 0,2 stroke:#8c959f
`,
  );
});

Deno.test("toDot() gives statuses and blocked tasks a class, and dashes the arrows of what is done", () => {
  assertEquals(
    toDot(PLAN),
    `digraph tasks {
graph [rankdir=LR bgcolor="white"]
node [shape=box fontname="Helvetica,Arial,sans-serif" fontsize=12]
edge [color="#57606a" arrowsize=0.7]
n0 [label="✓ Read the old schema\\nt_1" class="completed" style="rounded,filled" fillcolor="#dafbe1" color="#1a7f37" fontcolor="#0f5323"]
n1 [label="◐ Provision the dev DB\\nt_2" class="in_progress" style="rounded,filled" fillcolor="#ddf4ff" color="#0969da" fontcolor="#0a3069"]
n2 [label="⊘ Seed \\"fixtures\\"\\nt_3" class="pending blocked" style="rounded,filled" fillcolor="#f6f8fa" color="#bc4c00" fontcolor="#1f2328" penwidth="2"]
n3 [label="✗ Buy a machine\\nt_4" class="deleted" style="rounded,filled,dashed" fillcolor="#ffffff" color="#afb8c1" fontcolor="#6e7781"]
n4 [label="○ Write the notes\\nt_5" class="pending" style="rounded,filled" fillcolor="#f6f8fa" color="#57606a" fontcolor="#1f2328"]
n0 -> n1 [style="dashed" color="#8c959f"]
n1 -> n2
n3 -> n4 [style="dashed" color="#8c959f"]
}
`,
  );
});

Deno.test("toMermaid() draws loops, and a box for a blocker that is not there", () => {
  assertEquals(
    toMermaid(DAMAGED),
    `flowchart LR
n0["⊘ Chicken<br/>t_1"]
n1["◐ Egg<br/>t_2"]
n2["⊘ Itself<br/>t_3"]
n3["#63; There is no such task<br/>t_9"]
n1 --> n0
n0 --> n1
n3 --> n1
n2 --> n2
classDef pending fill:#f6f8fa,stroke:#57606a,color:#1f2328
class n0,n2 pending
classDef in_progress fill:#ddf4ff,stroke:#0969da,color:#0a3069
class n1 in_progress
classDef missing fill:#ffebe9,stroke:#cf222e,color:#82071e,stroke-dasharray:4 3
class n3 missing
classDef blocked stroke:#bc4c00,stroke-width:2px
class n0,n1,n2 blocked
`,
  );
});

Deno.test("toDot() draws loops, and a box for a blocker that is not there", () => {
  const lines = toDot(DAMAGED).split("\n");
  assertMatch(
    lines[7]!,
    /^n3 \[label="\? There is no such task\\nt_9" class="missing"/,
  );
  assertEquals(lines.slice(8), [
    "n1 -> n0",
    "n0 -> n1",
    "n3 -> n1",
    "n2 -> n2",
    "}",
    "",
  ]);
});

Deno.test("a graph without tasks is a picture without boxes", async () => {
  const empty = { tasks: [] };
  const nothing = { boxes: [], arrows: [] };
  assertEquals(toMermaid(empty), "flowchart LR\n");
  assertEquals(await parseMermaid(toMermaid(empty)), nothing);
  assertEquals(await drawDot([toDot(empty)]), [nothing]);
});

Deno.test("an edge that a row names twice is drawn once", () => {
  const tasks = [
    task("t_1", "pending", "Build"),
    task("t_2", "pending", "Ship", ["t_1", "t_1"]),
  ];
  assertEquals(toMermaid({ tasks }).split("n0 --> n1").length, 2);
  assertEquals(toDot({ tasks }).split("n0 -> n1").length, 2);
});

Deno.test("the texts can stand in HTML and in Markdown, whatever the tasks say", () => {
  for (const snapshot of GRAPHS) {
    const flowchart = toMermaid(snapshot).replaceAll("<br/>", "");
    assert(!/[<`&]/.test(flowchart), flowchart);
    assert(!toDot(snapshot).includes("<"), toDot(snapshot));
  }
});

Deno.test("labels are shortened between graphemes", () => {
  const family = "👨‍👩‍👧‍👦";
  assertEquals(labelOf("x".repeat(60)), "x".repeat(60));
  assertEquals(labelOf("x".repeat(61)), `${"x".repeat(59)}…`);
  assertEquals(labelOf(family.repeat(60)), family.repeat(60));
  assertEquals(labelOf(family.repeat(61)), `${family.repeat(59)}…`);
});

Deno.test("a label is no longer than can be looked at, whatever its graphemes are made of", () => {
  const endless = "👨\u200d".repeat(10_000);
  assertEquals(labelOf(endless), "…");
  assert(labelOf(`a${"\u0301".repeat(10_000)}`).length < 20);
  assertEquals(labelOf(`Fix it ${endless}`), "Fix it…");
});

Deno.test("labels are one line, without anything that reorders or hides text", () => {
  assertEquals(labelOf(" a\r\n\tb\u2028c "), "a b c");
  assertEquals(labelOf("\u202ea\u2066b\u200bc\ufeff"), "abc");
  assertEquals(labelOf("a\0b\x1b[1m\ud800"), "a\ufffdb\ufffd[1m\ufffd");
  assertEquals(labelOf("\u202e\n"), "");
});

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
