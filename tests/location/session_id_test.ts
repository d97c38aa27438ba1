import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { TasksError } from "../../src/model/errors.ts";
import { checkSessionId } from "../../src/location/session_id.ts";

Deno.test("checkSessionId() returns an id that can be a file name everywhere", () => {
  const ids = [
    "a",
    "2025-07-10_run.3",
    "A-Z.a_z",
    "-",
    "_",
    "console",
    "com10",
    "nully.txt",
    "a.con",
    "x".repeat(100),
  ];
  for (const id of ids) assertEquals(checkSessionId(id), id);
});

Deno.test("checkSessionId() refuses what cannot be a file name everywhere", () => {
  const ids: Record<string, readonly string[]> = {
    "a path": [
      "../../x",
      "..",
      ".",
      "a/b",
      "a\\b",
      "/etc/passwd",
      "C:x",
      "a:b",
    ],
    "a dot at an end": [".hidden", "a."],
    "a space": ["a ", " a", "a b", ""],
    "a Windows device": [
      "con",
      "CON",
      "NUL",
      "nul.txt",
      "com1",
      "COM0",
      "lpt9.tasks",
      "aux",
      "Prn.a.b",
    ],
    "a wildcard or a quote": ["a*", "a?", 'a"', "a'", "a|b", "<a>"],
    "a control character": ["a\n", "a\0b", "\x1b[2J", "a\x7f"],
    "not ASCII": ["é", "e\u0301", "日本", "a\ud800b", "ＣＯＮ", "com\u00b9"],
    "too long": ["x".repeat(101), "x".repeat(243)],
  };
  for (const [what, list] of Object.entries(ids)) {
    for (const id of list) {
      const error = assertThrows(
        () => checkSessionId(id),
        TasksError,
        undefined,
        `${what}: ${id}`,
      );
      assertEquals(error.code, "invalid_arguments", what);
    }
  }
});

Deno.test("checkSessionId() refuses what is not a string", () => {
  for (
    const id of [
      undefined,
      null,
      5,
      true,
      {},
      ["a"],
      new String("a"),
      Symbol("a"),
    ]
  ) {
    const error = assertThrows(() => checkSessionId(id), TasksError);
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, "string");
  }
});

Deno.test("checkSessionId() says in a short printable message what is allowed", () => {
  const { message } = assertThrows(
    () => checkSessionId(`\x1b]0;${"é/".repeat(5_000)}`),
    TasksError,
  );
  assertStringIncludes(message, "100");
  assertStringIncludes(message, "hyphens");
  assertEquals(/\p{Cc}/u.test(message), false);
  assertEquals(message.length < 500, true);
});
