// What the repository relies on in `@std`, which holds for the real packages as
// well as for the stand-ins in `.ci/stand_ins`. The verdicts are those of
// `node:assert`, as `@std/assert` is itself on trial.

import * as verdict from "node:assert/strict";
import * as assertMod from "@std/assert";
import { assertArrayIncludes } from "@std/assert/array-includes";
import { assert } from "@std/assert/assert";
import { AssertionError } from "@std/assert/assertion-error";
import { equal } from "@std/assert/equal";
import { assertEquals } from "@std/assert/equals";
import { assertExists } from "@std/assert/exists";
import { fail } from "@std/assert/fail";
import { assertFalse, type Falsy } from "@std/assert/false";
import { assertGreater } from "@std/assert/greater";
import { assertGreaterOrEqual } from "@std/assert/greater-or-equal";
import { assertInstanceOf } from "@std/assert/instance-of";
import { assertLess } from "@std/assert/less";
import { assertLessOrEqual } from "@std/assert/less-or-equal";
import { assertMatch } from "@std/assert/match";
import { assertNotEquals } from "@std/assert/not-equals";
import { assertNotMatch } from "@std/assert/not-match";
import { assertNotStrictEquals } from "@std/assert/not-strict-equals";
import { assertObjectMatch } from "@std/assert/object-match";
import { assertRejects } from "@std/assert/rejects";
import { assertStrictEquals } from "@std/assert/strict-equals";
import { assertStringIncludes } from "@std/assert/string-includes";
import { assertThrows } from "@std/assert/throws";
import { unreachable } from "@std/assert/unreachable";
import * as fsMod from "@std/fs";
import { ensureDir, ensureDirSync } from "@std/fs/ensure-dir";
import { exists, existsSync } from "@std/fs/exists";
import { walk, type WalkOptions, walkSync } from "@std/fs/walk";
import * as pathMod from "@std/path";
import { basename } from "@std/path/basename";
import { dirname } from "@std/path/dirname";
import { fromFileUrl } from "@std/path/from-file-url";
import { isAbsolute } from "@std/path/is-absolute";
import { join } from "@std/path/join";
import { relative } from "@std/path/relative";
import { resolve } from "@std/path/resolve";
import { toFileUrl } from "@std/path/to-file-url";

// deno-fmt-ignore
const OFFERS: Record<string, [module: object, functions: object]> = {
  "@std/assert": [assertMod, {
    assert, assertArrayIncludes, assertEquals, assertExists, assertFalse,
    assertGreater, assertGreaterOrEqual, assertInstanceOf, assertLess,
    assertLessOrEqual, assertMatch, assertNotEquals, assertNotMatch,
    assertNotStrictEquals, assertObjectMatch, assertRejects, assertStrictEquals,
    assertStringIncludes, assertThrows, AssertionError, equal, fail, unreachable,
  }],
  "@std/fs": [fsMod, {
    ensureDir, ensureDirSync, exists, existsSync, walk, walkSync,
  }],
  "@std/path": [pathMod, {
    basename, dirname, fromFileUrl, isAbsolute, join, relative, resolve,
    toFileUrl,
  }],
};

for (const [name, [module, functions]] of Object.entries(OFFERS)) {
  Deno.test(`${name} offers the functions of its subpaths`, () => {
    for (const [name, fn] of Object.entries(functions)) {
      verdict.equal(Reflect.get(module, name), fn, name);
    }
  });
}

class Point {
  constructor(readonly x: number, readonly y: number) {}
}

class OtherPoint {
  constructor(readonly x: number, readonly y: number) {}
}

class Secret {
  readonly #value: unknown;
  constructor(value: unknown) {
    this.#value = value;
  }
  get value(): unknown {
    return this.#value;
  }
}

const symbol = Symbol("key");
const error = new Error("once");

/** Makes an object that contains itself. */
function circle(name: string): Record<string, unknown> {
  const object: Record<string, unknown> = { name };
  object.self = object;
  return object;
}

