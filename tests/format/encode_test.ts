import {
  assert,
  assertEquals,
  assertNotMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  Encoder,
  REVISION_WITHIN,
  revisionOf,
  TASKS_PER_PIECE,
} from "../../src/format/encode.ts";
import { Graph } from "../../src/graph/graph.ts";
import {
  decode,
  type Decoded,
  type DecodeOptions,
} from "../../src/format/decode.ts";
import {
  emptyDocument,
  type SessionDocument,
} from "../../src/graph/document.ts";
import { TasksError } from "../../src/model/errors.ts";
import type { SessionWarning, WarningCode } from "../../src/model/task.ts";
import {
  DECODE_OPTIONS,
  graphOf,
  NOW,
  record,
  snapshotOf,
  Tool,
} from "../support/graph.ts";
import { encodeWith, snapshotIn } from "../support/texts.ts";

function decodeText(
  text: string,
  options: Partial<DecodeOptions> = {},
): Decoded {
  return decode(new TextEncoder().encode(text), {
    ...DECODE_OPTIONS,
    ...options,
  });
}

interface Read {
  readonly document: SessionDocument;
  readonly warnings: readonly SessionWarning[];
  readonly codes: readonly WarningCode[];
  readonly needsSave: boolean;
  readonly losesData: boolean;
}

/** What was made of a text that must be a sidecar. */
function read(text: string, options?: Partial<DecodeOptions>): Read {
  const decoded = decodeText(text, options);
  assert(decoded.kind === "sidecar", "The text is taken for corrupt");
  return { ...decoded, codes: decoded.warnings.map((warning) => warning.code) };
}

/** A sidecar with these rows. */
function fileOf(
  tasks: readonly unknown[],
  fields: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    version: 1,
    session_id: "demo",
    revision: 3,
    ...fields,
    tasks,
  });
}

function documentOf(
  graph: Graph,
  fields: Partial<SessionDocument> = {},
): SessionDocument {
  return { ...emptyDocument("demo"), revision: 1, graph, ...fields };
}

function encode(document: SessionDocument): string {
  return new Encoder().sidecar(document);
}

/** A row as it is in a file. */
function row(
  id: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    id,
    content: `Task ${id}`,
    status: "pending",
    created_at: NOW,
    updated_at: NOW,
    ...fields,
  };
}

const BUSY = Graph.from([
  record("A", { status: "completed", completed_at: NOW - 5 }),
  record("B", {
    blockedBy: ["A"],
    status: "in_progress",
    active_form: "Doing B",
  }),
  record("C", {
    blockedBy: ["B", "A"],
    unknownFields: { x_future: [1, { deep: null }] },
  }),
  record("D", { status: "deleted", blockedBy: ["C"] }),
  record("E", { content: '}{ ][ "tasks": null\n\t\u2028 👍 \\ \ufffd' }),
]);

Deno.test("Encoder writes JSON with one task per line", () => {
  const text = encode(documentOf(BUSY));
  const lines = text.split("\n");
  assertEquals(lines.length, BUSY.tasks.length + 3);
  assertEquals(
    lines[0],
    '{"version":1,"session_id":"demo","revision":1,"tasks":[',
  );
  assertEquals(lines.slice(-2), ["]}", ""]);
  for (const [i, task] of BUSY.tasks.entries()) {
    const line = lines[i + 1]?.replace(/,$/, "") ?? "";
    assertEquals(JSON.parse(line).id, task.id);
  }
  assertEquals(JSON.parse(text).tasks.length, BUSY.tasks.length);
});

Deno.test("Encoder writes rows with stamps, without blocks and without empty fields", () => {
  const { tasks } = JSON.parse(encode(documentOf(BUSY)));
  assertEquals(tasks[0], {
    id: "A",
    content: "Task A",
    status: "completed",
    completed_at: NOW - 5,
    created_at: NOW,
    updated_at: NOW,
  });
  assertEquals(tasks[2].blockedBy, ["B", "A"]);
  assertEquals(tasks[2].x_future, [1, { deep: null }]);
});

Deno.test("Encoder writes the snapshot that callers see", () => {
  const { snapshot } = encodeWith(new Encoder(), documentOf(BUSY));
  assertEquals(snapshotIn(snapshot), snapshotOf(BUSY));
  assertEquals(
    encodeWith(new Encoder(), emptyDocument("demo")).snapshot,
    [],
  );
});

