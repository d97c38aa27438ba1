import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import { Graph } from "../../src/graph/graph.ts";
import { graphOf, NOW, record, snapshotOf, Tool } from "../support/graph.ts";

Deno.test("applyInput() answers a change with the row and the whole graph, compact", () => {
  const tool = new Tool();
  const db = tool.add("Provision the dev DB");
  tool.now++;
  const result = tool.call({
    action: "add",
    content: "Seed dev fixtures",
    blockedBy: [db],
  });
  const seed = `t_${NOW + 1}_a1b2`;
  assertEquals(JSON.parse(JSON.stringify(result)), {
    action: "add",
    task: {
      id: seed,
      content: "Seed dev fixtures",
      status: "pending",
      blockedBy: [db],
    },
    snapshot: {
      tasks: [
        {
          id: db,
          content: "Provision the dev DB",
          status: "pending",
          blocks: [seed],
        },
        {
          id: seed,
          content: "Seed dev fixtures",
          status: "pending",
          blockedBy: [db],
        },
      ],
    },
  });
});

Deno.test("applyInput() answers list with the rows that pass the filter and the whole graph", () => {
  const tool = new Tool();
  const [a, b, c] = [tool.add("A"), tool.add("B"), tool.add("C")];
  tool.change({ action: "complete", id: a });
  tool.change({ action: "remove", id: b });
  const tables: [unknown, string[]][] = [
    [{ action: "list" }, [a, b, c]],
    [{ action: "list", status_filter: "" }, [a, b, c]],
    [{ action: "list", status_filter: "completed" }, [a]],
    [{ action: "list", status_filter: "deleted" }, [b]],
    [{ action: "list", status_filter: "todo" }, [c]],
    [{ action: "list", status_filter: "in_progress" }, []],
  ];
  for (const [call, ids] of tables) {
    assertEquals(tool.ids(call), ids);
    const result = tool.call(call);
    assert("snapshot" in result);
    assertEquals(Object.keys(result), ["action", "tasks", "snapshot"]);
    assertEquals(result.snapshot, snapshotOf(tool.graph));
  }
});

Deno.test("applyInput() answers blocked with the blocked rows and no snapshot", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"] }));
  const result = tool.call({ action: "blocked" });
  assertEquals(Object.keys(result), ["action", "tasks"]);
  assertEquals(tool.blocked(), ["B"]);
});

Deno.test("applyInput() follows the worked example of the specification", () => {
  const tool = new Tool();
  const setupDb = tool.add("Provision the dev DB");
  const seed = tool.add("Seed fixtures", [setupDb]);
  const smoke = tool.add("Smoke test", [seed]);
  tool.change({ action: "complete", id: setupDb });
  assertEquals(tool.task(seed).blockedBy, [setupDb]);
  assertEquals(tool.blocked(), [smoke]);
  tool.change({ action: "update", id: seed, status: "in_progress" });
  tool.change({ action: "complete", id: seed });
  assertEquals(tool.blocked(), []);
  assertEquals(tool.task(smoke).status, "pending");
  tool.change({ action: "remove", id: smoke });
  assertEquals(tool.ids({ action: "list" }), [setupDb, seed, smoke]);
  assertEquals(tool.task(smoke).status, "deleted");
});

Deno.test("add mints an id from the clock and the random suffix", () => {
  const tool = new Tool();
  tool.randomSuffix = () => "00ff";
  assertEquals(tool.add("A"), `t_${NOW}_00ff`);
});

Deno.test("add mints 500 ids with a frozen clock and a constant random source", () => {
  for (const suffix of ["0000", "ffff", "fff0"]) {
    const tool = new Tool();
    tool.randomSuffix = () => suffix;
    const ids = Array.from({ length: 500 }, () => tool.add("same"));
    assertEquals(new Set(ids).size, 500);
    for (const id of ids) assertMatch(id, /^t_\d+_[0-9a-f]{4}$/);
  }
});

