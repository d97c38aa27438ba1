import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { Encoder } from "../../src/format/encode.ts";
import { decode, type Decoded } from "../../src/format/decode.ts";
import { Graph } from "../../src/graph/graph.ts";
import {
  emptyDocument,
  type SessionDocument,
} from "../../src/graph/document.ts";
import { TasksError, type TasksErrorCode } from "../../src/model/errors.ts";
import { applyInput, type Outcome } from "../../src/graph/operations.ts";
import type { TaskStatus } from "../../src/model/task.ts";
import { DECODE_OPTIONS, NOW, record, snapshotOf } from "../support/graph.ts";
import { encodeWith } from "../support/texts.ts";

// What the graph should do, written down once more in the plainest way.

interface Row {
  readonly id: string;
  readonly content: string;
  readonly status: TaskStatus;
  readonly active_form: string | undefined;
  readonly blockedBy: readonly string[];
  readonly completed_at: number | undefined;
}

type Call =
  & {
    readonly action:
      | "add"
      | "update"
      | "complete"
      | "remove"
      | "list"
      | "blocked";
  }
  & {
    readonly id?: string;
    readonly content?: string;
    readonly status?: TaskStatus;
    readonly active_form?: string;
    readonly blockedBy?: readonly string[];
    readonly status_filter?: TaskStatus;
  };

type Expected = TasksErrorCode | "unchanged" | readonly Row[];

/** Whether `from` waits for `to`, over however many edges. */
function waitsFor(rows: readonly Row[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const reaches = (id: string): boolean => {
    if (seen.has(id)) return false;
    seen.add(id);
    const blockers = rows.find((row) => row.id === id)?.blockedBy ?? [];
    return blockers.some((blocker) => blocker === to || reaches(blocker));
  };
  return reaches(from);
}

function expect(rows: readonly Row[], call: Call, now: number): Expected {
  const isUnknown = (id: string) => !rows.some((row) => row.id === id);
  const blockers = call.blockedBy && [...new Set(call.blockedBy)];
  switch (call.action) {
    case "list":
    case "blocked":
      return "unchanged";
    case "add": {
      if (blockers?.some(isUnknown)) return "unknown_blocker";
      return [...rows, {
        id: "",
        content: call.content ?? "",
        status: "pending",
        active_form: call.active_form,
        blockedBy: blockers ?? [],
        completed_at: undefined,
      }];
    }
    case "update":
    case "complete":
    case "remove": {
      const before = rows.find((row) => row.id === call.id);
      if (before === undefined) return "unknown_task";
      const given = call.action === "complete"
        ? "completed"
        : call.action === "remove"
        ? "deleted"
        : call.status;
      const status = given ?? before.status;
      const after: Row = {
        ...before,
        content: call.content ?? before.content,
        active_form: call.active_form ?? before.active_form,
        blockedBy: blockers ?? before.blockedBy,
        status,
        completed_at: status !== "completed"
          ? undefined
          : before.completed_at ?? now,
      };
      const isHeartbeat = call.status === "in_progress";
      if (JSON.stringify(after) === JSON.stringify(before) && !isHeartbeat) {
        return "unchanged";
      }
      const isRestored = call.action === "update" && status !== "deleted";
      if (before.status === "deleted" && !isRestored) return "task_deleted";
      const next = rows.map((row) => row === before ? after : row);
      const added = after.blockedBy.filter((id) =>
        !before.blockedBy.includes(id)
      );
      if (added.some(isUnknown)) return "unknown_blocker";
      const closesLoop = added.some((id) =>
        id === after.id || waitsFor(next, id, after.id)
      );
      return closesLoop ? "cycle" : next;
    }
  }
}

function rowsOf(graph: Graph): Row[] {
  return graph.tasks.map((
    { id, content, status, active_form, blockedBy, completed_at },
  ) => ({
    id,
    content,
    status,
    active_form,
    blockedBy: [...blockedBy],
    completed_at,
  }));
}

// What holds for every graph and every outcome.

function assertSound(graph: Graph): void {
  const rows = rowsOf(graph);
  const { tasks } = snapshotOf(graph);
  assertEquals(
    new Set(rows.map((row) => row.id)).size,
    rows.length,
    "an id is used twice",
  );
  for (const [i, row] of rows.entries()) {
    assert(!waitsFor(rows, row.id, row.id), `${row.id} waits for itself`);
    const dependents = rows.filter(({ blockedBy }) =>
      blockedBy.includes(row.id)
    );
    assertEquals(tasks[i]?.blocks ?? [], dependents.map(({ id }) => id));
    assertEquals(row.status === "completed", row.completed_at !== undefined);
    assertStrictEquals(graph.positionOf(row.id), i);
  }
}

function idsOfBlocked(rows: readonly Row[]): string[] {
  const isDone = (status?: TaskStatus) =>
    status === "completed" || status === "deleted";
  return rows.filter(({ status, blockedBy }) =>
    !isDone(status) &&
    blockedBy.some((id) => !isDone(rows.find((row) => row.id === id)?.status))
  ).map(({ id }) => id);
}

function assertReadable(outcome: Outcome): void {
  if (outcome.kind !== "refused") return;
  const { message, taskIds = [] } = outcome.refusal.error;
  assert(new TextEncoder().encode(message).length < 2_000, "a long message");
  assert(message.length > 0 && taskIds.length <= 20);
  for (const text of [message, ...taskIds]) {
    assert(text.isWellFormed() && !/\p{Cc}/u.test(text), JSON.stringify(text));
  }
}

function encode(document: SessionDocument): string {
  return new Encoder().sidecar(document);
}

function decodeText(text: string): Decoded {
  return decode(new TextEncoder().encode(text), DECODE_OPTIONS);
}

function assertSurvivesSaving(graph: Graph): void {
  const document = { ...emptyDocument("demo"), revision: 5, graph };
  const decoded = decodeText(encode(document));
  assert(decoded.kind === "sidecar");
  assertEquals(decoded.document.revision, 5);
  assertEquals(rowsOf(decoded.document.graph), rowsOf(graph));
  assertEquals(encode(decoded.document), encode(document));
}

// What is tried.

/** Text of any UTF-16 code units, those that make no character included. */
const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), {
  maxLength: 12,
})
  .map((units) => String.fromCharCode(...units));
