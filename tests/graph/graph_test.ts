import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  activeBlockers,
  blockedPositions,
  blockedTasks,
  findCycle,
  findLoops,
  findTask,
  Graph,
  readyTasks,
} from "../../src/graph/graph.ts";
import type { Snapshot, Task, TaskStatus } from "../../src/model/task.ts";
import { graphOf, record, snapshotOf } from "../support/graph.ts";

/** For each id, the ids that it blocks. */
function blocksById(graph: Graph): Record<string, readonly string[]> {
  return Object.fromEntries(
    graph.tasks.map(({ id }, position) => [id, graph.blocksOf(position)]),
  );
}

/** `n0` ← `n1` ← … each blocked by the one before. */
function chain(length: number): Graph {
  return Graph.from(
    Array.from(
      { length },
      (_, i) => record(`n${i}`, { blockedBy: i === 0 ? [] : [`n${i - 1}`] }),
    ),
  );
}

/** Levels of two tasks, each blocked by both of the level before. */
function ladder(levels: number): Graph {
  return Graph.from(
    Array.from({ length: 2 * levels }, (_, i) => {
      const level = Math.floor(i / 2);
      const blockedBy = level === 0
        ? []
        : [`l${2 * level - 2}`, `l${2 * level - 1}`];
      return record(`l${i}`, { blockedBy });
    }),
  );
}

Deno.test("Graph.from() keeps the order and knows the edges in both directions", () => {
  const graph = graphOf({ B: [], A: ["B", "C"], C: ["B"] });
  assertEquals(graph.tasks.map((task) => task.id), ["B", "A", "C"]);
  assertEquals(blocksById(graph), { B: ["A", "C"], A: [], C: ["A"] });
  assertEquals(graph.missing, new Set());
});

Deno.test("Graph.from() lists the ids that edges lead to in vain", () => {
  const graph = graphOf({ A: ["ghost", "B"], B: ["ghost", "constructor"] });
  assertEquals(graph.missing, new Set(["ghost", "constructor"]));
  assertEquals(blocksById(graph), { A: [], B: ["A"] });
});

Deno.test("Graph.get() finds no task under an id of the prototype", () => {
  const graph = graphOf({ A: [] });
  for (
    const id of [
      "__proto__",
      "constructor",
      "hasOwnProperty",
      "toString",
      "",
      "a",
    ]
  ) {
    assertEquals(graph.get(id), undefined);
    assertEquals(graph.positionOf(id), undefined);
  }
  const odd = Graph.from([
    record("__proto__"),
    record("toString", { blockedBy: ["__proto__"] }),
  ]);
  assertEquals(odd.get("__proto__")?.id, "__proto__");
  assertEquals(odd.blocksOf(0), ["toString"]);
});

Deno.test("Graph.with() appends a new task and replaces a known one in its place", () => {
  const graph = graphOf({ A: [], B: [] });
  const appended = graph.with(record("C", { blockedBy: ["B", "A"] }));
  assertEquals(appended.tasks.map((task) => task.id), ["A", "B", "C"]);
  assertEquals(blocksById(appended), { A: ["C"], B: ["C"], C: [] });
  const replaced = appended.with(
    record("A", { content: "new", blockedBy: ["B"] }),
  );
  assertEquals(replaced.get("A")?.content, "new");
  assertEquals(replaced.tasks.map((task) => task.id), ["A", "B", "C"]);
  assertEquals(blocksById(replaced), { A: ["C"], B: ["A", "C"], C: [] });
});

Deno.test("Graph.with() gives the graph that Graph.from() would build", () => {
  const steps = [
    record("A"),
    record("B", { blockedBy: ["A"] }),
    record("C", { blockedBy: ["B", "A"] }),
    record("B", { blockedBy: [] }),
    record("A", { status: "completed" }),
    record("D", { blockedBy: ["C", "B", "A"] }),
    record("D", { blockedBy: ["A", "C"] }),
    record("B", { blockedBy: ["D"] }),
  ];
  let graph = Graph.empty;
  for (const step of steps) {
    graph = graph.with(step);
    const anew = Graph.from(graph.tasks);
    assertEquals(graph.dependents, anew.dependents);
    for (const { id } of graph.tasks) {
      assertStrictEquals(graph.positionOf(id), anew.positionOf(id));
    }
  }
});