Deno.test("add mints an id when every suffix of the millisecond is taken", () => {
  const taken = Array.from(
    { length: 0x10000 },
    (_, i) => record(`t_${NOW}_${i.toString(16).padStart(4, "0")}`),
  );
  const tool = new Tool(Graph.from(taken));
  const id = tool.add("one more");
  assertMatch(id, /^t_\d+_[0-9a-f]{4}$/);
  assertEquals(tool.graph.tasks.filter((task) => task.id === id).length, 1);
});

Deno.test("add does not mint the id of a deleted task, nor one that an edge leads to in vain", () => {
  const ghost = `t_${NOW}_a1b3`;
  const tool = new Tool(Graph.from([
    record(`t_${NOW}_a1b2`, { status: "deleted" }),
    record("A", { blockedBy: [ghost] }),
  ]));
  assertEquals(tool.add("B"), `t_${NOW}_a1b4`);
  assertEquals(tool.blocked(), ["A"]);
});

Deno.test("add makes two tasks out of two identical calls", () => {
  const tool = new Tool();
  assertNotEquals(tool.add("same"), tool.add("same"));
  assertEquals(tool.graph.tasks.length, 2);
});

Deno.test("add stores blockers once, in the order of their first mention", () => {
  const tool = new Tool(graphOf({ A: [], B: [] }));
  const { id, blockedBy } = tool.change({
    action: "add",
    content: "C",
    blockedBy: ["B", "A", "B"],
  });
  assertEquals(blockedBy, ["B", "A"]);
  assertEquals(tool.task("B").blocks, [id]);
});

Deno.test("add and update refuse unknown blockers and name only those", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"] }));
  const lists: [unknown, string[]][] = [
    [["A", "Provision the dev DB"], ["Provision the dev DB"]],
    [["null"], ["null"]],
    ["none", ["none"]],
    [["x", "A", "y"], ["x", "y"]],
    [["__proto__", "constructor", "toString"], [
      "__proto__",
      "constructor",
      "toString",
    ]],
    [["../../../etc/passwd"], ["../../../etc/passwd"]],
  ];
  for (const [blockedBy, unknown] of lists) {
    for (
      const call of [
        { action: "add", content: "C", blockedBy },
        { action: "update", id: "B", blockedBy },
      ]
    ) {
      const error = tool.refuse(call);
      assertEquals(error.code, "unknown_blocker");
      assertEquals(error.taskIds, unknown);
      for (const id of unknown) assertStringIncludes(error.message, `"${id}"`);
      assertNotMatch(error.message, /"A"/);
      assertStringIncludes(error.message, "add");
      assertStringIncludes(error.message, "list");
    }
  }
});

Deno.test("add refuses a thousand long unknown blockers in under 2 kB", () => {
  for (const letter of ["x", "好", "\u0000", "\ud83d"]) {
    const blockedBy = Array.from(
      { length: 1_000 },
      (_, i) => `${i}${letter.repeat(500)}`,
    );
    const { message } = new Tool().refuse({
      action: "add",
      content: "x",
      blockedBy,
    });
    assert(new TextEncoder().encode(message).length < 2_000);
    assert(message.isWellFormed());
    assertNotMatch(message, /\p{Cc}/u);
    assertStringIncludes(message, '{"action":"list"}');
  }
});

Deno.test("update, complete and remove refuse an unknown task", () => {
  const tool = new Tool(graphOf({ A: [] }));
  const ids = ["null", "a", "__proto__", "constructor", "hasOwnProperty", "好"];
  for (const id of ids) {
    for (const action of ["update", "complete", "remove"]) {
      const error = tool.refuse({ action, id });
      assertEquals(error.code, "unknown_task");
      assertEquals(error.taskIds, [id]);
      assertStringIncludes(error.message, `"${id}"`);
    }
  }
});