const EQUAL: Record<string, [unknown, unknown]> = {
  "the same primitives": [1, 1],
  "NaN and NaN": [NaN, NaN],
  "0 and -0": [{ a: 0 }, { a: -0 }],
  "objects whose keys are in another order": [{ a: 1, b: 2 }, { b: 2, a: 1 }],
  "nested objects": [{ a: [{ b: null }] }, { a: [{ b: null }] }],
  "undefined values of the same keys": [{ a: undefined }, { a: undefined }],
  "symbol keys": [{ [symbol]: 1 }, { [symbol]: 1 }],
  "an object without prototype and a plain one": [
    Object.assign(Object.create(null), { a: 1 }),
    { a: 1 },
  ],
  "properties that are not enumerable": [
    Object.defineProperty({ a: 1 }, "b", { value: 1 }),
    { a: 1 },
  ],
  "instances of a class": [new Point(1, 2), new Point(1, 2)],
  "accessors": [new Secret([1]), new Secret([1])],
  "the same error": [{ error }, { error }],
  "dates": [new Date(5), new Date(5)],
  "invalid dates": [new Date(NaN), new Date(NaN)],
  "regular expressions": [/a/g, /a/g],
  "URLs": [new URL("https://a.example/b"), new URL("b", "https://a.example")],
  "search parameters": [
    new URLSearchParams("a=1"),
    new URLSearchParams({
      a: "1",
    }),
  ],
  "sets in another order": [new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])],
  "maps in another order": [
    new Map([["a", [1]], ["b", [2]]]),
    new Map([["b", [2]], ["a", [1]]]),
  ],
  "maps with objects as keys": [
    new Map([[{ a: 1 }, 1]]),
    new Map([[{ a: 1 }, 1]]),
  ],
  "typed arrays": [new Uint8Array([1, 2]), new Uint8Array([1, 2])],
  "parts of different buffers": [
    new Uint8Array([1, 2, 3]).subarray(1),
    new Uint8Array([2, 3]),
  ],
  "buffers": [new Uint8Array([1]).buffer, new Uint8Array([1]).buffer],
  "boxed strings": [new String("a"), new String("a")],
  "objects that contain themselves": [circle("a"), circle("a")],
};

