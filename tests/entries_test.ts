import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Entries,
  problemsOf,
  readEntries,
  tableOf,
} from "../.ci/entries.ts";
import { loadsOf, type ModuleGraph } from "../.ci/module_graph.ts";

const GRAPH: ModuleGraph = {
  roots: ["file:///mod.ts"],
  redirects: {
    "npm:big@^1": "npm:/big@1.2.0",
    "npm:/big@1.2.0": "npm:/big@1.2.3",
    "jsr:/@std/path@^1/join": "https://jsr.io/@std/path/1.1.0/join.ts",
  },
  modules: [
    {
      specifier: "file:///mod.ts",
      kind: "esm",
      size: 1000,
      dependencies: [
        { code: { specifier: "file:///lazy.ts" } },
        { code: { specifier: "jsr:/@std/path@^1/join" } },
        { code: { specifier: "node:path" } },
        {}, // A type alone.
      ],
    },
    {
      specifier: "file:///lazy.ts",
      kind: "esm",
      size: 500,
      dependencies: [
        { code: { specifier: "npm:big@^1" } },
        { code: { specifier: "file:///mod.ts" } },
      ],
    },
    { specifier: "file:///types.ts", kind: "esm", size: 9000 },
    { specifier: "node:path", kind: "node" },
    {
      specifier: "https://jsr.io/@std/path/1.1.0/join.ts",
      kind: "esm",
      size: 300,
      dependencies: [{
        code: { specifier: "https://jsr.io/@std/internal/1.0.0/os.ts" },
      }],
    },
    {
      specifier: "https://jsr.io/@std/internal/1.0.0/os.ts",
      kind: "esm",
      size: 100,
    },
    { specifier: "npm:/big@1.2.3", kind: "npm", npmPackage: "big@1.2.3" },
  ],
  npmPackages: {
    "big@1.2.3": { name: "big", dependencies: ["small@2.0.0"] },
    "small@2.0.0": { name: "small", dependencies: ["@deep/one@3.0.0_big@1"] },
    "@deep/one@3.0.0_big@1": { name: "@deep/one", dependencies: ["big@1.2.3"] },
    "typed@1.0.0": { name: "typed", dependencies: [] },
  },
};

const ENTRIES: Entries = {
  ".": { modules: 13, bytes: 79100, imports: ["@std/path"], brings: [] },
  "./ui": { modules: 2, bytes: 1500, imports: ["big"], brings: ["small"] },
};

Deno.test("loadsOf() finds a package through files and redirects, and what it depends on", () => {
  assertEquals(loadsOf(GRAPH), {
    modules: 2,
    bytes: 1500,
    imports: ["@std/path", "big"],
    brings: ["@deep/one", "@std/internal", "small"],
  });
});

Deno.test("loadsOf() throws when a module is not there", () => {
  const missing = { specifier: "file:///mod.ts", error: "Module not found" };
  assertThrows(
    () => loadsOf({ ...GRAPH, modules: [missing] }),
    Error,
    "file:///mod.ts cannot be loaded: Module not found",
  );
});

Deno.test("tableOf() has a line for each entry", () => {
  assertEquals(
    tableOf(ENTRIES),
    [
      "entry  modules    kB  imports    which bring along",
      ".           13  79.1  @std/path  -",
      "./ui         2   1.5  big        small",
    ].join("\n"),
  );
});

Deno.test("problemsOf() names a package that an entry may not import", () => {
  const allowed = { ".": ["@std/path"], "./ui": ["big"] };
  assertEquals(problemsOf(ENTRIES, allowed), []);
  assertEquals(problemsOf(ENTRIES, { ...allowed, "./ui": ["small"] }), [
    '"./ui" imports big, which it may not. Do without it there, or allow it in MAY_IMPORT in .ci/entries.ts.',
  ]);
});

Deno.test("problemsOf() asks for a line about an entry that is new", () => {
  assertEquals(problemsOf(ENTRIES, { ".": ["@std/path"] }), [
    'Nothing says what "./ui" may import. Add a line for it to MAY_IMPORT in .ci/entries.ts.',
  ]);
});

Deno.test("every entry imports only the packages that it may", async () => {
  assertEquals(problemsOf(await readEntries()), []);
});

Deno.test("the package's main entry loads nothing of npm: no SDK, no provider's package, no string-width", async () => {
  const { ".": main } = await readEntries();
  assert(main !== undefined);
  assertEquals(main.imports, ["@std/path"]);
  assertEquals(main.brings.filter((name) => !name.startsWith("@std/")), []);
});