Deno.test("decode() gives back what Encoder wrote", () => {
  const documents = [
    emptyDocument("demo"),
    documentOf(BUSY),
    documentOf(BUSY, {
      revision: 77,
      unknownFields: { x: { y: [null] }, "": 1 },
    }),
  ];
  for (const document of documents) {
    const decoded = read(encode(document));
    assertEquals(decoded.warnings, []);
    assertEquals([decoded.needsSave, decoded.losesData], [false, false]);
    assertEquals(decoded.document.revision, document.revision);
    assertEquals(decoded.document.unknownFields, document.unknownFields);
    assertEquals(
      snapshotOf(decoded.document.graph),
      snapshotOf(document.graph),
    );
    assertEquals(encode(decoded.document), encode(document));
  }
});

Deno.test("Encoder gives the same texts whatever it encoded before", () => {
  const encoder = new Encoder();
  const check = (graph: Graph) => {
    const document = documentOf(graph);
    assertEquals(
      encodeWith(encoder, document),
      encodeWith(new Encoder(), document),
    );
  };
  check(BUSY);
  const changed = BUSY.with(record("A", { content: "new", blockedBy: ["E"] }));
  const extended = changed.with(record("F", { blockedBy: ["A", "E"] }));
  const discarded = changed.with(record("G", { blockedBy: ["D"] }));
  for (
    const graph of [
      changed,
      extended,
      discarded,
      changed,
      extended,
      BUSY,
      extended,
    ]
  ) {
    check(graph);
  }
  for (
    const graph of [
      Graph.empty,
      BUSY,
      graphOf({ A: [] }),
      Graph.from(BUSY.tasks),
      discarded,
    ]
  ) {
    check(graph);
  }
});

Deno.test("Encoder gives the same texts after a document that could not be encoded", () => {
  const encoder = new Encoder();
  encodeWith(encoder, documentOf(graphOf({ A: [], B: [] })));
  const broken = Graph.from([
    record("A", { content: "discarded" }),
    record("B", { unknownFields: { x: 1n } }),
  ]);
  assertThrows(() => encodeWith(encoder, documentOf(broken)), TypeError);
  const document = documentOf(graphOf({ A: [], B: [] }));
  const before = documentOf(graphOf({ A: [], B: [] }));
  assertEquals(
    encodeWith(encoder, before),
    encodeWith(new Encoder(), document),
  );
});

Deno.test("Encoder gives the same texts when it goes back after a failure", () => {
  const encoder = new Encoder();
  const document = documentOf(graphOf({ A: [], B: [] }));
  encodeWith(encoder, document);
  const broken = document.graph
    .with(record("A", { content: "discarded" }))
    .with(record("B", { unknownFields: { x: 1n } }));
  assertThrows(() => encodeWith(encoder, documentOf(broken)), TypeError);
  assertEquals(
    encodeWith(encoder, document),
    encodeWith(new Encoder(), document),
  );
});

Deno.test("decode() keeps fields it does not know, of rows and of the file", () => {
  const text = fileOf(
    [row("A", { x_future: 1, __proto: 2, nested: { a: [1] } }), row("B")],
    { x_file: { keep: true } },
  ).replace('"__proto"', '"__proto__"');
  const { document, warnings } = read(text);
  assertEquals(warnings, []);
  const next = {
    ...document,
    revision: 4,
    graph: document.graph.with(record("C")),
  };
  const saved = encode(next);
  assertStringIncludes(saved, '"x_future":1');
  assertStringIncludes(saved, '"__proto__":2');
  assertStringIncludes(saved, '"nested":{"a":[1]}');
  assertStringIncludes(saved, '"x_file":{"keep":true}');
  assertEquals(JSON.parse(saved).revision, 4);
  assertEquals(encode(read(saved).document), saved);
});

Deno.test("a field that is not known survives a change of its row", () => {
  const tool = new Tool(
    read(fileOf([row("A", { x_future: 1 })])).document.graph,
  );
  tool.change({ action: "update", id: "A", content: "new" });
  tool.change({ action: "complete", id: "A" });
  assertEquals(JSON.parse(encode(documentOf(tool.graph))).tasks[0].x_future, 1);
});