const DIFFERENT: Record<string, [unknown, unknown]> = {
  "primitives of different types": [1, "1"],
  "null and undefined": [null, undefined],
  "null and an object": [null, {}],
  "an undefined value and a missing key": [{ a: undefined }, {}],
  "undefined values of different keys": [{ a: undefined }, { b: undefined }],
  "values of nested objects": [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  "symbol keys": [{ [symbol]: 1 }, { [symbol]: 2 }],
  "a symbol key and none": [{ [symbol]: 1 }, {}],
  "an array and an object": [[1], { 0: 1 }],
  "arrays of different length": [[1, 2], [1]],
  "arrays in another order": [[1, 2], [2, 1]],
  "undefined and a hole": [[undefined, 1], [, 1]],
  "functions": [() => 1, () => 1],
  "instances of different classes": [new Point(1, 2), new OtherPoint(1, 2)],
  "an instance and a plain object": [new Point(1, 2), { x: 1, y: 2 }],
  "accessors": [new Secret([1]), new Secret([2])],
  "errors with different messages": [new Error("a"), new Error("b")],
  "errors of different classes": [new Error("a"), new TypeError("a")],
  "dates": [new Date(5), new Date(6)],
  "regular expressions": [/a/g, /a/],
  "URLs": [new URL("https://a.example/b"), new URL("https://a.example/c")],
  "search parameters": [
    new URLSearchParams("a=1"),
    new URLSearchParams("a=2"),
  ],
  "a set and a map": [new Set(), new Map()],
  "sets": [new Set([1, { a: 1 }]), new Set([1, { a: 2 }])],
  "a set and a larger one": [new Set([1]), new Set([1, 2])],
  "values of maps": [new Map([["a", [1]]]), new Map([["a", [2]]])],
  "keys of maps": [new Map([["a", 1]]), new Map([["b", 1]])],
  "typed arrays": [new Uint8Array([1, 2]), new Uint8Array([1, 3])],
  "typed arrays of different length": [
    new Uint8Array([1]),
    new Uint8Array([1, 2]),
  ],
  "typed arrays of different types": [
    new Uint8Array([1]),
    new Int8Array([1]),
  ],
  "buffers": [new Uint8Array([1]).buffer, new Uint8Array([2]).buffer],
  "objects that contain themselves": [circle("a"), circle("b")],
};

Deno.test("equal() and assertEquals() accept what is deeply equal", async (t) => {
  for (const [what, [a, b]] of Object.entries(EQUAL)) {
    await t.step(what, () => {
      verdict.equal(equal(a, b), true);
      verdict.equal(equal(b, a), true);
      assertEquals(a, b);
      verdict.throws(() => assertNotEquals(a, b), AssertionError);
    });
  }
});

Deno.test("equal() and assertEquals() refuse what is not deeply equal", async (t) => {
  for (const [what, [a, b]] of Object.entries(DIFFERENT)) {
    await t.step(what, () => {
      verdict.equal(equal(a, b), false);
      verdict.equal(equal(b, a), false);
      assertNotEquals(a, b);
      verdict.throws(() => assertEquals(a, b), AssertionError);
    });
  }
});

Deno.test("equal() refuses to compare weak collections", () => {
  verdict.throws(() => equal(new WeakMap(), new WeakMap()), TypeError);
  verdict.throws(() => equal(new WeakSet(), new WeakSet()), TypeError);
});

type Loose = Record<PropertyKey, unknown>;

const MATCHING: Record<string, [actual: Loose, expected: Loose]> = {
  "equal objects": [{ a: 1 }, { a: 1 }],
  "more keys than expected": [{ a: 1, b: 2 }, { a: 1 }],
  "more nested keys than expected": [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }],
  "no expectation": [{ a: 1 }, {}],
  "longer arrays than expected": [{ a: [1, 2, 3] }, { a: [1, 2] }],
  "objects in arrays": [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }],
  "an instance of a class": [{ a: new Point(1, 2) }, { a: { x: 1 } }],
  "symbol keys": [{ [symbol]: 1, a: 1 }, { [symbol]: 1 }],
  "dates": [{ a: new Date(5), b: 1 }, { a: new Date(5) }],
  "regular expressions": [{ a: /a/g, b: 1 }, { a: /a/g }],
  "larger maps than expected": [
    { a: new Map([["b", 1], ["c", 2]]) },
    { a: new Map([["b", 1]]) },
  ],
  "larger sets than expected": [
    { a: new Set([1, 2]) },
    { a: new Set([1]) },
  ],
  "objects that contain themselves": [circle("a"), circle("a")],
};

const NOT_MATCHING: Record<string, [actual: Loose, expected: Loose]> = {
  "another value": [{ a: 1 }, { a: 2 }],
  "another nested value": [{ a: { b: 1, c: 2 } }, { a: { b: 2 } }],
  "a missing key": [{ a: 1 }, { a: 1, b: 2 }],
  "a missing key whose value is undefined": [{ a: 1 }, { b: undefined }],
  "a shorter array": [{ a: [1] }, { a: [1, undefined] }],
  "an object for an array": [{ a: { 0: 1 } }, { a: [1] }],
  "another regular expression": [{ a: /a/ }, { a: /a/g }],
  "a smaller map": [{ a: new Map() }, { a: new Map([["b", undefined]]) }],
  "another value in a map": [
    { a: new Map([["b", 2]]) },
    { a: new Map([["b", 1]]) },
  ],
  "a smaller set": [{ a: new Set() }, { a: new Set([1]) }],
};

Deno.test("assertObjectMatch() accepts objects with what is expected", async (t) => {
  for (const [what, [actual, expected]] of Object.entries(MATCHING)) {
    await t.step(what, () => {
      assertObjectMatch(actual, expected);
    });
  }
});

Deno.test("assertObjectMatch() refuses objects without what is expected", async (t) => {
  for (const [what, [actual, expected]] of Object.entries(NOT_MATCHING)) {
    await t.step(what, () => {
      verdict.throws(
        () => assertObjectMatch(actual, expected),
        AssertionError,
      );
    });
  }
});

interface Assertion {
  passes?: () => void;
  fails: (msg?: string) => void;
}

