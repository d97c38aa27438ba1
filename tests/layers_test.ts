// The rule of who may import whom: a file imports from its own layer and from
// those above it in the table, never from below, and never in a circle.

import { assert, assertEquals } from "@std/assert";

const LAYERS: readonly (readonly string[])[] = [
  ["src/task.ts"],
  ["src/errors.ts", "src/queue.ts", "src/vocabulary.ts"],
  ["src/dag.ts", "src/session_id.ts", "src/protocol.ts", "src/warnings.ts"],
  [
    "src/arguments.ts",
    "src/tool.ts",
    "src/operations.ts",
    "src/document.ts",
    "src/codec.ts",
    "src/decode.ts",
  ],
  ["src/store.ts"],
  ["src/disk_fault.ts", "src/claim.ts", "src/file_store.ts", "src/loader.ts"],
  ["src/machine.ts"],
  ["src/server.ts"],
  ["worker.ts"],
];

/** The host's side, which knows of the worker nothing but its messages. */
const HOST_SIDE = [
  "src/result.ts",
  "src/tool_text.ts",
  "src/options.ts",
  "src/connection.ts",
  "src/session.ts",
  "src/session_event_target.ts",
  "src/client.ts",
  "mod.ts",
];
const SHARED = [
  "src/task.ts",
  "src/errors.ts",
  "src/session_id.ts",
  "src/dag.ts",
  "src/protocol.ts",
  "src/vocabulary.ts",
  "src/arguments.ts",
  "src/tool.ts",
];

/**
 * What is built on the package and published beside it: folders and files that
 * nothing inside imports, and what each of them may import besides its own files.
 */
const OUTER_ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/cli/": [
    "mod.ts",
    "src/diagram.ts",
    "src/options.ts",
    "src/sidecar/mod.ts",
    "src/ui/line.ts",
    "src/ui/mod.ts",
    "src/ui/paint.ts",
    "src/ui/task_details.ts",
    "src/ui/task_row.ts",
    "src/ui/task_state.ts",
    "src/ui/text.ts",
    "src/vocabulary.ts",
  ],
  "src/diagram.ts": [
    "src/diagram/dot.ts",
    "src/diagram/mermaid.ts",
    "src/task.ts",
  ],
  "src/diagram/": ["src/dag.ts", "src/task.ts"],
  "src/sidecar/": [
    "src/codec.ts",
    "src/dag.ts",
    "src/decode.ts",
    "src/errors.ts",
    "src/options.ts",
    "src/session_id.ts",
    "src/task.ts",
  ],
  "src/ui/": ["src/dag.ts", "src/task.ts"],
  "src/mcp/": ["mod.ts", "src/providers/mod.ts"],
  "src/providers/": [
    "src/tool.ts",
    "src/task.ts",
    "src/errors.ts",
    "src/result.ts",
    "src/vocabulary.ts",
  ],
};

/** Which files may use which packages. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "xstate": ["src/machine.ts", "src/server.ts"],
  "nanoid": ["worker.ts"],
  "@std/fs": ["src/file_store.ts"],
  "@std/path": [
    "src/file_store.ts",
    "src/options.ts",
    "src/cli/",
    "src/sidecar/",
  ],
  "string-width": ["src/ui/"],
  "@modelcontextprotocol/sdk": ["src/mcp/"],
};

/** The files that have to do with the world outside. */
const TOUCHES_THE_WORLD = [
  "src/client.ts",
  "src/connection.ts",
  "src/disk_fault.ts",
  "src/claim.ts",
  "src/file_store.ts",
  "src/options.ts",
  "worker.ts",
];

const ROOT = new URL("../", import.meta.url);

interface SourceFile {
  readonly path: string;
  /** The text without comments. */
  readonly code: string;
  /** What it imports: paths from the root, and names of packages. */
  readonly imports: readonly string[];
}

async function pathsIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  for await (
    const { name, isDirectory } of Deno.readDir(new URL(directory, ROOT))
  ) {
    if (isDirectory) paths.push(...await pathsIn(`${directory}${name}/`));
    else if (name.endsWith(".ts")) paths.push(`${directory}${name}`);
  }
  return paths.sort();
}

