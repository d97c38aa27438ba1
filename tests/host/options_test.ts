import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import { toFileUrl } from "@std/path/to-file-url";
import { openSession, TasksError } from "../../mod.ts";
import { resolveOptions, type SessionOptions } from "../../src/host/options.ts";
import { PACKAGE } from "../support/child.ts";
import { makeSessionDir } from "../support/session_dir.ts";

/** An absolute directory that need not exist. */
const DIR = resolve("nowhere");

function refusal(options: SessionOptions): TasksError {
  return assertThrows(() => resolveOptions(options), TasksError);
}

/** Options as a caller without types could give them. */
function untyped(fields: Record<string, unknown>): SessionOptions {
  return { sessionId: "s", sessionDir: DIR, ...fields };
}

/** Sets variables, or unsets them, while `body` runs. */
function withVariables<T>(
  variables: Readonly<Record<string, string | undefined>>,
  body: () => T,
): T {
  const before = Object.keys(variables).map((name) =>
    [name, Deno.env.get(name)] as const
  );
  const set = (name: string, value: string | undefined) =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  try {
    for (const [name, value] of Object.entries(variables)) set(name, value);
    return body();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

Deno.test("resolveOptions() fills in the defaults", () => {
  assertEquals(resolveOptions({ sessionId: "s", sessionDir: DIR }), {
    sessionId: "s",
    sessionDir: DIR,
    staleAfterMs: 300_000,
    durability: "process",
    requestTimeoutMs: 30_000,
    watchFile: false,
    workerUrl: undefined,
  });
});

Deno.test("resolveOptions() takes undefined for what is not given", () => {
  const given = resolveOptions({
    sessionId: "s",
    sessionDir: DIR,
    staleAfterMs: undefined,
    durability: undefined,
    requestTimeoutMs: undefined,
    watchFile: undefined,
    workerUrl: undefined,
    signal: undefined,
  });
  assertEquals(given, resolveOptions({ sessionId: "s", sessionDir: DIR }));
});

Deno.test("resolveOptions() takes what it is given", () => {
  const given = {
    sessionId: "A.b_c-9",
    sessionDir: DIR,
    staleAfterMs: 0,
    durability: "power",
    requestTimeoutMs: 1,
    watchFile: true,
    workerUrl: new URL("https://example.com/worker.ts"),
  } as const;
  assertEquals(resolveOptions(given), given);
});

for (
  const [what, sessionDir, expected] of [
    ["an absolute path", DIR, DIR],
    ["a relative path", "a/../b", resolve("b")],
    ["a file URL", toFileUrl(DIR), DIR],
    [
      "a file URL with escapes",
      toFileUrl(join(DIR, "a b%20ä")),
      join(DIR, "a b%20ä"),
    ],
  ] as const
) {
  Deno.test(`resolveOptions() makes ${what} an absolute path`, () => {
    assertEquals(
      resolveOptions({ sessionId: "s", sessionDir }).sessionDir,
      expected,
    );
  });
}

for (
  const [what, sessionDir] of [
    ["an empty path", ""],
    ["another kind of URL", new URL("https://example.com/")],
    ["a number", 5],
    ["null", null],
  ] as const
) {
  Deno.test(`resolveOptions() refuses ${what} as session directory`, () => {
    assertEquals(refusal(untyped({ sessionDir })).code, "invalid_arguments");
  });
}

for (
  const [what, variables, expected] of [
    [
      "takes KIN_SESSION_DIR when no directory is given",
      { KIN_SESSION_DIR: DIR, HOME: "/home/me" },
      DIR,
    ],
    [
      "makes KIN_SESSION_DIR absolute",
      { KIN_SESSION_DIR: "here", HOME: "/home/me" },
      resolve("here"),
    ],
    [
      "takes the home directory when KIN_SESSION_DIR is not set",
      {
        KIN_SESSION_DIR: undefined,
        HOME: "/home/me",
        USERPROFILE: "/users/me",
      },
      resolve("/home/me/.kin/sessions"),
    ],
    [
      "takes the home directory when KIN_SESSION_DIR is empty",
      { KIN_SESSION_DIR: "", HOME: "/home/me" },
      resolve("/home/me/.kin/sessions"),
    ],
    [
      "takes USERPROFILE when HOME is not set",
      { KIN_SESSION_DIR: undefined, HOME: undefined, USERPROFILE: "/users/me" },
      resolve("/users/me/.kin/sessions"),
    ],
  ] as const
) {
  Deno.test(`resolveOptions() ${what}`, () => {
    const { sessionDir } = withVariables(
      variables,
      () => resolveOptions({ sessionId: "s" }),
    );
    assertEquals(sessionDir, expected);
  });
}

Deno.test("resolveOptions() says what to set when nothing names a directory", () => {
  const error = withVariables(
    { KIN_SESSION_DIR: undefined, HOME: undefined, USERPROFILE: undefined },
    () => refusal({ sessionId: "s" }),
  );
  assertEquals(error.code, "open_failed");
  assertStringIncludes(error.message, '"sessionDir"');
  assertStringIncludes(error.message, "KIN_SESSION_DIR");
});

Deno.test("resolveOptions() prefers the given directory to the variables", () => {
  const { sessionDir } = withVariables(
    { KIN_SESSION_DIR: "/elsewhere" },
    () => resolveOptions({ sessionId: "s", sessionDir: DIR }),
  );
  assertEquals(sessionDir, DIR);
});

const MALFORMED: Readonly<Record<string, readonly unknown[]>> = {
  sessionId: [
    undefined,
    null,
    5,
    "",
    ".",
    "..",
    "../x",
    "a/b",
    "a\\b",
    "a:b",
    "a*",
    "a?",
    "a.",
    ".a",
    "a ",
    " a",
    "a\n",
    "a\0",
    "ä",
    "a\ud800b",
    "con",
    "NUL",
    "com1",
    "COM1.txt",
    "lpt9",
    "aux.tasks",
    "x".repeat(101),
    "x".repeat(243),
  ],
  durability: ["", "disk", null, 5, {}],
  staleAfterMs: [-1, Number.NaN, "soon", "5", 5n, null, {}],
  requestTimeoutMs: [
    0,
    -1,
    Number.NaN,
    Infinity,
    2 ** 31,
    "soon",
    "5",
    5n,
    null,
  ],
  workerUrl: ["", "worker.ts", "./worker.ts", 5, null],
};

for (const [option, values] of Object.entries(MALFORMED)) {
  for (const value of values) {
    const shown = typeof value === "bigint"
      ? `${value}n`
      : JSON.stringify(value)?.slice(0, 30);
    Deno.test(`resolveOptions() refuses ${shown} as ${option}`, () => {
      const error = refusal(untyped({ [option]: value }));
      assertEquals(error.code, "invalid_arguments");
    });
  }
}

for (
  const sessionId of [
    "a",
    "A",
    "0",
    "_",
    "-",
    "a.b",
    "a..b",
    "x".repeat(100),
    "console",
    "com10",
    "nul-1",
    "constructor",
    "__proto__",
  ]
) {
  Deno.test(`resolveOptions() allows the session id ${sessionId.slice(0, 20)}`, () => {
    assertEquals(
      resolveOptions({ sessionId, sessionDir: DIR }).sessionId,
      sessionId,
    );
  });
}

Deno.test("resolveOptions() allows a task to be in progress for ever", () => {
  const { staleAfterMs } = resolveOptions({
    sessionId: "s",
    sessionDir: DIR,
    staleAfterMs: Infinity,
  });
  assertEquals(staleAfterMs, Infinity);
});

Deno.test("openSession() refuses malformed options before it touches anything", async () => {
  await using dir = await makeSessionDir();
  for (const sessionId of ["../x", "con", "x".repeat(101)]) {
    const outcome = await openSession({ sessionId, sessionDir: dir.at("new") })
      .catch((error) => error);
    assertEquals(outcome.code, "invalid_arguments");
  }
  assertEquals(await dir.names(), []);
});

// Permissions

Deno.test("resolveOptions() names the permission to read that is missing", {
  permissions: { write: true },
}, () => {
  const error = refusal({ sessionId: "s", sessionDir: DIR });
  assertEquals(error.code, "open_failed");
  assertStringIncludes(error.message, `--allow-read=${DIR}`);
});

Deno.test("resolveOptions() names the permission to write that is missing", {
  permissions: { read: true },
}, () => {
  const error = refusal({ sessionId: "s", sessionDir: DIR });
  assertEquals(error.code, "open_failed");
  assertStringIncludes(error.message, `--allow-write=${DIR}`);
});

Deno.test(
  "resolveOptions() names every permission on the directory that is missing",
  {
    permissions: {},
  },
  () => {
    const { message } = refusal({ sessionId: "s", sessionDir: DIR });
    assertStringIncludes(message, "may not read or write");
    assertStringIncludes(message, `--allow-read=${DIR} --allow-write=${DIR}.`);
  },
);

Deno.test(
  "resolveOptions() names the permission to read its worker that is missing",
  {
    permissions: { read: [DIR], write: [DIR] },
  },
  () => {
    const error = refusal({ sessionId: "s", sessionDir: DIR });
    assertEquals(error.code, "open_failed");
    assertStringIncludes(error.message, "worker");
  },
);

Deno.test(
  "resolveOptions() asks for no more than the session directory and its own modules",
  {
    permissions: {
      read: [DIR, join(PACKAGE, "worker.ts"), join(PACKAGE, "src")],
      write: [DIR],
    },
  },
  () => {
    assertEquals(
      resolveOptions({ sessionId: "s", sessionDir: DIR }).sessionDir,
      DIR,
    );
  },
);

Deno.test("resolveOptions() does not read variables that it may not read", {
  permissions: { read: true, write: true, env: ["HOME"] },
}, () => {
  const { sessionDir } = resolveOptions({ sessionId: "s" });
  assertStringIncludes(sessionDir, join(".kin", "sessions"));
});
