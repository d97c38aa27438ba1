import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
} from "@std/assert";
import {
  fromErrorData,
  refusalOf,
  TasksError,
  toErrorData,
} from "../../src/model/errors.ts";
import { printable, quote, quoteAll, reasonOf } from "../../src/model/text.ts";

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

Deno.test("TasksError has a name, a code and the ids it is about", () => {
  const error = new TasksError("unknown_task", "There is no task.", ["t_1"]);
  assertInstanceOf(error, Error);
  assertEquals(error.name, "TasksError");
  assertEquals(error.code, "unknown_task");
  assertEquals(error.taskIds, ["t_1"]);
  assertEquals(new TasksError("timeout", "Too late.").taskIds, []);
});

Deno.test("TasksError keeps a message that is printable and short", () => {
  const message =
    'There is no key "blockdBy"; did you mean "blockedBy" → like this? 你好';
  assertEquals(new TasksError("cycle", message).message, message);
});

Deno.test("TasksError replaces control characters, bidi controls and lone surrogates", () => {
  const hostile = "a\x00b\x1b[2Jc\x9bmd\x7fe\nf\u202eg\ud83dh\u2028i\u200bj";
  const { message, taskIds } = new TasksError("cycle", hostile, [hostile]);
  for (const text of [message, ...taskIds]) {
    assert(text.isWellFormed());
    assert(
      !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(text),
      JSON.stringify(text),
    );
    assertEquals(text.replaceAll("\ufffd", ""), "ab[2Jcmdefghij");
  }
});

Deno.test("TasksError keeps every message under 2 kB, in whatever script", () => {
  for (const letter of ["a", "é", "好", "👍", "\x00"]) {
    const { message } = new TasksError("cycle", letter.repeat(100_000));
    assert(bytesOf(message) < 2_000, `${letter}: ${bytesOf(message)} bytes`);
    assert(message.isWellFormed());
  }
});

Deno.test("TasksError keeps the first twenty ids, and of each a bounded part", () => {
  const ids = Array.from({ length: 50 }, (_, i) => `${i}-${"x".repeat(1_000)}`);
  const { taskIds } = new TasksError("cycle", "m", ids);
  assertEquals(taskIds.length, 20);
  assert(taskIds.every((id) => id.length <= 100));
});

Deno.test("toErrorData() and fromErrorData() give the same error back", () => {
  for (const taskIds of [[], ["t_1", "t_2"]]) {
    const error = new TasksError("cycle", "It would wait for itself.", taskIds);
    const copy = fromErrorData(structuredClone(toErrorData(error)));
    assertInstanceOf(copy, TasksError);
    assertEquals(toErrorData(copy), toErrorData(error));
  }
});

Deno.test("fromErrorData() changes nothing in a message that was cut already", () => {
  const error = new TasksError("cycle", "👍好".repeat(5_000), [
    "👍".repeat(500),
  ]);
  assertEquals(
    toErrorData(fromErrorData(toErrorData(error))),
    toErrorData(error),
  );
});

Deno.test("toErrorData() leaves out ids when there are none", () => {
  const data = toErrorData(new TasksError("timeout", "Too late."));
  assertEquals(Object.keys(data), ["code", "message"]);
});

Deno.test("refusalOf() names the action only when there is one", () => {
  const error = new TasksError("timeout", "Too late.");
  assertEquals(refusalOf("add", error), {
    action: "add",
    error: toErrorData(error),
  });
  assertEquals(Object.keys(refusalOf(undefined, error)), ["error"]);
});

Deno.test("printable() keeps readable text as it is", () => {
  for (const text of ["", "plain", "→ · … „é“ 你好 👍", "a".repeat(80)]) {
    assertStrictEquals(printable(text), text);
  }
});

Deno.test("printable() cuts to the length it is given, well formed, with a mark", () => {
  for (let length = 1; length <= 12; length++) {
    const cut = printable("👍👍👍👍👍👍👍👍", length);
    assert(cut.isWellFormed());
    assert(cut.length <= length);
    assert(cut.endsWith("…"));
  }
});

Deno.test("quote() puts a short, printable form in quotes", () => {
  assertEquals(quote("t_1"), '"t_1"');
  assertEquals(quote("a\nb"), '"a\ufffdb"');
  assert(quote("x".repeat(1_000_000)).length <= 82);
});

Deno.test("quoteAll() says how many values it leaves out", () => {
  assertEquals(quoteAll([]), "");
  assertEquals(quoteAll(["a", "b"]), '"a", "b"');
  assertEquals(quoteAll(["a", "b"], 2), '"a", "b"');
  assertEquals(quoteAll(["a", "b", "c"], 2), '"a", "b" and 1 more');
});

Deno.test("reasonOf() has an answer for anything that can be thrown", () => {
  const thrown: [unknown, string][] = [
    [new Error("disk full"), "disk full"],
    ["a string", "a string"],
    [undefined, "undefined"],
    [null, "null"],
    [1n, "1"],
    [Symbol("why"), "Symbol(why)"],
    [new TasksError("cycle", "a loop"), "a loop"],
  ];
  for (const [value, reason] of thrown) assertEquals(reasonOf(value), reason);
});

Deno.test("reasonOf() takes what cannot be turned into a string", () => {
  const odd: unknown[] = [
    Object.create(null),
    {
      toString(): string {
        throw new Error("no");
      },
    },
    Object.assign(new Error("x"), { message: 5 }),
  ];
  for (const value of odd) assertEquals(typeof reasonOf(value), "string");
});