async function readSource(path: string): Promise<SourceFile> {
  const url = new URL(path, ROOT);
  const code = (await Deno.readTextFile(url)).replaceAll(
    /\/\*.*?\*\/|^\s*\/\/.*?$/gms,
    "",
  );
  const found = [
    ...code.matchAll(/^(?:import|export)\b[^;"]*\bfrom "([^"]+)"/gm),
    ...code.matchAll(/^import "([^"]+)"/gm),
    ...code.matchAll(/\bimport\("([^"]+)"/g),
  ];
  const imports = found.map(([, specifier = ""]) =>
    specifier.startsWith(".")
      ? new URL(specifier, url).href.slice(ROOT.href.length)
      : specifier
  );
  return { path, code, imports };
}

const SOURCES = await Promise.all(
  ["mod.ts", "worker.ts", ...await pathsIn("src/")].map(readSource),
);
const IMPORTS = new Map(SOURCES.map(({ path, imports }) => [path, imports]));

/** The outer room that a file is in. */
function roomOf(path: string): string | undefined {
  return Object.keys(OUTER_ROOMS).find((room) => path.startsWith(room));
}

/** Everything that loading a file could load, types included. */
function reachableFrom(start: string): Set<string> {
  const reached = new Set([start]);
  for (const path of reached) {
    for (const imported of IMPORTS.get(path) ?? []) reached.add(imported);
  }
  return reached;
}

/** The name of the package that a specifier leads to. */
function packageOf(specifier: string): string {
  const parts = specifier.replace(/^(?:npm|jsr):\/?/, "").split("/");
  return parts.slice(0, specifier.includes("@") ? 2 : 1).join("/");
}

Deno.test("the imports of every file are found", () => {
  assertEquals(IMPORTS.get("src/queue.ts"), []);
  assertEquals(IMPORTS.get("src/session_id.ts"), ["src/errors.ts"]);
  assert(IMPORTS.get("src/machine.ts")?.includes("xstate"));
  assert(IMPORTS.get("worker.ts")?.includes("nanoid/non-secure"));
  assert(IMPORTS.get("mod.ts")?.includes("src/client.ts"));
});

Deno.test("every file has a layer", () => {
  const known = [...LAYERS.flat(), ...HOST_SIDE].sort();
  const paths = SOURCES.map(({ path }) => path)
    .filter((path) => roomOf(path) === undefined);
  assertEquals(paths.sort(), known);
});

Deno.test("files import from their own layer and those above", () => {
  for (const [at, layer] of LAYERS.entries()) {
    const allowed = LAYERS.slice(0, at + 1).flat();
    for (const path of layer) {
      for (const imported of IMPORTS.get(path) ?? []) {
        const isLocal = imported.endsWith(".ts");
        assert(
          !isLocal || allowed.includes(imported),
          `${path} imports ${imported}`,
        );
      }
    }
  }
});

Deno.test("the host's side imports what it shares with the worker, and nothing else", () => {
  for (const path of HOST_SIDE) {
    for (const imported of IMPORTS.get(path) ?? []) {
      const isLocal = imported.endsWith(".ts");
      const isAllowed = SHARED.includes(imported) ||
        HOST_SIDE.includes(imported);
      assert(!isLocal || isAllowed, `${path} imports ${imported}`);
    }
  }
});

Deno.test("what a host loads never reaches the worker's side, xstate or nanoid", () => {
  const workerSide = LAYERS.flat().filter((path) => !SHARED.includes(path));
  for (const reached of reachableFrom("mod.ts")) {
    assert(!workerSide.includes(reached), reached);
    assert(!["xstate", "nanoid"].includes(packageOf(reached)), reached);
  }
});

Deno.test("an outer room imports what it may, and its own files", () => {
  for (const { path, imports } of SOURCES) {
    const room = roomOf(path);
    if (room === undefined) continue;
    for (const imported of imports) {
      const isAllowed = !imported.endsWith(".ts") ||
        roomOf(imported) === room || OUTER_ROOMS[room]?.includes(imported);
      assert(isAllowed, `${path} imports ${imported}`);
    }
  }
});

Deno.test("nothing inside imports an outer room", () => {
  for (const { path, imports } of SOURCES) {
    if (roomOf(path) !== undefined) continue;
    const outer = imports.find((imported) => roomOf(imported) !== undefined);
    assertEquals(outer, undefined, path);
  }
});

Deno.test("packages are used only where they belong", () => {
  for (const { path, imports } of SOURCES) {
    for (
      const imported of imports.filter((imported) => !imported.endsWith(".ts"))
    ) {
      const users = PACKAGES[packageOf(imported)] ?? [];
      const room = roomOf(path);
      const isAllowed = room === undefined
        ? users.includes(path)
        : users.includes(room) || imported.startsWith("node:");
      assert(isAllowed, `${path} imports ${imported}`);
    }
  }
});

Deno.test("of @std single functions are imported, since the whole is slow to load", () => {
  for (const { path, imports } of SOURCES) {
    for (
      const imported of imports.filter((imported) =>
        imported.startsWith("@std/")
      )
    ) {
      assert(imported.split("/").length === 3, `${path} imports ${imported}`);
    }
  }
});

Deno.test("no file imports itself, through whichever others", () => {
  for (const { path, imports } of SOURCES) {
    for (const imported of imports) {
      assert(
        !reachableFrom(imported).has(path),
        `${path} → ${imported} → … → ${path}`,
      );
    }
  }
});

Deno.test("clock, randomness and system come to the core as parameters", () => {
  const world =
    /\bDate\.now|\bnew Date\b|\bMath\.random|\bcrypto\.|\bperformance\.|\bDeno\.|\bset(?:Timeout|Interval)\b|\bconsole\./;
  for (const { path, code } of SOURCES) {
    if (roomOf(path) !== undefined || TOUCHES_THE_WORLD.includes(path)) {
      continue;
    }
    assertEquals(code.match(world)?.[0], undefined, path);
  }
});

Deno.test("the worker's modules have no await at top level, or messages would be lost", () => {
  for (const path of reachableFrom("worker.ts")) {
    const code = SOURCES.find((source) => source.path === path)?.code ?? "";
    const [line] = code.match(/^(?!.*\basync\b)\S.*\bawait\b.*/m) ?? [];
    assertEquals(line, undefined, path);
  }
});