Deno.test("Graph.with() leaves the graph it is called on as it was", () => {
  const graph = graphOf({ A: [], B: ["A"] });
  const before = snapshotOf(graph);
  graph.with(record("B", { blockedBy: [] }));
  graph.with(record("C", { blockedBy: ["A", "B"] }));
  assertEquals(snapshotOf(graph), before);
  assertEquals(graph.get("C"), undefined);
  assertEquals(Graph.empty.tasks, []);
});

Deno.test("Graph.with() keeps branches of one graph apart", () => {
  const root = graphOf({ A: [] });
  const left = root.with(record("L", { blockedBy: ["A"] }));
  const right = root.with(record("R"));
  assertEquals(left.get("R"), undefined);
  assertEquals(right.get("L"), undefined);

  const both = right.with(record("L", { content: "later" }));
  assertEquals(both.positionOf("L"), 2);
  assertEquals(left.positionOf("L"), 1);
  assertEquals(left.get("L")?.content, "Task L");

  const further = left.with(record("R", { blockedBy: ["L"] }));
  assertEquals(blocksById(further), { A: ["L"], L: ["R"], R: [] });
  assertEquals(blocksById(both), { A: [], R: [], L: [] });
  assertEquals(blocksById(root), { A: [] });
});

Deno.test("findCycle() finds no loop where there is none", () => {
  const graph = graphOf({ A: [], B: ["A"], C: ["B"], D: [] });
  const none: [string, string[]][] = [
    ["C", []],
    ["C", ["A"]],
    ["C", ["A", "D"]],
    ["D", ["A", "B", "C"]],
    ["unknown", ["A"]],
  ];
  for (const [id, blockers] of none) {
    assertEquals(findCycle(graph, id, blockers), undefined);
  }
});

Deno.test("findCycle() names the loop, each task blocked by the next", () => {
  const graph = graphOf({ A: [], B: ["A"], C: ["B"], D: ["C"] });
  assertEquals(findCycle(graph, "A", ["A"]), ["A", "A"]);
  assertEquals(findCycle(graph, "A", ["B"]), ["A", "B", "A"]);
  assertEquals(findCycle(graph, "A", ["D"]), ["A", "D", "C", "B", "A"]);
});

Deno.test("findCycle() counts edges of tasks of every status", () => {
  for (
    const status of ["pending", "in_progress", "completed", "deleted"] as const
  ) {
    const graph = Graph.from([
      record("B"),
      record("A", { status, blockedBy: ["B"] }),
      record("X", { blockedBy: ["A"] }),
    ]);
    assertEquals(findCycle(graph, "B", ["X"]), ["B", "X", "A", "B"]);
  }
});

Deno.test("findCycle() does not count the edges that the task has now", () => {
  const graph = graphOf({ A: ["B"], B: [], C: ["B"] });
  assertEquals(findCycle(graph, "A", ["C"]), undefined);
});

Deno.test("findCycle() ends in a graph that has other loops, and does not blame them", () => {
  const graph = graphOf({ C: ["D"], D: ["C"], A: ["C"], B: [], S: ["S"] });
  assertEquals(findCycle(graph, "A", ["B"]), undefined);
  assertEquals(findCycle(graph, "A", ["S"]), undefined);
  assertEquals(findCycle(graph, "B", ["A"]), undefined);
  assertEquals(findCycle(graph, "D", ["A"]), ["D", "A", "C", "D"]);
});

Deno.test("findCycle() follows a chain of 50 000 tasks", () => {
  const graph = chain(50_000);
  assertEquals(findCycle(graph, "n49999", ["n0"]), undefined);
  const loop = findCycle(graph, "n0", ["n49999"]);
  assertEquals(loop?.length, 50_001);
  assertEquals(loop?.slice(0, 3), ["n0", "n49999", "n49998"]);
  assertEquals(loop?.at(-1), "n0");
});

Deno.test("findCycle() and blockedPositions() take a ladder of diamonds", () => {
  const graph = ladder(25);
  assertEquals(findCycle(graph, "l49", ["l0"]), undefined);
  const loop = findCycle(graph, "l0", ["l49"]);
  assertEquals(loop?.length, 26);
  assertEquals(
    blockedPositions(graph),
    Array.from({ length: 48 }, (_, i) => i + 2),
  );
});

Deno.test("findLoops() finds none in a graph without loops", () => {
  for (
    const graph of [
      Graph.empty,
      graphOf({ A: [], B: ["A"], C: ["A", "B"] }),
      ladder(25),
    ]
  ) {
    assertEquals(findLoops(graph), []);
  }
  assertEquals(findLoops(graphOf({ A: ["ghost"], B: ["A"] })), []);
});