Deno.test("decode() takes one byte order mark, which is not written back", () => {
  const { document } = read(`\ufeff${fileOf([row("A")])}`);
  assertEquals(document.graph.tasks.length, 1);
  assert(!encode(document).startsWith("\ufeff"));
});

Deno.test("decode() does not mind how the JSON is laid out", () => {
  const { document } = read(
    JSON.stringify(JSON.parse(fileOf([row("A")])), null, 4) + "\r\n",
  );
  assertEquals(document.revision, 3);
  assertEquals(document.graph.tasks.length, 1);
});

Deno.test("decode() finds corrupt what is not a sidecar", () => {
  const valid = fileOf([row("A")]);
  const texts: Record<string, string> = {
    "an empty file": "",
    "white space": " \n",
    "NUL bytes only": "\0".repeat(2_048),
    "a torn file": valid.slice(0, -20),
    "a file with something behind it": `${valid}${valid}`,
    "two byte order marks": `\ufeff\ufeff${valid}`,
    "no JSON": "tasks: []",
    "null": "null",
    "a number": "5",
    "a string": '"tasks"',
    "an array": "[]",
    "an empty object": "{}",
    "tasks that are an object": '{"tasks":{}}',
    "tasks that are null": '{"version":1,"tasks":null}',
    "a version that is a string": fileOf([], { version: "1" }),
    "a version that is null": fileOf([], { version: null }),
    "version zero": fileOf([], { version: 0 }),
    "a negative version": fileOf([], { version: -1 }),
    "nesting without an end": "[".repeat(100_000),
  };
  for (const [what, text] of Object.entries(texts)) {
    assertEquals(decodeText(text).kind, "corrupt", what);
  }
  const bytes = new TextEncoder().encode(valid);
  const place = bytes.indexOf("T".charCodeAt(0));
  bytes[place] = 0xff;
  assertEquals(decode(bytes, DECODE_OPTIONS).kind, "corrupt", "not UTF-8");
});

Deno.test("decode() reads a file that names no version as one of the first", () => {
  const { document, warnings } = read(
    '{"tasks":[null,{"id":5},{"id":"t_1_a","content":"ok","status":"pending"}]}',
  );
  assertEquals(document.graph.tasks.map((task) => task.id), ["t_1_a"]);
  assertEquals(warnings.map((warning) => warning.code), ["rows_dropped"]);
  assertEquals(document.revision, 0);
});

Deno.test("decode() refuses a file of a newer version", () => {
  for (const version of [2, 999, 1.5, 1e300]) {
    for (const tasks of [[], { by: "id" }]) {
      const text = JSON.stringify({ version, tasks });
      const error = assertThrows(() => decodeText(text), TasksError);
      assertEquals(error.code, "sidecar_newer");
      assertStringIncludes(error.message, String(version));
    }
  }
});

Deno.test("decode() refuses the file of a session whose id differs only in case", () => {
  const error = assertThrows(
    () => decodeText(fileOf([], { session_id: "Demo" })),
    TasksError,
  );
  assertEquals(error.code, "open_failed");
  assertStringIncludes(error.message, '"Demo"');
  assertStringIncludes(error.message, '"demo"');
});

Deno.test("decode() takes the file of another session as a fork, to be saved under the new id", () => {
  const { document, warnings, needsSave, losesData } = read(
    fileOf([row("A")], { session_id: "origin" }),
  );
  assertEquals(document.sessionId, "demo");
  assertEquals(document.graph.tasks.length, 1);
  assertEquals(warnings.map((warning) => warning.code), ["other_session"]);
  assertStringIncludes(warnings[0]?.message ?? "", '"origin"');
  assertEquals([needsSave, losesData], [true, false]);
  assertEquals(JSON.parse(encode(document)).session_id, "demo");
});

Deno.test("a warning about another session is about no task", () => {
  const { warnings } = read(fileOf([row("A")], { session_id: "origin" }));
  assertEquals(warnings[0]?.taskIds, []);
});