const words = fc.stringMatching(/^[a-z]{1,4}$/);
const status = fc.constantFrom<TaskStatus>(
  "pending",
  "in_progress",
  "completed",
  "deleted",
);

/** Stands for the id of a task that is there, or for one that is not. */
const reference = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("t_1_0000", "__proto__", "toString", "null"),
  },
);
type Reference = number | string;

function resolve(graph: Graph, reference: Reference): string {
  if (typeof reference === "string") return reference;
  return graph.tasks[reference % Math.max(1, graph.tasks.length)]?.id ??
    "t_0_none";
}

interface Plan {
  readonly action: Call["action"];
  readonly id: Reference;
  readonly content: string;
  readonly status: TaskStatus | undefined;
  readonly active_form: string | undefined;
  readonly blockedBy: readonly Reference[] | undefined;
  /** How much later than the last call it comes, in milliseconds. */
  readonly later: number;
}

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

const plan: fc.Arbitrary<Plan> = fc.record({
  action: fc.constantFrom(
    "add",
    "add",
    "update",
    "update",
    "complete",
    "remove",
    "list",
    "blocked",
  ),
  id: reference,
  content: words,
  status: maybe(status),
  active_form: maybe(words),
  blockedBy: maybe(fc.array(reference, { maxLength: 4 })),
  later: fc.nat({ max: 1 }),
});

function callOf(graph: Graph, plan: Plan): Call {
  const { content, status, active_form } = plan;
  // A small graph is filled first, or most calls would be about nothing.
  const action = graph.tasks.length < 4 ? "add" : plan.action;
  const id = resolve(graph, plan.id);
  const blockedBy = plan.blockedBy?.map((reference) =>
    resolve(graph, reference)
  );
  switch (action) {
    case "add":
      return JSON.parse(
        JSON.stringify({ action, content, active_form, blockedBy }),
      );
    case "update":
      return JSON.parse(
        JSON.stringify({
          action,
          id,
          content: content.length > 2 ? content : undefined,
          status,
          active_form,
          blockedBy,
        }),
      );
    case "complete":
    case "remove":
      return { action, id };
    case "list":
    case "blocked":
      return { action };
  }
}

/** Values of the kinds that models put where others belong. */
const oddValue = fc.oneof(
  fc.anything(),
  anyUnits,
  fc.constantFrom(
    null,
    "",
    " ",
    "null",
    "[]",
    "[",
    ",",
    "done",
    NaN,
    1e21,
    true,
  ),
  fc.array(fc.oneof(anyUnits, fc.constantFrom(null, "", 5, "t_1_0000"))),
);