const ASSERTIONS: Record<string, Assertion> = {
  "assert()": {
    passes: () => assert("a"),
    fails: (msg) => assert(0, msg),
  },
  "assertFalse()": {
    passes: () => assertFalse(""),
    fails: (msg) => assertFalse([], msg),
  },
  "assertEquals()": {
    passes: () => assertEquals([1], [1]),
    fails: (msg) => assertEquals("a\nb", "a\nc", msg),
  },
  "assertNotEquals()": {
    passes: () => assertNotEquals([1], [2]),
    fails: (msg) => assertNotEquals([1], [1], msg),
  },
  "assertStrictEquals()": {
    passes: () => assertStrictEquals(NaN, NaN),
    fails: (msg) => assertStrictEquals([1], [1], msg),
  },
  "assertStrictEquals() with 0 and -0": {
    fails: (msg) => assertStrictEquals(0, -0, msg),
  },
  "assertNotStrictEquals()": {
    passes: () => assertNotStrictEquals([1], [1]),
    fails: (msg) => assertNotStrictEquals(NaN, NaN, msg),
  },
  "assertExists()": {
    passes: () => assertExists(0),
    fails: (msg) => assertExists(null, msg),
  },
  "assertStringIncludes()": {
    passes: () => assertStringIncludes("abc", "bc"),
    fails: (msg) => assertStringIncludes("abc", "ac", msg),
  },
  "assertArrayIncludes()": {
    passes: () => assertArrayIncludes([1, { a: 1 }, NaN], [NaN, { a: 1 }]),
    fails: (msg) => assertArrayIncludes([1, { a: 1 }], [1, { a: 2 }], msg),
  },
  "assertArrayIncludes() with typed arrays": {
    passes: () => assertArrayIncludes(new Uint8Array([1, 2]), [2]),
    fails: (msg) => assertArrayIncludes(new Uint8Array([1, 2]), [3], msg),
  },
  "assertMatch()": {
    passes: () => assertMatch("abc", /b/),
    fails: (msg) => assertMatch("abc", /d/, msg),
  },
  "assertNotMatch()": {
    passes: () => assertNotMatch("abc", /d/),
    fails: (msg) => assertNotMatch("abc", /b/, msg),
  },
  "assertInstanceOf()": {
    passes: () => assertInstanceOf(new TypeError(), Error),
    fails: (msg) => assertInstanceOf(new Error(), TypeError, msg),
  },
  "assertInstanceOf() with null": {
    fails: (msg) => assertInstanceOf(null, Object, msg),
  },
  "assertObjectMatch()": {
    passes: () => assertObjectMatch({ a: 1, b: 2 }, { a: 1 }),
    fails: (msg) => assertObjectMatch({ a: 1 }, { a: 2 }, msg),
  },
  "assertGreater()": {
    passes: () => assertGreater(2, 1),
    fails: (msg) => assertGreater(1, 1, msg),
  },
  "assertGreaterOrEqual()": {
    passes: () => assertGreaterOrEqual(1, 1),
    fails: (msg) => assertGreaterOrEqual(1, 2, msg),
  },
  "assertLess()": {
    passes: () => assertLess(1n, 2n),
    fails: (msg) => assertLess(1, 1, msg),
  },
  "assertLessOrEqual()": {
    passes: () => assertLessOrEqual("a", "a"),
    fails: (msg) => assertLessOrEqual("b", "a", msg),
  },
  "assertThrows()": {
    passes: () => assertThrows(() => fail()),
    fails: (msg) => assertThrows(() => {}, msg),
  },
  "assertThrows() with a class": {
    passes: () => assertThrows(() => fail(), Error),
    fails: (msg) => assertThrows(() => fail(), TypeError, "", msg),
  },
  "assertThrows() with a message": {
    passes: () => assertThrows(() => fail("a\x1b[1mb"), Error, "ab"),
    fails: (msg) => assertThrows(() => fail("ab"), Error, "c", msg),
  },
  "assertThrows() with what is no error": {
    fails: (msg) => assertThrows(() => throwIt("ab"), Error, "", msg),
  },
  "fail()": { fails: (msg) => fail(msg) },
  "unreachable()": { fails: (msg) => unreachable(msg) },
};

function throwIt(value: unknown): never {
  throw value;
}