Deno.test("decode() makes abandoned tasks pending, by the age of their last sign of life", () => {
  const ages: [unknown, boolean][] = [
    [NOW, false],
    [NOW - 300_000, false],
    [NOW - 300_001, true],
    [NOW + 300_000, false],
    [NOW + 300_001, true],
    [0, true],
    [-1, true],
    [1e300, true],
    [undefined, true],
    [null, true],
    ["2025-07-10", true],
    [String(NOW), true],
    [{}, true],
  ];
  for (const [updated_at, isReset] of ages) {
    const { document, codes, needsSave } = read(
      fileOf([row("A", { status: "in_progress", updated_at }), row("B")]),
    );
    const about = `updated_at ${JSON.stringify(updated_at)}`;
    const task = document.graph.get("A");
    assertEquals(task?.status, isReset ? "pending" : "in_progress", about);
    assertEquals(task?.updated_at, isReset ? NOW : updated_at, about);
    assertEquals(codes, isReset ? ["stale_reset"] : [], about);
    assertEquals(needsSave, isReset, about);
  }
});

Deno.test("decode() reads a number that is out of range as no sign of life", () => {
  const text = fileOf([row("A", { status: "in_progress" })])
    .replace(`"updated_at":${NOW}`, '"updated_at":1e999');
  assertEquals(read(text).document.graph.get("A")?.status, "pending");
});

Deno.test("decode() uses the grace it is given", () => {
  const text = fileOf([
    row("A", { status: "in_progress", updated_at: NOW - 1 }),
  ]);
  const graces: [number, string][] = [
    [0, "pending"],
    [1, "in_progress"],
    [Infinity, "in_progress"],
  ];
  for (const [staleAfterMs, status] of graces) {
    assertEquals(
      read(text, { staleAfterMs }).document.graph.get("A")?.status,
      status,
    );
  }
});

Deno.test("decode() resets nothing when there is no end of the grace, not even a task without a stamp", () => {
  const text = fileOf([{ id: "A", content: "A", status: "in_progress" }]);
  const statuses = [NOW, Infinity].map((staleAfterMs) =>
    read(text, { staleAfterMs }).document.graph.get("A")?.status
  );
  assertEquals(statuses, ["pending", "in_progress"]);
});

Deno.test("decode() resets tasks of no other status, however old they are", () => {
  const rows = ["pending", "completed", "deleted"].map((status) =>
    row(status, { status, updated_at: 5, created_at: 4 })
  );
  const { document, warnings, needsSave } = read(fileOf(rows));
  assertEquals(document.graph.tasks.map((task) => task.status), [
    "pending",
    "completed",
    "deleted",
  ]);
  assertEquals(
    document.graph.tasks.every((task) => task.updated_at === 5),
    true,
  );
  assertEquals(warnings, []);
  assertEquals(needsSave, false);
});

Deno.test("decode() leaves out rows that are no tasks and keeps the rest in order", () => {
  const bad: unknown[] = [
    null,
    5,
    "t_1",
    [],
    [["A"]],
    {},
    { id: 5, content: "x" },
    { id: "", content: "x" },
    { id: null, content: "x" },
    { id: ["A"], content: "x" },
    { id: "X" },
    { id: "X", content: null },
    { id: "X", content: ["x"] },
    { id: "\ud800", content: "x" },
  ];
  const { document, codes, needsSave, losesData } = read(
    fileOf([row("B"), ...bad, row("A")]),
  );
  assertEquals(document.graph.tasks.map((task) => task.id), ["B", "A"]);
  assertEquals(codes, ["rows_dropped"]);
  assertEquals([needsSave || losesData, losesData], [true, true]);
});

Deno.test("decode() keeps the first of the rows that share an id", () => {
  const { document, warnings, losesData } = read(
    fileOf([row("A", { content: "first" }), row("A", { content: "second" })]),
  );
  assertEquals(document.graph.tasks.map((task) => task.content), ["first"]);
  assertEquals(warnings.map(({ code, taskIds }) => [code, taskIds]), [[
    "rows_dropped",
    ["A"],
  ]]);
  assertEquals(losesData, true);
});