Deno.test("update changes the fields it is given and leaves the others alone", () => {
  const tool = new Tool(Graph.from([
    record("B"),
    record("A", {
      content: "old",
      active_form: "Olding",
      blockedBy: ["B"],
      status: "in_progress",
      unknownFields: { x: 1 },
    }),
  ]));
  const before = tool.graph.get("A");
  assert(before !== undefined);
  const changes: [Record<string, unknown>, Partial<typeof before>][] = [
    [{ content: "new" }, { content: "new" }],
    [{ active_form: "Newing" }, { active_form: "Newing" }],
    [{ status: "pending" }, { status: "pending" }],
    [{ blockedBy: [] }, { blockedBy: [] }],
  ];
  for (const [given, changed] of changes) {
    const copy = new Tool(tool.graph);
    copy.now = NOW + 5;
    copy.change({
      action: "update",
      id: "A",
      content: null,
      status: "",
      blockedBy: null,
      ...given,
    });
    assertEquals(copy.graph.get("A"), {
      ...before,
      completed_at: undefined,
      updated_at: NOW + 5,
      ...changed,
    });
    assertStrictEquals(copy.graph.get("B"), tool.graph.get("B"));
  }
});

Deno.test("update replaces blockers with a list, clears them with [], keeps them with null", () => {
  const tool = new Tool(graphOf({ B: [], C: [], A: ["B"] }));
  const steps: [unknown, string[] | undefined][] = [
    [null, ["B"]],
    [undefined, ["B"]],
    [["C"], ["C"]],
    [["C", "B"], ["C", "B"]],
    [["B", "C"], ["B", "C"]],
    [[], undefined],
  ];
  for (const [blockedBy, kept] of steps) {
    assertEquals(
      tool.change({ action: "update", id: "A", blockedBy }).blockedBy,
      kept,
    );
  }
  assertEquals(tool.task("B").blocks, undefined);
});

Deno.test("update with nothing but empty values keeps the edges", () => {
  const tool = new Tool(graphOf({ B: [], A: ["B"] }));
  const { code } = tool.refuse({
    action: "update",
    id: "A",
    blockedBy: [null, ""],
  });
  assertEquals(code, "invalid_arguments");
});

Deno.test("update stamps the one row that changed", () => {
  const tool = new Tool(graphOf({ B: [], A: ["B"] }));
  tool.now = NOW + 7;
  tool.change({ action: "complete", id: "B" });
  assertEquals(tool.graph.get("B")?.updated_at, NOW + 7);
  assertEquals(tool.graph.get("B")?.created_at, NOW);
  assertEquals(tool.graph.get("A")?.updated_at, NOW);
});

Deno.test("a call that changes nothing succeeds with the full result and the same graph", () => {
  const tool = new Tool(Graph.from([
    record("D", { status: "deleted" }),
    record("C", { status: "completed", completed_at: NOW - 9 }),
    record("A", { blockedBy: ["C", "D"], active_form: "Doing A" }),
  ]));
  const calls = [
    { action: "update", id: "A" },
    { action: "update", id: "A", content: "Task A", status: "pending" },
    { action: "update", id: "A", blockedBy: ["C", "D", "C"] },
    { action: "update", id: "A", active_form: "Doing A", content: " " },
    { action: "complete", id: "C" },
    { action: "update", id: "C", status: "done" },
    { action: "remove", id: "D" },
    { action: "update", id: "D", status: "deleted" },
    { action: "update", id: "D" },
  ];
  const before = tool.graph;
  for (const call of calls) {
    tool.now++;
    const outcome = tool.apply(call);
    assertEquals(outcome.kind, "answered", JSON.stringify(call));
    assertStrictEquals(tool.graph, before);
    const result = tool.call(call);
    assertEquals(Object.keys(result), ["action", "task", "snapshot"]);
    assert("task" in result);
    assertEquals(result.task.id, call.id);
  }
});

Deno.test("update to in_progress counts as a sign of life when the task is in progress already", () => {
  const tool = new Tool(
    Graph.from([record("A", { status: "in_progress" })]),
  );
  tool.now = NOW + 60_000;
  const outcome = tool.apply({
    action: "update",
    id: "A",
    status: "in_progress",
  });
  assertEquals(outcome.kind, "changed");
  assertEquals(tool.graph.get("A")?.updated_at, NOW + 60_000);
});

Deno.test("any status may follow any other", () => {
  const statuses = ["pending", "in_progress", "completed", "deleted"] as const;
  for (const from of statuses) {
    for (const to of statuses) {
      const tool = new Tool(Graph.from([record("A", {
        status: from,
        completed_at: from === "completed" ? NOW - 1 : undefined,
      })]));
      const { status, completed_at } = tool.change({
        action: "update",
        id: "A",
        status: to,
      });
      assertEquals(status, to);
      const stamp = from === to ? NOW - 1 : NOW;
      assertEquals(completed_at, to === "completed" ? stamp : undefined);
    }
  }
});