for (const [name, { passes, fails }] of Object.entries(ASSERTIONS)) {
  if (passes) Deno.test(`${name} passes`, passes);

  Deno.test(`${name} fails with an AssertionError that has the message`, () => {
    for (const msg of [undefined, "the reason"]) {
      verdict.throws(() => fails(msg), (error: unknown) => {
        verdict.ok(error instanceof AssertionError);
        verdict.ok(error instanceof Error);
        verdict.equal(error.name, "AssertionError");
        verdict.ok(error.message.includes(msg ?? ""), error.message);
        return true;
      });
    }
  });
}

Deno.test("assertThrows() returns what was thrown", () => {
  const thrown = new RangeError("no");
  const throwing = () => throwIt(thrown);
  const narrowed: RangeError = assertThrows(throwing, RangeError, "no");
  verdict.equal(narrowed, thrown);
  verdict.equal(assertThrows(throwing), thrown);
  verdict.equal(assertThrows(() => throwIt("text"), "the reason"), "text");
});

Deno.test("assertRejects() resolves to the reason", async () => {
  const thrown = new RangeError("no");
  const rejecting = () => Promise.reject(thrown);
  const narrowed: RangeError = await assertRejects(rejecting, RangeError, "no");
  verdict.equal(narrowed, thrown);
  verdict.equal(await assertRejects(rejecting), thrown);
  verdict.equal(
    await assertRejects(() => Promise.reject("text"), "the reason"),
    "text",
  );
});

const REJECTIONS: Record<string, (msg?: string) => Promise<unknown>> = {
  "a promise that resolves": (msg) =>
    assertRejects(() => Promise.resolve(), Error, "", msg),
  "a promise that resolves, given a note alone": (msg) =>
    assertRejects(() => Promise.resolve(), msg),
  "a function that throws": (msg) =>
    assertRejects(() => throwIt(new Error()), Error, "", msg),
  "a function that returns no promise": (msg) =>
    assertRejects((() => 1) as unknown as () => Promise<1>, Error, "", msg),
  "an error of another class": (msg) =>
    assertRejects(() => Promise.reject(new Error()), TypeError, "", msg),
  "another message": (msg) =>
    assertRejects(() => Promise.reject(new Error("a")), Error, "b", msg),
  "what is no error": (msg) =>
    assertRejects(() => Promise.reject("text"), Error, "", msg),
};

Deno.test("assertRejects() rejects otherwise", async (t) => {
  for (const [what, rejection] of Object.entries(REJECTIONS)) {
    await t.step(what, async () => {
      for (const msg of [undefined, "the reason"]) {
        await verdict.rejects(rejection(msg), (error: unknown) => {
          verdict.ok(error instanceof AssertionError);
          verdict.ok(error.message.includes(msg ?? ""), error.message);
          return true;
        });
      }
    });
  }
});

Deno.test("AssertionError takes a cause", () => {
  verdict.equal(new AssertionError("a", { cause: "b" }).cause, "b");
});

Deno.test("assertions narrow types", () => {
  const maybe = (value: unknown): string | null | undefined => value as string;

  const a = maybe("a");
  assert(a);
  const asserted: string = a;

  const b = maybe("b");
  assertExists(b);
  const existing: string = b;

  const c: unknown = "c";
  assertStrictEquals(c, "c" as const);
  const same: "c" = c;

  const d: unknown = new Date(4);
  assertInstanceOf(d, Date);
  const date: Date = d;

  const e = maybe("");
  assertFalse(e);
  const falsy: Falsy = e;

  verdict.deepEqual([asserted, existing, same, +date, falsy], [
    "a",
    "b",
    "c",
    4,
    "",
  ]);
});

const POSIX = Deno.build.os !== "windows";
const url = (path: string) => new URL(`file://${path}`);

