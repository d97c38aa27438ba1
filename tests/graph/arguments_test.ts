import {
  assert,
  assertEquals,
  assertNotMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { actionOf, parseCall } from "../../src/graph/arguments.ts";
import { ACTIONS, STATUSES } from "../../src/model/vocabulary.ts";
import { TasksError } from "../../src/model/errors.ts";

/** The call without the optional arguments that were not given. */
function parse(input: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(parseCall(input)));
}

/** The message of the refusal, which must be one that a model can act on. */
function refuse(input: unknown): string {
  const error = assertThrows(
    () => parseCall(input),
    TasksError,
    undefined,
    `Not refused: ${Deno.inspect(input, { strAbbreviateSize: 200 })}`,
  );
  const { code, message } = error;
  assertEquals(code, "invalid_arguments");
  assertNotMatch(message, /\p{Cc}/u);
  assertNotMatch(message, /\bat .*:\d+:\d+|undefined|\[object/);
  assert(message.isWellFormed());
  assert(new TextEncoder().encode(message).length < 2_000, message);
  return message;
}

Deno.test("parseCall() reads a well-formed call of every action", () => {
  const calls = [
    { action: "add", content: "Build" },
    {
      action: "add",
      content: "Build",
      blockedBy: ["t_1_aa", "t_2_bb"],
      active_form: "Building",
    },
    { action: "update", id: "t_1_aa" },
    {
      action: "update",
      id: "t_1_aa",
      content: "Build",
      status: "in_progress",
      blockedBy: [],
      active_form: "Building",
    },
    { action: "complete", id: "t_1_aa" },
    { action: "remove", id: "t_1_aa" },
    { action: "list" },
    { action: "list", status_filter: "deleted" },
    { action: "blocked" },
  ];
  for (const call of calls) assertEquals(parse(call), call);
});

Deno.test("parseCall() takes a call that is JSON text, or wrapped once", () => {
  const call = { action: "complete", id: "t_1_aa" };
  const text = JSON.stringify(call);
  const inputs = [
    text,
    ` \n${text} `,
    { arguments: call },
    { args: call },
    { input: call },
    { params: call },
    { arguments: text },
    JSON.stringify({ arguments: call }),
    JSON.stringify({ input: text }),
  ];
  for (const input of inputs) assertEquals(parse(input), call);
});

Deno.test("parseCall() unwraps one level and no more", () => {
  assertStringIncludes(
    refuse({ arguments: { arguments: { action: "list" } } }),
    "action",
  );
});

Deno.test("parseCall() does not unwrap a call that has an action of its own", () => {
  assertStringIncludes(
    refuse({ action: "list", arguments: { action: "add", content: "x" } }),
    "arguments",
  );
});

Deno.test("parseCall() does not unwrap what has other keys beside it", () => {
  const call = { action: "list" };
  for (const [first, second] of [["arguments", "note"], ["input", "args"]]) {
    assertStringIncludes(
      refuse({ [first ?? ""]: call, [second ?? ""]: call }),
      '"action" is required',
    );
  }
});

Deno.test("parseCall() does not mind any kind of space around JSON text", () => {
  for (const space of [" ", "\n", "\ufeff", "\u00a0", "\u2003"]) {
    assertEquals(parse(`${space}{"action":"list"}${space}`), {
      action: "list",
    });
    assertEquals(
      parse({
        action: "add",
        content: "x",
        blockedBy: `${space}["t_1"]${space}`,
      }).blockedBy,
      ["t_1"],
    );
  }
});

Deno.test("parseCall() refuses text that is not JSON without echoing it", () => {
  const message = refuse('{"action":"add","content":"SECRET');
  assertStringIncludes(message, "JSON");
  assertNotMatch(message, /SECRET/);
});

Deno.test("parseCall() asks for an action when there is none, and names all six", () => {
  const inputs = [
    undefined,
    null,
    [],
    "",
    "list",
    5,
    true,
    1n,
    Symbol("list"),
    () => {},
    new Date(0),
    new Map([["action", "list"]]),
    {},
    { action: null },
    { action: undefined },
    { action: "  " },
    { content: "x" },
    JSON.parse('{"__proto__":{"action":"list"}}'),
  ];
  for (const input of inputs) {
    const message = refuse(input);
    assertStringIncludes(message, '"action" is required');
    for (const action of ACTIONS) assertStringIncludes(message, action);
  }
});

Deno.test("parseCall() says that there is no such action, and names all six", () => {
  const actions = [
    "delete",
    "constructor",
    "toString",
    "__proto__",
    "hasOwnProperty",
    "None",
    "null",
    7,
    true,
    ["list"],
    { action: "list" },
    "x".repeat(100_000),
    "add\x1b[2J",
  ];
  for (const action of actions) {
    const message = refuse({ action });
    assertStringIncludes(message, "no action");
    for (const known of ACTIONS) assertStringIncludes(message, known);
  }
});

Deno.test("parseCall() does not mind case and space around an action", () => {
  for (const action of ["list", "LIST", "List ", "\tlist\n"]) {
    assertEquals(parse({ action }), { action: "list" });
  }
});

Deno.test("parseCall() takes null, undefined and blank text as not given", () => {
  for (const empty of [null, undefined, "", "  ", "\n\t"]) {
    assertEquals(
      parse({
        action: "update",
        id: "t_1_aa",
        content: empty,
        status: empty,
        blockedBy: empty,
        active_form: empty,
        status_filter: empty,
        blocked_by: empty,
        nonsense: empty,
      }),
      { action: "update", id: "t_1_aa" },
    );
    assertEquals(
      parse({ action: "list", status_filter: empty }),
      { action: "list" },
    );
  }
});

Deno.test("parseCall() refuses an add without content", () => {
  for (const content of [undefined, null, "", "   ", "\n"]) {
    assertStringIncludes(
      refuse({ action: "add", content }),
      '"content" is required',
    );
  }
});

Deno.test("parseCall() refuses content that is not text", () => {
  for (const content of [5, true, ["x"], [], { text: "x" }, 1n]) {
    for (const call of [{ action: "add" }, { action: "update", id: "t_1" }]) {
      assertStringIncludes(
        refuse({ ...call, content }),
        '"content" must be a string',
      );
      assertStringIncludes(
        refuse({ ...call, content: "x", active_form: content }),
        '"active_form" must be a string',
      );
    }
  }
});

Deno.test("parseCall() never parses content", () => {
  const contents = ['["a"]', '{"action":"list"}', "null", "}{ ][", " padded "];
  for (const content of contents) {
    assertEquals(parse({ action: "add", content }).content, content);
  }
});

Deno.test("parseCall() makes content and active_form well formed and free of control characters", () => {
  const texts: [string, string][] = [
    ["a\ud83d", "a\ufffd"],
    ["\udc4da", "\ufffda"],
    ["x\u0000\u001b[2Jy\u009bm", "x[2Jym"],
    ["a\r\nb\tc\x7f", "a\nb\tc"],
    ["👍 你好 é", "👍 你好 é"],
  ];
  for (const [given, kept] of texts) {
    assertEquals(
      parse({ action: "add", content: given, active_form: given }),
      { action: "add", content: kept, active_form: kept },
    );
  }
});

Deno.test("parseCall() refuses text of which nothing but control characters is there", () => {
  for (const text of ["\u0000", "\x1b \x9b", "\x7f\n"]) {
    refuse({ action: "add", content: text });
    refuse({ action: "update", id: "t_1", content: text });
    refuse({ action: "add", content: "x", active_form: text });
  }
});

Deno.test("parseCall() takes text of 16 384 characters and refuses one more", () => {
  const longest = "x".repeat(16_384);
  assertEquals(parse({ action: "add", content: longest }).content, longest);
  for (const length of [16_385, 5_000_000]) {
    const text = "x".repeat(length);
    assertStringIncludes(refuse({ action: "add", content: text }), "16384");
    assertStringIncludes(
      refuse({ action: "update", id: "t_1", active_form: text }),
      "16384",
    );
  }
});

Deno.test("parseCall() takes blockedBy in every form that means a list of ids", () => {
  const forms: [unknown, string[]][] = [
    [["t_1_aa", "t_2_bb"], ["t_1_aa", "t_2_bb"]],
    ['["t_1_aa"]', ["t_1_aa"]],
    [' ["t_1_aa", "t_2_bb"] ', ["t_1_aa", "t_2_bb"]],
    ["t_1_aa", ["t_1_aa"]],
    ["t_1_aa, t_2_bb", ["t_1_aa", "t_2_bb"]],
    ["t_1_aa t_2_bb\nt_3_cc,", ["t_1_aa", "t_2_bb", "t_3_cc"]],
    [[" t_1_aa "], ["t_1_aa"]],
    [["t_1_aa", null, "", "t_2_bb"], ["t_1_aa", "t_2_bb"]],
    [["t_1_aa", "t_2_bb", "t_1_aa"], ["t_1_aa", "t_2_bb"]],
    ["t_1_aa,t_1_aa", ["t_1_aa"]],
    [["null"], ["null"]],
    ["none", ["none"]],
    [["__proto__", "constructor"], ["__proto__", "constructor"]],
    [[], []],
    ["[]", []],
    [" [ ] ", []],
  ];
  for (const [blockedBy, ids] of forms) {
    assertEquals(
      parse({ action: "add", content: "x", blockedBy }).blockedBy,
      ids,
    );
    assertEquals(
      parse({ action: "update", id: "t_9", blockedBy }).blockedBy,
      ids,
    );
  }
});

Deno.test("parseCall() refuses blockedBy in any other form, and shows the right one", () => {
  const forms: unknown[] = [
    "[t_1_aa",
    "[t_1_aa, t_2_bb]",
    "['t_1_aa']",
    5,
    1e21,
    NaN,
    true,
    { id: "t_1_aa" },
    { 0: "t_1_aa", length: 1 },
    [5],
    [true],
    [["t_1_aa"]],
    [{ id: "t_1_aa" }],
    ["t_1_aa", 7],
  ];
  for (const blockedBy of forms) {
    for (const call of [{ action: "add" }, { action: "update", id: "t_9" }]) {
      const message = refuse({ ...call, content: "x", blockedBy });
      assertStringIncludes(message, '"blockedBy" must be an array');
      assertStringIncludes(message, '{"blockedBy":["t_');
    }
  }
});

Deno.test("parseCall() does not echo a malformed blockedBy", () => {
  const message = refuse({
    action: "add",
    content: "x",
    blockedBy: `[${"SECRET".repeat(1_000)}`,
  });
  assertNotMatch(message, /SECRET/);
});

Deno.test("parseCall() says which item of blockedBy is wrong, as the caller counts them", () => {
  const message = refuse({
    action: "add",
    content: "x",
    blockedBy: [null, "t_1_aa", 7],
  });
  assertStringIncludes(message, "item 2");
});

Deno.test("parseCall() never takes an update's list of empty values for a cleared one", () => {
  for (
    const blockedBy of [
      [null, ""],
      [null],
      [" "],
      '[""]',
      "[null]",
      [undefined],
      ",",
      " , ,",
    ]
  ) {
    const message = refuse({ action: "update", id: "t_1", blockedBy });
    assertStringIncludes(message, "blockedBy");
    assertStringIncludes(message, "[]");
  }
});

Deno.test("parseCall() takes an add's list of empty values for an empty one", () => {
  for (const blockedBy of [[null, ""], "[null]", []]) {
    assertEquals(
      parse({ action: "add", content: "x", blockedBy }).blockedBy,
      [],
    );
  }
});

Deno.test("parseCall() refuses ids that are not text", () => {
  for (const id of [5, 1e21, NaN, true, { id: "x" }, ["x"], [], 1n]) {
    for (const action of ["update", "complete", "remove"]) {
      assertStringIncludes(refuse({ action, id }), '"id" must be a string');
    }
  }
});

Deno.test("parseCall() asks for an id where one is needed", () => {
  for (const id of [undefined, null, "", "  "]) {
    for (const action of ["update", "complete", "remove"]) {
      const message = refuse({ action, id });
      assertStringIncludes(message, '"id" is required');
      assertStringIncludes(message, action);
    }
  }
});

Deno.test("parseCall() trims ids", () => {
  assertEquals(parse({ action: "complete", id: " t_1_aa\n" }).id, "t_1_aa");
});

Deno.test("parseCall() knows other spellings of the keys", () => {
  const calls: [unknown, Record<string, unknown>][] = [
    [
      { action: "add", content: "x", blocked_by: ["t_1"], activeForm: "y" },
      { action: "add", content: "x", blockedBy: ["t_1"], active_form: "y" },
    ],
    [{ action: "complete", taskId: "t_1" }, { action: "complete", id: "t_1" }],
    [{ action: "remove", task_id: "t_1" }, { action: "remove", id: "t_1" }],
    [
      { action: "list", statusFilter: "done" },
      { action: "list", status_filter: "completed" },
    ],
  ];
  for (const [input, call] of calls) assertEquals(parse(input), call);
});

Deno.test("parseCall() takes a key that was sent twice when both values are the same", () => {
  const calls: unknown[] = [
    { action: "update", id: "t_1", taskId: "t_1", task_id: "t_1" },
    { action: "update", id: "t_1", taskId: null },
    { action: "update", id: "", task_id: "t_1" },
    { action: "update", id: "t_1", blockedBy: null, blocked_by: null },
  ];
  for (const call of calls) {
    assertEquals(parse(call), { action: "update", id: "t_1" });
  }
  const both = { blockedBy: ["t_1", "t_2"], blocked_by: ["t_1", "t_2"] };
  assertEquals(
    parse({ action: "add", content: "x", ...both }).blockedBy,
    ["t_1", "t_2"],
  );
});

Deno.test("parseCall() refuses a key that was sent twice with different values", () => {
  const calls: [Record<string, unknown>, string][] = [
    [{ action: "complete", id: "t_1", taskId: "t_2" }, "id"],
    [{ action: "complete", task_id: "t_1", taskId: "t_2" }, "id"],
    [
      { action: "add", content: "x", blockedBy: ["t_1"], blocked_by: ["t_2"] },
      "blockedBy",
    ],
    [
      { action: "update", id: "t_1", blockedBy: [], blocked_by: ["t_2"] },
      "blockedBy",
    ],
    [
      { action: "add", content: "x", active_form: "a", activeForm: "b" },
      "active_form",
    ],
    [
      { action: "list", status_filter: "done", statusFilter: "open" },
      "status_filter",
    ],
  ];
  for (const [call, key] of calls) assertStringIncludes(refuse(call), key);
});

Deno.test("parseCall() refuses an unknown key that holds something, and names the nearest", () => {
  const calls: [Record<string, unknown>, string, string][] = [
    [
      { action: "add", content: "x", blockdBy: ["t_1"] },
      "blockdBy",
      'Did you mean "blockedBy"?',
    ],
    [
      { action: "add", content: "x", activeform: "y" },
      "activeform",
      'Did you mean "active_form"?',
    ],
    [
      { action: "update", id: "t_1", contents: "y" },
      "contents",
      'Did you mean "content"?',
    ],
    [
      { action: "complete", ids: "t_1" },
      "ids",
      'Did you mean "id"?',
    ],
    [
      { action: "add", content: "x", priority: 1 },
      "priority",
      '"content", "blockedBy", "active_form"',
    ],
    [{ action: "blocked", verbose: false }, "verbose", "no other keys"],
    [
      JSON.parse('{"action":"list","__proto__":{"polluted":true}}'),
      "__proto__",
      "status_filter",
    ],
  ];
  for (const [call, key, hint] of calls) {
    const message = refuse(call);
    assertStringIncludes(message, key);
    assertStringIncludes(message, hint);
  }
});

Deno.test("parseCall() never proposes a key that the action does not take", () => {
  const proposals: [Record<string, unknown>, RegExp][] = [
    [{ action: "add", content: "x", ids: ["t_1"] }, /mean "id"/],
    [{ action: "add", content: "x", stat: "done" }, /mean "status"/],
    [{ action: "list", state: "done" }, /mean "status"/],
    [{ action: "complete", context: "x" }, /mean "content"/],
  ];
  for (const [call, proposal] of proposals) {
    assertNotMatch(refuse(call), proposal);
  }
});

Deno.test("parseCall() refuses an update whose misspelt key would have cleared something", () => {
  assertStringIncludes(
    refuse({ action: "update", id: "t_1", blockdBy: [] }),
    "blockdBy",
  );
});

Deno.test("parseCall() ignores the keys of other actions when they are empty", () => {
  const flat = {
    id: "",
    content: null,
    status: "",
    blockedBy: [],
    blocked_by: [null],
    active_form: "  ",
    status_filter: null,
  };
  assertEquals(parse({ ...flat, action: "list" }), { action: "list" });
  assertEquals(parse({ ...flat, action: "blocked" }), { action: "blocked" });
  assertEquals(
    parse({ ...flat, action: "complete", id: "t_1" }),
    { action: "complete", id: "t_1" },
  );
});

Deno.test("parseCall() refuses the keys of other actions when they hold something", () => {
  const calls: [Record<string, unknown>, string, string][] = [
    [
      { action: "add", content: "x", status: "in_progress" },
      '"status"',
      '"update"',
    ],
    [{ action: "add", content: "x", id: "t_1" }, '"id"', "returned"],
    [{ action: "complete", id: "t_1", content: "x" }, '"content"', '"update"'],
    [
      { action: "complete", id: "t_1", status: "pending" },
      '"status"',
      '"update"',
    ],
    [{ action: "remove", id: "t_1", blockedBy: ["t_2"] }, '"blockedBy"', "add"],
    [
      { action: "update", id: "t_1", status_filter: "pending" },
      '"status_filter"',
      '"list"',
    ],
    [{ action: "list", status: "pending" }, '"status"', '"status_filter"'],
    [{ action: "list", id: "t_1" }, '"id"', '"status_filter"'],
    [{ action: "blocked", status_filter: "done" }, '"status_filter"', '"list"'],
  ];
  for (const [call, key, hint] of calls) {
    const message = refuse(call);
    assertStringIncludes(message, key);
    assertStringIncludes(message, hint);
  }
});

Deno.test("parseCall() ignores a status that the action gives anyway", () => {
  const calls: [Record<string, unknown>, unknown][] = [
    [{ action: "add", content: "x" }, "pending"],
    [{ action: "add", content: "x" }, "todo"],
    [{ action: "complete", id: "t_1" }, "Done"],
    [{ action: "remove", id: "t_1" }, "deleted"],
  ];
  for (const [call, status] of calls) {
    assertEquals(parse({ ...call, status }), call);
  }
});

Deno.test("parseCall() knows other words for the statuses", () => {
  const words: Record<string, string> = {
    pending: "pending",
    todo: "pending",
    Open: "pending",
    "in_progress": "in_progress",
    "in-progress": "in_progress",
    "IN PROGRESS": "in_progress",
    " doing ": "in_progress",
    completed: "completed",
    Done: "completed",
    complete: "completed",
    deleted: "deleted",
    Removed: "deleted",
  };
  for (const [word, status] of Object.entries(words)) {
    assertEquals(
      parse({ action: "update", id: "t_1", status: word }).status,
      status,
    );
    assertEquals(
      parse({ action: "list", status_filter: word }).status_filter,
      status,
    );
  }
});

Deno.test("parseCall() refuses any other status, and names the four", () => {
  const words: unknown[] = [
    "cancelled",
    "null",
    "none",
    "toString",
    "__proto__",
    "all",
    5,
    true,
    ["pending"],
    [],
    { status: "pending" },
  ];
  for (const word of words) {
    for (
      const call of [
        { action: "update", id: "t_1", status: word },
        { action: "list", status_filter: word },
      ]
    ) {
      const message = refuse(call);
      for (const status of STATUSES) assertStringIncludes(message, status);
    }
  }
});

Deno.test("parseCall() leaves the input as it was", () => {
  const input = {
    action: " ADD",
    content: "x\x00",
    blocked_by: ["t_1", null, "t_1"],
  };
  const before = structuredClone(input);
  parseCall(input);
  assertEquals(input, before);
  parseCall(Object.freeze(input));
});

Deno.test("parseCall() takes megabytes of nonsense without giving in", () => {
  const long = "x".repeat(3_000_000);
  refuse(long);
  refuse({ action: long });
  refuse({ action: "add", [long]: 1 });
  refuse({ action: "update", id: "t_1", status: ` ${"- ".repeat(1_000_000)}` });
  refuse("{".repeat(1_000_000));
  refuse({ action: "add", content: "x", blockedBy: "[".repeat(1_000_000) });
  refuse(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [i, i])));
});

Deno.test("actionOf() names the action of a call whatever else is wrong with it", () => {
  const calls: [unknown, string | undefined][] = [
    [{ action: "add" }, "add"],
    [{ action: " Update", nonsense: 1 }, "update"],
    [{ arguments: '{"action":"complete"}' }, "complete"],
    [{ action: "delete" }, undefined],
    [{ action: "constructor" }, undefined],
    [{}, undefined],
    ["{", undefined],
    [undefined, undefined],
    [1n, undefined],
  ];
  for (const [call, action] of calls) assertEquals(actionOf(call), action);
});
