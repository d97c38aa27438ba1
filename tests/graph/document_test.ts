import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  applyCall,
  type CallOutcome,
  type Change,
  emptyDocument,
  findAdded,
  MAX_REMEMBERED_CALLS,
  type SessionDocument,
} from "../../src/graph/document.ts";
import { NOW } from "../support/graph.ts";

const ADD = { action: "add", content: "Build" };

function apply(
  document: SessionDocument,
  input: unknown,
  toolCallId?: string,
): CallOutcome {
  const environment = { now: NOW, randomSuffix: () => "0000" };
  return applyCall(document, { input, toolCallId }, environment);
}

function change(
  document: SessionDocument,
  input: unknown,
  toolCallId?: string,
): SessionDocument {
  const outcome = apply(document, input, toolCallId);
  assert(outcome.kind === "changed", JSON.stringify(outcome));
  return outcome.document;
}

function idsIn({ graph }: SessionDocument): string[] {
  return graph.tasks.map(({ id }) => id);
}

Deno.test("applyCall() raises the revision with every change, and only then", () => {
  const document = change(emptyDocument("demo"), ADD);
  assertEquals(document.revision, 1);
  assertEquals(apply(document, { action: "list" }).kind, "answered");
  assertEquals(apply(document, { action: "add" }).kind, "refused");
  assertEquals(change(document, ADD).revision, 2);
});

Deno.test("applyCall() carries out a call with an id once", () => {
  const document = change(emptyDocument("demo"), ADD, "call_1");
  const [id] = idsIn(document);
  const more = change(document, ADD, "call_2");
  assertEquals(apply(more, ADD, "call_1"), {
    kind: "answered",
    action: "add",
    positions: [0],
  });
  assertEquals(idsIn(more)[0], id);
});

Deno.test("applyCall() knows a call again in another form", () => {
  const document = change(emptyDocument("demo"), ADD, "call_1");
  const text = JSON.stringify({
    arguments: { content: "Build", action: "ADD" },
  });
  assertEquals(apply(document, text, "call_1").kind, "answered");
});

Deno.test("applyCall() carries out another call that comes with a used id", () => {
  let document = change(emptyDocument("demo"), ADD, "call_0");
  document = change(document, { action: "add", content: "Test" }, "call_0");
  const [id] = idsIn(document);
  document = change(document, { action: "complete", id }, "call_0");
  assertEquals(
    document.graph.tasks.map(({ content, status }) => [content, status]),
    [
      ["Build", "completed"],
      ["Test", "pending"],
    ],
  );
  assertEquals(apply(document, ADD, "call_0").kind, "answered");
});

Deno.test("applyCall() remembers only calls that changed something", () => {
  const document = change(emptyDocument("demo"), ADD);
  const [id] = idsIn(document);
  assertEquals(document.calls, []);
  const refused = apply(document, { action: "complete", id: "x" }, "call_1");
  assertEquals(refused.kind, "refused");
  assertEquals(apply(document, { action: "list" }, "call_2").kind, "answered");
  const done = change(document, { action: "complete", id }, "call_3");
  assertEquals(done.calls.map(({ toolCallId }) => toolCallId), ["call_3"]);
});

Deno.test(`applyCall() remembers the last ${MAX_REMEMBERED_CALLS} calls`, () => {
  let document = emptyDocument("demo");
  for (let i = 0; i <= MAX_REMEMBERED_CALLS; i++) {
    document = change(document, ADD, `call_${i}`);
  }
  assertEquals(document.calls.length, MAX_REMEMBERED_CALLS);
  assertEquals(apply(document, ADD, "call_1").kind, "answered");
  assertEquals(apply(document, ADD, "call_0").kind, "changed");
});

Deno.test("applyCall() carries a call out whose task is gone from the file", () => {
  const { calls } = change(emptyDocument("demo"), ADD, "call_1");
  const document = { ...emptyDocument("demo"), calls };
  assertEquals(apply(document, ADD, "call_1").kind, "changed");
});

Deno.test("applyCall() leaves the document that it is given as it was", () => {
  const document = change(emptyDocument("demo"), ADD, "call_1");
  const { graph, calls } = document;
  change(document, ADD, "call_2");
  assertStrictEquals(document.graph, graph);
  assertStrictEquals(document.calls, calls);
  assertEquals([graph.tasks.length, calls.length], [1, 1]);
});

function changeOf(document: SessionDocument, input: unknown): Change {
  const outcome = apply(document, input);
  assert(outcome.kind === "changed", JSON.stringify(outcome));
  return outcome;
}

Deno.test("findAdded() recognises the task of an add that was stored after all", () => {
  const added = changeOf(emptyDocument("demo"), ADD);
  const { graph } = change(added.document, { action: "add", content: "Test" });
  assertEquals(findAdded(added, graph), {
    kind: "answered",
    action: "add",
    positions: [0],
  });
});

Deno.test("findAdded() does not take another host's task of the same id for it", () => {
  const added = changeOf(emptyDocument("demo"), ADD);
  const { graph } = change(emptyDocument("demo"), {
    action: "add",
    content: "Other",
  });
  assertEquals(findAdded(added, graph), undefined);
});

Deno.test("findAdded() knows nothing of an add that was not stored, nor of other calls", () => {
  const before = change(emptyDocument("demo"), ADD);
  const added = changeOf(before, { action: "add", content: "Test" });
  assertEquals(findAdded(added, before.graph), undefined);
  const [id] = idsIn(before);
  const completed = changeOf(before, { action: "complete", id });
  assertEquals(findAdded(completed, completed.document.graph), undefined);
});