Deno.test("decode() replaces fields of the wrong type, and keeps a copy", () => {
  const repairs: [Record<string, unknown>, Record<string, unknown>][] = [
    [{ status: "done" }, { status: "pending" }],
    [{ status: undefined }, { status: "pending" }],
    [{ status: "constructor" }, { status: "pending" }],
    [{ blockedBy: "B" }, { blockedBy: [] }],
    [{ blockedBy: { 0: "B" } }, { blockedBy: [] }],
    [{ blockedBy: ["B", 5, null, "", "\ud800"] }, { blockedBy: ["B"] }],
    [{ active_form: 5 }, { active_form: undefined }],
    [{ active_form: ["x"] }, { active_form: undefined }],
    [{ active_form: "x\ud800" }, { active_form: "x\ufffd" }],
    [{ content: "x\udc00" }, { content: "x\ufffd" }],
  ];
  for (const [fields, repaired] of repairs) {
    const { document, warnings, losesData } = read(
      fileOf([row("B"), row("A", fields)]),
    );
    const about = JSON.stringify(fields);
    const task = document.graph.get("A");
    assert(task !== undefined, about);
    assertEquals({ ...task, ...repaired }, task, about);
    assertEquals(
      warnings.map(({ code, taskIds }) => [code, taskIds]),
      [["rows_repaired", ["A"]]],
      about,
    );
    assertEquals(losesData, true, about);
  }
});

Deno.test("decode() fills in what can be derived, without a word", () => {
  const { document, warnings } = read(fileOf([
    { id: "A", content: "x", status: "completed" },
    { id: "B", content: "x", status: "completed", updated_at: 7 },
    {
      id: "C",
      content: "x",
      status: "completed",
      completed_at: 6,
      updated_at: 7,
      created_at: 5,
    },
    {
      id: "D",
      content: "x",
      status: "pending",
      completed_at: 6,
      updated_at: 7,
      active_form: "",
    },
    {
      id: "E",
      content: "x",
      status: "pending",
      blocks: ["A"],
      blockedBy: ["D", "D"],
    },
  ]));
  const stamps = document.graph.tasks.map((task) => [
    task.completed_at,
    task.updated_at,
    task.created_at,
  ]);
  assertEquals(stamps, [
    [NOW, NOW, NOW],
    [7, 7, 7],
    [6, 7, 5],
    [undefined, 7, 7],
    [undefined, NOW, NOW],
  ]);
  assertEquals(document.graph.get("E")?.blockedBy, ["D"]);
  assertEquals(document.graph.blocksOf(0), []);
  assertEquals(warnings, []);
});

Deno.test("decode() keeps edges to missing tasks, as active blockers, and says so", () => {
  const { document, warnings, losesData } = read(
    fileOf([
      row("A", { blockedBy: ["ghost", "B"] }),
      row("B", { blockedBy: ["__proto__"] }),
    ]),
  );
  assertEquals(warnings.map(({ code, taskIds }) => [code, taskIds]), [
    ["missing_blockers", ["ghost", "__proto__"]],
  ]);
  assertEquals(losesData, false);
  const tool = new Tool(document.graph);
  assertEquals(tool.blocked(), ["A", "B"]);
  tool.change({ action: "update", id: "B", blockedBy: [] });
  assertEquals(tool.blocked(), ["A"]);
});

Deno.test("decode() keeps loops and self edges, and says so", () => {
  const { document, warnings } = read(fileOf([
    row("A", { blockedBy: ["B"] }),
    row("B", { blockedBy: ["A"] }),
    row("S", { blockedBy: ["S"] }),
    row("W", { blockedBy: ["A"] }),
  ]));
  assertEquals(warnings.map((warning) => warning.code), ["loops"]);
  assertEquals([...warnings[0]?.taskIds ?? []].sort(), ["A", "B", "S"]);
  const tool = new Tool(document.graph);
  tool.change({ action: "update", id: "W", content: "unrelated" });
  tool.change({ action: "update", id: "S", blockedBy: [] });
  tool.change({ action: "update", id: "A", blockedBy: [] });
  assertEquals(tool.blocked(), ["B", "W"]);
});

Deno.test("decode() names at most twenty tasks in a warning, and counts the rest", () => {
  const rows = Array.from(
    { length: 500 },
    (_, i) => row(`t_${i}`, { status: "in_progress", updated_at: 0 }),
  );
  const { warnings } = read(fileOf(rows));
  assertEquals(warnings[0]?.taskIds.length, 20);
  assertStringIncludes(warnings[0]?.message ?? "", "500");
});