const oddCall = fc.oneof(
  fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withMap: true,
    withDate: true,
  }),
  oddValue,
  fc.json(),
  fc.dictionary(
    fc.constantFrom(
      "action",
      "id",
      "taskId",
      "task_id",
      "content",
      "status",
      "blockedBy",
      "blocked_by",
      "active_form",
      "status_filter",
      "arguments",
      "__proto__",
    ),
    oddValue,
  ),
  fc.record({
    action: fc.constantFrom(
      "add",
      "update",
      "complete",
      "remove",
      "list",
      "blocked",
      " ADD",
      "In",
    ),
    id: oddValue,
    content: oddValue,
    status: oddValue,
    blockedBy: oddValue,
    active_form: oddValue,
    status_filter: oddValue,
    blockdBy: oddValue,
  }, { requiredKeys: ["action"] }),
).chain((call) =>
  fc.constantFrom<unknown>(call, { arguments: call }, { input: call })
);

const plans = fc.array(plan, { maxLength: 40, size: "max" });
const runs = (numRuns: number) => ({ numRuns });

Deno.test("well-formed calls do to a graph what they do to a plain list of rows", () => {
  fc.assert(
    fc.property(plans, (plans) => {
      let graph = Graph.empty;
      let now = NOW;
      for (const plan of plans) {
        now += plan.later;
        const call = callOf(graph, plan);
        const expected = expect(rowsOf(graph), call, now);
        const outcome = applyInput(graph, call, {
          now,
          randomSuffix: () => "ffff",
        });
        assertReadable(outcome);
        if (typeof expected === "string") {
          if (outcome.kind === "refused") {
            assertEquals(outcome.refusal.error.code, expected);
            assertEquals(outcome.refusal.action, call.action);
          } else {assertEquals([outcome.kind, expected], [
              "answered",
              "unchanged",
            ]);}
          continue;
        }
        assert(outcome.kind === "changed", JSON.stringify([call, outcome]));
        graph = outcome.graph;
        const mintedId = graph.tasks.at(-1)?.id ?? "";
        assertEquals(
          rowsOf(graph),
          expected.map((row) => row.id === "" ? { ...row, id: mintedId } : row),
        );
        assertEquals(outcome.positions.length, 1);
        const stamped = graph.tasks.filter((task) => task.updated_at === now);
        assert(stamped.includes(graph.tasks[outcome.positions[0] ?? -1]!));
      }
      assertSound(graph);
      assertSurvivesSaving(graph);
    }),
    runs(300),
  );
});

Deno.test("list and blocked answer what their definitions say", () => {
  fc.assert(
    fc.property(plans, status, (plans, status_filter) => {
      const environment = { now: NOW, randomSuffix: () => "0000" };
      let graph = Graph.empty;
      for (const plan of plans) {
        const outcome = applyInput(graph, callOf(graph, plan), environment);
        if (outcome.kind === "changed") graph = outcome.graph;
      }
      const ids = (input: unknown) => {
        const outcome = applyInput(graph, input, environment);
        assert(outcome.kind === "answered");
        return outcome.positions.map((position) => graph.tasks[position]?.id);
      };
      const rows = rowsOf(graph);
      const filtered = rows.filter((row) => row.status === status_filter);
      assertEquals(ids({ action: "blocked" }), idsOfBlocked(rows));
      assertEquals(
        ids({ action: "list", status_filter }),
        filtered.map(({ id }) => id),
      );
      assertEquals(ids({ action: "list" }), rows.map(({ id }) => id));
    }),
    runs(100),
  );
});

Deno.test("nothing that is sent makes applyInput() throw, or the graph unsound", () => {
  const step = fc.oneof(
    { weight: 2, arbitrary: plan.map((plan) => ({ plan })) },
    { weight: 3, arbitrary: oddCall.map((input) => ({ input })) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      let graph = Graph.empty;
      for (const step of steps) {
        const input = "plan" in step ? callOf(graph, step.plan) : step.input;
        const before = JSON.stringify(rowsOf(graph));
        const outcome = applyInput(graph, input, {
          now: NOW,
          randomSuffix: () => "00ff",
        });
        assertReadable(outcome);
        assertEquals(JSON.stringify(rowsOf(graph)), before);
        if (outcome.kind === "changed") graph = outcome.graph;
        for (const { content, active_form = "" } of graph.tasks) {
          for (const text of [content, active_form]) {
            assert(text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text));
          }
        }
      }
      assertSound(graph);
      assertSurvivesSaving(graph);
    }),
    runs(500),
  );
});

/** A tree of graphs: each step changes the graph that an earlier step led to. */
const branches = fc.array(
  fc.record({
    from: fc.nat({ max: 40 }),
    id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
    blockedBy: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), {
      maxLength: 3,
    }),
    content: words,
  }),
  { maxLength: 40 },
);

interface Step {
  readonly from: number;
  readonly id: string;
  readonly blockedBy: readonly string[];
  readonly content: string;
}