Deno.test("findLoops() names a loop for every knot, each task blocked by the next", () => {
  assertEquals(findLoops(graphOf({ A: ["A"] })), [["A", "A"]]);
  assertEquals(findLoops(graphOf({ A: ["B"], B: ["A"] })), [["A", "B", "A"]]);
  assertEquals(
    findLoops(
      graphOf({
        X: ["A"],
        A: ["free", "B"],
        free: [],
        B: ["C"],
        C: ["A"],
        D: ["D"],
      }),
    ),
    [["A", "B", "C", "A"], ["D", "D"]],
  );
});

Deno.test("findLoops() does not take the tasks that wait for a loop for a part of it", () => {
  const graph = graphOf({
    W: ["V"],
    V: ["A"],
    A: ["B"],
    B: ["A"],
    Z: ["W", "B"],
  });
  assertEquals(findLoops(graph), [["A", "B", "A"]]);
});

Deno.test("findLoops() takes a loop of 50 000 tasks", () => {
  const [first, ...rest] = chain(50_000).tasks;
  assert(first !== undefined);
  const graph = Graph.from([{ ...first, blockedBy: ["n49999"] }, ...rest]);
  assertEquals(findLoops(graph).map((loop) => loop.length), [50_001]);
});

const STATUSES: readonly TaskStatus[] = [
  "pending",
  "in_progress",
  "completed",
  "deleted",
];

Deno.test("the tool, activeBlockers(), blockedTasks() and readyTasks() agree on what is ready", () => {
  for (const blocker of [...STATUSES, "missing" as const]) {
    for (const status of STATUSES) {
      const graph = Graph.from([
        ...blocker === "missing" ? [] : [record("B", { status: blocker })],
        record("A", { status, blockedBy: ["B"] }),
      ]);
      const snapshot = snapshotOf(graph);
      const isActive = blocker !== "completed" && blocker !== "deleted";
      const isOpen = status === "pending" || status === "in_progress";
      const ids = (tasks: readonly Task[]) => tasks.map((task) => task.id);
      const about = `A ${status}, B ${blocker}`;
      assertEquals(activeBlockers(snapshot, "A"), isActive ? ["B"] : [], about);
      const blocked = isActive && isOpen ? ["A"] : [];
      assertEquals(ids(blockedTasks(snapshot)), blocked, about);
      assertEquals(
        blockedPositions(graph).map((position) => graph.tasks[position]?.id),
        blocked,
        about,
      );
      assertEquals(
        ids(readyTasks(snapshot)).includes("A"),
        status === "pending" && !isActive,
        about,
      );
    }
  }
});

Deno.test("blockedTasks() names a task with several active blockers once", () => {
  const snapshot = snapshotOf(graphOf({ A: [], B: [], C: ["A", "B"] }));
  assertEquals(blockedTasks(snapshot).map((task) => task.id), ["C"]);
  assertEquals(activeBlockers(snapshot, "C"), ["A", "B"]);
});

Deno.test("activeBlockers() and findTask() know nothing of unknown ids", () => {
  const snapshot = snapshotOf(graphOf({ A: [] }));
  for (const id of ["B", "", "__proto__", "constructor"]) {
    assertEquals(activeBlockers(snapshot, id), []);
    assertEquals(findTask(snapshot, id), undefined);
  }
  assertEquals(findTask(snapshot, "A"), snapshot.tasks[0]);
});

Deno.test("findTask() sees what was changed in a snapshot that is not frozen", () => {
  const tasks: Task[] = [{ id: "A", content: "x", status: "pending" }];
  const snapshot: Snapshot = Object.freeze({ tasks });
  assertEquals(findTask(snapshot, "B"), undefined);
  tasks.push({ id: "B", content: "y", status: "pending", blockedBy: ["A"] });
  assertEquals(findTask(snapshot, "B")?.content, "y");
  assertEquals(activeBlockers(snapshot, "B"), ["A"]);
});

Deno.test("blockedTasks() and readyTasks() read each task a few times, frozen or not", () => {
  const length = 1_000;
  let reads = 0;
  const tasks = snapshotOf(chain(length)).tasks.map((task) => ({
    ...task,
    get id() {
      reads++;
      return task.id;
    },
  }));
  for (
    const snapshot of [
      { tasks },
      Object.freeze({ tasks: Object.freeze([...tasks]) }),
    ]
  ) {
    reads = 0;
    assertEquals(blockedTasks(snapshot).length, length - 1);
    assertEquals(readyTasks(snapshot).length, 1);
    assert(reads <= 10 * length, `${reads} reads of ${length} ids`);
  }
});