Deno.test("decode() tells of hostile ids in printable, well-formed, short warnings", () => {
  const hostile = `\ud800\x1b[2J${"x".repeat(100_000)}`;
  const { warnings } = read(fileOf(
    [{ id: hostile }, row("A", { blockedBy: [hostile.toWellFormed()] })],
    { session_id: hostile },
  ));
  assertEquals(warnings.length, 3);
  for (const { message, taskIds } of warnings) {
    for (const text of [message, ...taskIds]) {
      assert(text.isWellFormed());
      assertNotMatch(text, /\p{Cc}/u);
      assert(text.length < 2_000);
    }
  }
});

Deno.test("decode() reads rows with ids of the prototype, without touching it", () => {
  const ids = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const { document, warnings } = read(
    fileOf(ids.map((id) => row(id, { blockedBy: ["toString"] }))),
  );
  assertEquals(document.graph.tasks.map((task) => task.id), ids);
  assertEquals(warnings.map((warning) => warning.code), ["loops"]);
  assertEquals(Object.keys(Object.prototype), []);
  assertEquals(({} as Record<string, unknown>)["content"], undefined);
});

Deno.test("decode() takes a row that hides a prototype for one with a field more", () => {
  const text = fileOf([row("A", { hidden: 0 })])
    .replace('"hidden":0', '"__proto__":{"status":"deleted","id":"Z"}');
  const { document } = read(text);
  assertEquals(document.graph.get("A")?.status, "pending");
  assertStringIncludes(
    encode(document),
    '"__proto__":{"status":"deleted","id":"Z"}',
  );
});

/** Objects within objects, of a kind that `JSON.stringify` walks by recursion. */
function nest(depth: number): string {
  return `${'{"0":'.repeat(depth)}1${"}".repeat(depth)}`;
}

Deno.test("decode() leaves out unknown fields that are nested too deeply to write back", () => {
  const rowWith = (value: string) =>
    fileOf([row("A", { x: 0, deep: 0 })]).replace(
      '"deep":0',
      `"deep":${value}`,
    );
  const fileWith = (value: string) =>
    fileOf([row("A")], { x: 0, deep: 0 }).replace(
      '"deep":0',
      `"deep":${value}`,
    );
  for (const withValue of [rowWith, fileWith]) {
    const shallow = read(withValue(nest(10)));
    assertEquals([shallow.codes, shallow.losesData], [[], false]);
    assertStringIncludes(encode(shallow.document), nest(10));
    const deep = read(withValue(nest(100_000)));
    assertEquals([deep.codes, deep.losesData], [["rows_repaired"], true]);
    assertStringIncludes(encode(deep.document), '"id":"A"');
  }
});

Deno.test("a document that was read can be written from deeper within the stack", () => {
  const withDeep = (depth: number) =>
    fileOf([row("A", { deep: 0 })]).replace(
      '"deep":0',
      `"deep":${nest(depth)}`,
    );
  const below = (frames: number, act: () => void): void =>
    frames === 0 ? act() : below(frames - 1, act);
  let [most, tooMany] = [10, 100_000];
  while (tooMany - most > 1) {
    const depth = Math.floor((most + tooMany) / 2);
    if (read(withDeep(depth)).losesData) tooMany = depth;
    else most = depth;
  }
  const { document } = read(withDeep(most));
  below(100, () => assertStringIncludes(encode(document), '"id":"A"'));
});

Deno.test("decode() takes rows and files that are nested without an end where a task should be", () => {
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const { document, codes } = read(
    fileOf([0, row("A")]).replace("[0,", `[${deep},`),
  );
  assertEquals(document.graph.tasks.map((task) => task.id), ["A"]);
  assertEquals(codes, ["rows_dropped"]);
});

Deno.test("decode() takes a revision only when it is a count", () => {
  const revisions: [unknown, number][] = [
    [7, 7],
    [0, 0],
    [-1, 0],
    [1.5, 0],
    ["7", 0],
    [null, 0],
    [undefined, 0],
    [1e300, 0],
  ];
  for (const [revision, kept] of revisions) {
    assertEquals(read(fileOf([], { revision })).document.revision, kept);
  }
});