const PATHS: [actual: () => unknown, expected: unknown][] = [
  [() => join("a", "..", "/b//c", "./d/"), "b/c/d/"],
  [() => join("/a", "", "b"), "/a/b"],
  [() => join("", ""), "."],
  [() => join(url("/a%20b/"), "../c"), "/c"],
  [() => dirname("/a/b.ts"), "/a"],
  [() => dirname("/a/b/"), "/a"],
  [() => dirname("a//b"), "a"],
  [() => dirname("/a"), "/"],
  [() => dirname("//a"), "/"],
  [() => dirname("a"), "."],
  [() => dirname(""), "."],
  [() => dirname(url("/a%20b/c")), "/a b"],
  [() => basename("/a/b.ts"), "b.ts"],
  [() => basename("/a/b.ts", ".ts"), "b"],
  [() => basename("/a/b/"), "b"],
  [() => basename(".ts", ".ts"), ".ts"],
  [() => basename("/"), "/"],
  [() => basename(""), ""],
  [() => basename(url("/a/b%20c")), "b c"],
  [() => resolve("/a", "b", "../c"), "/a/c"],
  [() => resolve("/a", "/b", ""), "/b"],
  [() => resolve("a"), `${Deno.cwd()}/a`],
  [() => resolve(), Deno.cwd()],
  [() => relative("/a/b", "/a/c/d"), "../c/d"],
  [() => relative("/a", "/a/b"), "b"],
  [() => relative("/a", "/a"), ""],
  [() => relative("a", "b"), "../b"],
  [() => isAbsolute("/a"), true],
  [() => isAbsolute("a"), false],
  [() => isAbsolute(""), false],
  [() => fromFileUrl("file:///a%20b/c%25"), "/a b/c%"],
  [() => fromFileUrl(url("/a?b#c")), "/a"],
  [() => fromFileUrl("file:///%C3%A9/100%"), "/é/100%"],
  [() => toFileUrl("/a b/é").href, "file:///a%20b/%C3%A9"],
  [() => toFileUrl("//a//b/").href, "file:///a//b/"],
  [() => toFileUrl("/50%?#\\").href, "file:///50%25%3F%23%5C"],
  [() => toFileUrl("/[~]").href, "file:///[~]"],
];

Deno.test("@std/path handles POSIX paths", { ignore: !POSIX }, async (t) => {
  for (const [actual, expected] of PATHS) {
    const call = actual.toString().replace("() => ", "");
    await t.step(call, () => verdict.equal(actual(), expected));
  }
});

Deno.test("@std/path takes only file URLs and absolute paths for URLs", () => {
  verdict.throws(() => fromFileUrl("https://a.example/b"), TypeError);
  verdict.throws(() => fromFileUrl("a"), TypeError);
  verdict.throws(() => toFileUrl("a"), TypeError);
});

/** A folder that is removed at the end of its block. */
class TempDir implements AsyncDisposable {
  readonly path: string = Deno.makeTempDirSync();