Deno.test("completed_at is set exactly while a task is completed, and its first stamp stays", () => {
  const ways = [
    { action: "complete" },
    { action: "update", status: "completed" },
  ];
  for (const first of ways) {
    for (const again of ways) {
      const tool = new Tool(graphOf({ A: [] }));
      assertEquals(tool.change({ ...first, id: "A" }).completed_at, NOW);
      tool.now = NOW + 1_000;
      assertEquals(tool.change({ ...again, id: "A" }).completed_at, NOW);
      const edited = tool.change({ action: "update", id: "A", content: "x" });
      assertEquals(edited.completed_at, NOW);
      const reopened = tool.change({
        action: "update",
        id: "A",
        status: "pending",
      });
      assertEquals("completed_at" in reopened, false);
      assertEquals(
        tool.change({ ...again, id: "A" }).completed_at,
        NOW + 1_000,
      );
      const removed = tool.change({ action: "remove", id: "A" });
      assertEquals("completed_at" in removed, false);
    }
  }
});

Deno.test("complete leaves the dependents as they are, and blocked no longer counts the task", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"], C: ["B", "A"] }));
  const [b, c] = [tool.graph.get("B"), tool.graph.get("C")];
  tool.change({ action: "complete", id: "A" });
  assertStrictEquals(tool.graph.get("B"), b);
  assertStrictEquals(tool.graph.get("C"), c);
  assertEquals(tool.task("B").blockedBy, ["A"]);
  assertEquals(tool.blocked(), ["C"]);
});

Deno.test("complete and update take a task that is blocked", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"], C: ["B"] }));
  tool.change({ action: "update", id: "B", status: "in_progress" });
  assertEquals(tool.blocked(), ["B", "C"]);
  tool.change({ action: "complete", id: "B" });
  assertEquals(tool.blocked(), []);
});

Deno.test("reopening a blocker blocks its dependents again", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"] }));
  for (const action of ["complete", "remove"]) {
    tool.change({ action, id: "A" });
    assertEquals(tool.blocked(), []);
    tool.change({ action: "update", id: "A", status: "pending" });
    assertEquals(tool.blocked(), ["B"]);
    assertEquals(tool.task("B").status, "pending");
  }
});

Deno.test("remove keeps the row and its edges in both directions", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"], C: ["B"] }));
  assertEquals(tool.change({ action: "remove", id: "B" }), {
    id: "B",
    content: "Task B",
    status: "deleted",
    blockedBy: ["A"],
    blocks: ["C"],
  });
  assertEquals(tool.task("A").blocks, ["B"]);
  assertEquals(tool.task("C").blockedBy, ["B"]);
  assertEquals(tool.blocked(), []);
  assertEquals(tool.ids({ action: "list" }), ["A", "B", "C"]);
});

Deno.test("a deleted task cannot be changed, and the refusal says how to restore it", () => {
  const tool = new Tool(Graph.from([record("A", { status: "deleted" })]));
  const calls = [
    { action: "complete", id: "A" },
    { action: "update", id: "A", content: "new" },
    { action: "update", id: "A", active_form: "new" },
    { action: "update", id: "A", blockedBy: ["A"] },
    { action: "update", id: "A", content: "new", status: "deleted" },
  ];
  for (const call of calls) {
    const error = tool.refuse(call);
    assertEquals(error.code, "task_deleted");
    assertEquals(error.taskIds, ["A"]);
    const [advice] = error.message.match(/\{.*\}/) ?? [];
    assert(advice !== undefined);
    assertEquals(new Tool(tool.graph).change(advice).status, "pending");
  }
});

Deno.test("update restores a deleted task and changes it in one call", () => {
  const tool = new Tool(Graph.from([
    record("B"),
    record("A", { status: "deleted" }),
  ]));
  const restored = tool.change({
    action: "update",
    id: "A",
    status: "in_progress",
    content: "new",
    blockedBy: ["B"],
  });
  assertEquals(restored, {
    id: "A",
    content: "new",
    status: "in_progress",
    blockedBy: ["B"],
  });
});