/** The graphs that the steps lead to, the empty one first. */
function grow(steps: readonly Step[]): Graph[] {
  const graphs = [Graph.empty];
  for (const { from, id, content, blockedBy } of steps) {
    const graph = graphs[from % graphs.length] ?? Graph.empty;
    // The edges of a graph lead to tasks that it has.
    const blockers = blockedBy.filter((id) =>
      graph.positionOf(id) !== undefined
    );
    graphs.push(graph.with(record(id, { content, blockedBy: blockers })));
  }
  return graphs;
}

Deno.test("branches of one graph never disturb each other", () => {
  fc.assert(
    fc.property(branches, (steps) => {
      for (const graph of grow(steps)) {
        const anew = Graph.from(graph.tasks);
        assertEquals(graph.dependents, anew.dependents);
        for (const id of "abcdefg") {
          assertStrictEquals(graph.positionOf(id), anew.positionOf(id));
        }
      }
    }),
    runs(200),
  );
});

Deno.test("Encoder gives the same texts whatever branch it encoded before", () => {
  const order = fc.array(fc.nat({ max: 40 }), { maxLength: 30 });
  fc.assert(
    fc.property(branches, order, (steps, order) => {
      const graphs = grow(steps);
      const encoder = new Encoder();
      for (const at of order) {
        const graph = graphs[at % graphs.length] ?? Graph.empty;
        const document = { ...emptyDocument("demo"), graph };
        assertEquals(
          encodeWith(encoder, document),
          encodeWith(new Encoder(), document),
        );
      }
    }),
    runs(100),
  );
});

const oddRow = fc.oneof(
  fc.jsonValue(),
  fc.record({
    id: fc.oneof(
      fc.constantFrom("a", "b", "c", "__proto__", ""),
      anyUnits,
      fc.jsonValue(),
    ),
    content: fc.oneof(words, anyUnits, fc.jsonValue()),
    status: fc.oneof(status, fc.jsonValue()),
    blockedBy: fc.oneof(
      fc.array(
        fc.oneof(fc.constantFrom("a", "b", "c", "ghost"), fc.jsonValue()),
      ),
      fc.jsonValue(),
    ),
    active_form: fc.oneof(words, anyUnits, fc.jsonValue()),
    completed_at: fc.oneof(fc.constant(NOW), fc.jsonValue()),
    created_at: fc.oneof(fc.constant(NOW), fc.jsonValue()),
    updated_at: fc.oneof(fc.constant(NOW), fc.jsonValue()),
    blocks: fc.jsonValue(),
    x_future: fc.jsonValue(),
  }, { requiredKeys: ["id", "content"] }),
);

const oddFile = fc.record({
  version: fc.oneof(fc.constant(1), fc.jsonValue()),
  session_id: fc.oneof(
    fc.constantFrom("demo", "other", "DEMO"),
    fc.jsonValue(),
  ),
  revision: fc.oneof(fc.nat(), fc.jsonValue()),
  tasks: fc.oneof(
    { weight: 9, arbitrary: fc.array(oddRow, { maxLength: 8 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  ),
  calls: fc.jsonValue(),
  x_file: fc.jsonValue(),
}, { requiredKeys: ["tasks"] }).map((file) => JSON.stringify(file));

Deno.test("decode() makes a sound document of any file, or says why it does not", () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 8, arbitrary: oddFile }, fc.json(), fc.string()),
      (text) => {
        let decoded: Decoded;
        try {
          decoded = decodeText(text);
        } catch (error) {
          assert(error instanceof TasksError, String(error));
          assert(["sidecar_newer", "open_failed"].includes(error.code));
          return;
        }
        if (decoded.kind === "corrupt") return;
        for (const { message, taskIds } of decoded.warnings) {
          for (const text of [message, ...taskIds]) {
            assert(text.isWellFormed() && !/\p{Cc}/u.test(text));
          }
        }
        const { document } = decoded;
        for (
          const { content, active_form = "", id, blockedBy } of document.graph
            .tasks
        ) {
          assert(
            [content, active_form, id, ...blockedBy].every((text) =>
              text.isWellFormed()
            ),
          );
        }
        // What was repaired once needs no repair again.
        const again = decodeText(encode(document));
        assert(again.kind === "sidecar");
        assertEquals([again.needsSave, again.losesData], [false, false]);
        assertEquals(encode(again.document), encode(document));
        assertEquals(rowsOf(again.document.graph), rowsOf(document.graph));
      },
    ),
    runs(500),
  );
});

Deno.test("decode() takes any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assertEquals(decode(bytes, DECODE_OPTIONS).kind, "corrupt");
    }),
    runs(200),
  );
});