  /** Returns the path of something in the folder. */
  of(...names: string[]): string {
    return join(this.path, ...names);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

type Fn<A extends unknown[], R> = (...args: A) => Promise<R> | R;

const ENSURE_DIR: Record<string, Fn<[string | URL], void>> = {
  "ensureDir()": ensureDir,
  "ensureDirSync()": ensureDirSync,
};

for (const [name, ensure] of Object.entries(ENSURE_DIR)) {
  Deno.test(`${name} makes a directory with its parents`, async () => {
    await using dir = new TempDir();
    await ensure(dir.of("a", "b"));
    await ensure(toFileUrl(dir.of("a", "c d")));
    verdict.ok((await Deno.stat(dir.of("a", "b"))).isDirectory);
    verdict.ok((await Deno.stat(dir.of("a", "c d"))).isDirectory);
  });

  Deno.test(`${name} leaves a directory that exists alone`, async () => {
    await using dir = new TempDir();
    await Deno.writeTextFile(dir.of("file"), "");
    await ensure(dir.path);
    verdict.ok((await Deno.stat(dir.of("file"))).isFile);
  });

  Deno.test(`${name} refuses to replace a file`, async () => {
    await using dir = new TempDir();
    await Deno.writeTextFile(dir.of("file"), "");
    await verdict.rejects(async () => await ensure(dir.of("file")), Error);
    await verdict.rejects(async () => await ensure(dir.of("file", "a")), Error);
    verdict.ok((await Deno.stat(dir.of("file"))).isFile);
  });
}

Deno.test("ensureDir() succeeds for all who call it at once", async () => {
  await using dir = new TempDir();
  const calls = Array.from({ length: 8 }, () => ensureDir(dir.of("a", "b")));
  await Promise.all(calls);
  verdict.ok((await Deno.stat(dir.of("a", "b"))).isDirectory);
});

const EXISTS = { "exists()": exists, "existsSync()": existsSync };

for (const [name, doesExist] of Object.entries(EXISTS)) {
  Deno.test(`${name} tells whether there is a file or directory`, async () => {
    await using dir = new TempDir();
    const file = dir.of("file");
    await Deno.writeTextFile(file, "");

    verdict.equal(await doesExist(file), true);
    verdict.equal(await doesExist(toFileUrl(file)), true);
    verdict.equal(await doesExist(dir.path), true);
    verdict.equal(await doesExist(dir.of("none")), false);
    verdict.equal(await doesExist(file, { isFile: true }), true);
    verdict.equal(await doesExist(file, { isDirectory: true }), false);
    verdict.equal(await doesExist(dir.path, { isFile: true }), false);
    verdict.equal(await doesExist(dir.path, { isDirectory: true }), true);
    await verdict.rejects(
      async () => await doesExist(file, { isFile: true, isDirectory: true }),
      TypeError,
    );
  });
}

const WALKS: Record<string, [options: WalkOptions, paths: string[]]> = {
  "everything": [{}, [
    ".",
    "a.ts",
    "b.json",
    "sub",
    "sub/c.ts",
    "sub/deep",
    "sub/deep/d.md",
    "sub/nots",
  ]],
  "files": [{ includeDirs: false }, [
    "a.ts",
    "b.json",
    "sub/c.ts",
    "sub/deep/d.md",
    "sub/nots",
  ]],
  "directories": [{ includeFiles: false }, [".", "sub", "sub/deep"]],
  "the root alone": [{ maxDepth: 0 }, ["."]],
  "nothing above the root": [{ maxDepth: -1 }, []],
  "one level": [{ maxDepth: 1 }, [".", "a.ts", "b.json", "sub"]],
  "extensions": [{ exts: ["ts", ".md"] }, [
    "a.ts",
    "sub/c.ts",
    "sub/deep/d.md",
  ]],
  "matches": [{ match: [/\.json$/, /deep$/] }, ["b.json", "sub/deep"]],
  "what is not skipped": [{ skip: [/deep$/, /\.json$/] }, [
    ".",
    "a.ts",
    "sub",
    "sub/c.ts",
    "sub/nots",
  ]],
};

Deno.test("walk() and walkSync() yield", async (t) => {
  await using dir = new TempDir();
  await ensureDir(dir.of("sub", "deep"));
  for (
    const file of ["a.ts", "b.json", "sub/c.ts", "sub/deep/d.md", "sub/nots"]
  ) {
    await Deno.writeTextFile(dir.of(file), "");
  }
  const paths = (entries: { path: string }[]) =>
    entries.map(({ path }) =>
      relative(dir.path, path).replaceAll("\\", "/") || "."
    ).sort();

  for (const [what, [options, expected]] of Object.entries(WALKS)) {
    await t.step(what, async () => {
      const entries = await Array.fromAsync(walk(dir.path, options));
      verdict.deepEqual(paths(entries), expected);
      const sync = [...walkSync(toFileUrl(dir.path), options)];
      verdict.deepEqual(paths(sync), expected);
    });
  }

  await t.step("what an entry is", async () => {
    const options = { match: [/deep$/, /a\.ts$/] };
    const entries = await Array.fromAsync(walk(dir.path, options));
    const kind = { isFile: false, isDirectory: false, isSymlink: false };
    verdict.deepEqual(
      entries.sort((a, b) => a.name < b.name ? -1 : 1).map((e) => ({ ...e })),
      [
        { ...kind, path: dir.of("a.ts"), name: "a.ts", isFile: true },
        { ...kind, path: dir.of("sub/deep"), name: "deep", isDirectory: true },
      ],
    );
  });
});

Deno.test("walk() and walkSync() throw if there is no such directory", async () => {
  await using dir = new TempDir();
  const none = dir.of("none");
  const { NotFound } = Deno.errors;
  await verdict.rejects(() => Array.fromAsync(walk(none)), NotFound);
  verdict.throws(() => [...walkSync(none)], NotFound);
});