Deno.test("update refuses an edge from a task to itself", () => {
  const tool = new Tool(graphOf({ A: [], B: [] }));
  for (
    const edges of [
      { blockedBy: ["A"] },
      { blockedBy: ["  A  "] },
      { blocked_by: "A" },
      { blockedBy: ["B", "A"] },
    ]
  ) {
    const error = tool.refuse({ action: "update", id: "A", ...edges });
    assertEquals(error.code, "cycle");
    assertStringIncludes(error.message, "A → A");
  }
});

Deno.test("update refuses an edge that closes a loop, and names the loop in order", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"], C: ["B"] }));
  const error = tool.refuse({ action: "update", id: "A", blockedBy: ["C"] });
  assertEquals(error.code, "cycle");
  assertStringIncludes(error.message, "A → C → B → A");
});

Deno.test("update names each task of a loop once in taskIds", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"], C: ["B"] }));
  const error = tool.refuse({ action: "update", id: "A", blockedBy: ["C"] });
  assertEquals(error.taskIds, ["A", "C", "B"]);
});

Deno.test("update cuts a loop of more than twenty tasks in the middle", () => {
  const ids = Array.from({ length: 50 }, (_, i) => `t_${NOW}_${1_000 + i}`);
  const tool = new Tool(Graph.from(
    ids.map((id, i) =>
      record(id, { blockedBy: ids.slice(Math.max(0, i - 1), i) })
    ),
  ));
  const [first, last] = [ids[0], ids[49]];
  const { code, message, taskIds } = tool.refuse({
    action: "update",
    id: first,
    blockedBy: [last],
  });
  assertEquals(code, "cycle");
  assertStringIncludes(message, `${first} → ${last} → ${ids[48]} → `);
  assertStringIncludes(message, ` → ${ids[1]} → ${first} `);
  assertMatch(message, /… \d+ more …/);
  assert(message.length < 2_000);
  assertEquals(taskIds?.every((id) => ids.includes(id)), true);
  assert(taskIds !== undefined && taskIds.length <= 20);
});

Deno.test("update refuses a loop through completed and deleted tasks, and says why", () => {
  for (const status of ["completed", "deleted"] as const) {
    const tool = new Tool(Graph.from([
      record("B"),
      record("A", { status, blockedBy: ["B"] }),
      record("X", { blockedBy: ["A"] }),
    ]));
    const error = tool.refuse({ action: "update", id: "B", blockedBy: ["X"] });
    assertEquals(error.code, "cycle");
    assertStringIncludes(error.message, "B → X → A → B");
    assertStringIncludes(error.message, "reopened");
  }
});

Deno.test("update can swap an edge around in two steps", () => {
  const tool = new Tool(graphOf({ B: [], A: ["B"] }));
  tool.change({ action: "update", id: "A", blockedBy: [] });
  tool.change({ action: "update", id: "B", blockedBy: ["A"] });
  assertEquals(tool.blocked(), ["B"]);
});

Deno.test("update does not count the edges that it takes away", () => {
  const tool = new Tool(graphOf({ B: [], C: ["B"], A: ["B"] }));
  assertEquals(
    tool.change({ action: "update", id: "A", blockedBy: ["C"] }).blockedBy,
    ["C"],
  );
});

Deno.test("loops that are there already do not stop unrelated work", () => {
  const tool = new Tool(graphOf({ C: ["D"], D: ["C"], A: ["C"], B: [] }));
  tool.change({ action: "update", id: "A", blockedBy: ["C", "B"] });
  tool.change({ action: "update", id: "A", blockedBy: ["D"] });
  tool.change({ action: "add", content: "E", blockedBy: ["A", "C"] });
  tool.change({ action: "update", id: "C", content: "in a loop" });
  tool.change({ action: "update", id: "C", blockedBy: ["D", "B"] });
});