Deno.test("decode() takes 50 000 tasks in one loop", () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, i) => row(`n${i}`, { blockedBy: [`n${(i + 49_999) % 50_000}`] }),
  );
  const { document, codes } = read(fileOf(rows));
  assertEquals(document.graph.tasks.length, 50_000);
  assertEquals(codes, ["loops"]);
});

Deno.test("revisionOf() finds the revision in the head of what Encoder wrote", () => {
  const documents = [
    documentOf(BUSY, { revision: 0 }),
    documentOf(BUSY, { revision: 123 }),
    documentOf(Graph.empty, {
      revision: Number.MAX_SAFE_INTEGER,
      sessionId: "x".repeat(100),
    }),
    documentOf(BUSY, { revision: 5, unknownFields: { a: "x".repeat(1_000) } }),
  ];
  for (const document of documents) {
    const text = encode(document);
    assertEquals(revisionOf(text), document.revision);
    assertEquals(revisionOf(text.slice(0, REVISION_WITHIN)), document.revision);
  }
});

Deno.test("revisionOf() finds the revision whatever fields of the file are not known", () => {
  for (const name of ["0", "7", "__proto__", "version2", "", "z"]) {
    const text = fileOf([], { x: 1 }).replace('"x"', JSON.stringify(name));
    const saved = encode(read(text).document);
    assertEquals(
      revisionOf(saved.slice(0, REVISION_WITHIN)),
      3,
      `a field "${name}"`,
    );
  }
});

Deno.test("revisionOf() answers nothing for a text that it does not know", () => {
  for (
    const text of [
      "",
      "{}",
      "null",
      '{"revision":5,"version":1}',
      '{"version":1,"session_id":"a","revision":-5,',
      '{"version":1,"session_id":"a","revision":5',
      '{"version":1,"session_id":"a\\"","revision":5,',
    ]
  ) assertEquals(revisionOf(text), undefined);
});

Deno.test("decode() gives back the calls that the document remembers", () => {
  const calls = [
    { toolCallId: "call_1", digest: "0a", action: "add", taskId: "A" },
    { toolCallId: "call_2", digest: "1b", action: "complete", taskId: "A" },
  ] as const;
  const document = documentOf(graphOf({ A: [] }), { calls });
  const { document: again, warnings } = read(encode(document));
  assertEquals(again.calls, calls);
  assertEquals(warnings, []);
  assert(!encode(documentOf(BUSY)).includes('"calls"'));
});

Deno.test("decode() forgets remembered calls that are none", () => {
  const odd = [
    null,
    5,
    {},
    [],
    ["x"],
    ["x", "add", "A"],
    ["", "0a", "add", "A"],
    ["x", 7, "add", "A"],
    ["x", "0a", "delete", "A"],
    ["x", "0a", "add", 5],
  ];
  for (const calls of [odd, null, "x", {}]) {
    assertEquals(read(fileOf([row("A")], { calls })).document.calls, []);
  }
});

Deno.test("decode() forgets the calls of the session that a fork comes from", () => {
  const calls = [["call_1", "0a", "add", "A"]];
  const { document } = read(fileOf([row("A")], { calls, session_id: "other" }));
  assertEquals(document.calls, []);
});

Deno.test("Encoder cuts a snapshot into pieces, of which a change leaves the others as they were", () => {
  const blockers = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`t_${i}`, []]),
  );
  const encoder = new Encoder();
  const graph = graphOf(blockers);
  const before = encoder.snapshot(documentOf(graph));
  const after = encoder.snapshot(
    documentOf(graph.with(record("t_20", { content: "new" }))),
  );
  assertEquals(
    before.map((piece) => JSON.parse(piece).length),
    [TASKS_PER_PIECE, TASKS_PER_PIECE, 40 - 2 * TASKS_PER_PIECE],
  );
  assertEquals(
    after.map((piece, i) => piece === before[i]),
    [true, false, true],
  );
});

Deno.test("Encoder leaves a snapshot that it gave out as it was", () => {
  const encoder = new Encoder();
  const graph = graphOf({ A: [], B: [] });
  const before = encoder.snapshot(documentOf(graph));
  const copy = [...before];
  encoder.snapshot(documentOf(graph.with(record("A", { content: "new" }))));
  assertEquals(before, copy);
});