Deno.test("a loop that is there already can be taken apart, even one of two", () => {
  const tool = new Tool(graphOf({ C: ["D", "E"], D: ["C"], E: ["C"] }));
  assertEquals(
    tool.change({ action: "update", id: "C", blockedBy: ["E"] }).blockedBy,
    ["E"],
  );
  tool.change({ action: "update", id: "C", blockedBy: [] });
  assertEquals(tool.blocked(), ["D", "E"]);
});

Deno.test("an edge to a missing task blocks, and can be edited away", () => {
  const tool = new Tool(graphOf({ B: [], A: ["ghost", "B"] }));
  assertEquals(tool.blocked(), ["A"]);
  tool.change({ action: "complete", id: "B" });
  assertEquals(tool.blocked(), ["A"]);
  tool.change({ action: "update", id: "A", status: "in_progress" });
  tool.change({ action: "update", id: "A", blockedBy: ["B"] });
  assertEquals(tool.blocked(), []);
});

Deno.test("edges to missing tasks can be edited away one by one", () => {
  const tool = new Tool(graphOf({ B: [], A: ["ghost", "phantom"] }));
  tool.change({ action: "update", id: "A", blockedBy: ["phantom"] });
  tool.change({ action: "update", id: "A", blockedBy: ["phantom", "B"] });
  tool.change({ action: "update", id: "A", blockedBy: ["B"] });
  const { code } = tool.refuse({
    action: "update",
    id: "A",
    blockedBy: ["B", "ghost"],
  });
  assertEquals(code, "unknown_blocker");
});

Deno.test("a task with an id of the prototype is a task like any other", () => {
  const tool = new Tool(
    graphOf({ constructor: [], toString: [] }).with(
      record("__proto__", { blockedBy: ["constructor"] }),
    ),
  );
  assertEquals(tool.blocked(), ["__proto__"]);
  tool.change({ action: "complete", id: "constructor" });
  tool.change({
    action: "update",
    id: "toString",
    blockedBy: ["__proto__"],
  });
  assertEquals(tool.blocked(), ["toString"]);
  assertEquals(({} as Record<string, unknown>)["status"], undefined);
});

Deno.test("add appends to a chain of 50 000 tasks, and update finds the loop it would close", () => {
  const tasks = Array.from(
    { length: 50_000 },
    (_, i) => record(`n${i}`, { blockedBy: i === 0 ? [] : [`n${i - 1}`] }),
  );
  const tool = new Tool(Graph.from(tasks));
  tool.apply({ action: "add", content: "x", blockedBy: ["n49999"] });
  const outcome = tool.apply({
    action: "update",
    id: "n0",
    blockedBy: ["n49999"],
  });
  assertEquals(outcome.kind, "refused");
  const blocked = tool.apply({ action: "blocked" });
  assert(blocked.kind === "answered");
  assertEquals(blocked.positions.length, 50_000);
});

Deno.test("fifty refusals in a row leave the graph as it was", () => {
  const tool = new Tool(graphOf({ A: [], B: ["A"] }));
  for (let i = 0; i < 50; i++) {
    tool.refuse({ action: "update", id: "A", blockedBy: ["B"] });
  }
  assertEquals(tool.add("C"), `t_${NOW}_a1b2`);
});

Deno.test("applyInput() names the action of a refused call where there is one", () => {
  const tool = new Tool();
  const calls: [unknown, string | undefined][] = [
    [{ action: "Add" }, "add"],
    [{ params: { action: "complete", id: "x" } }, "complete"],
    [{ action: "list", status_filter: "all" }, "list"],
    [{ action: "toString" }, undefined],
    [undefined, undefined],
  ];
  for (const [call, action] of calls) {
    const result = tool.call(call);
    assert("error" in result);
    assertEquals(result.action, action);
    assertEquals("action" in result, action !== undefined);
  }
});

Deno.test("applyInput() refuses input that throws when it is read", () => {
  const tool = new Tool();
  const hostile: unknown[] = [
    {
      get action(): string {
        throw new Error("no");
      },
    },
    {
      action: "add",
      get content(): string {
        throw new Error("no");
      },
    },
    new Proxy({}, {
      ownKeys(): string[] {
        throw new Error("no");
      },
    }),
  ];
  for (const input of hostile) {
    assertEquals(tool.refuse(input).code, "invalid_arguments");
  }
});
