// The rooms and who may import whom, as the table in CONTRIBUTING.md says.

import { assert, assertEquals } from "@std/assert";

/** A row of the table. */
interface Room {
  readonly name: string;
  /** The rooms that its files may import from. */
  readonly imports: readonly string[];
}

/** Which files may use which packages. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "xstate": ["src/worker/machine.ts", "src/worker/server.ts"],
  "nanoid": ["worker.ts"],
  "@std/fs": ["src/store/file_store.ts"],
  "@std/path": [
    "src/store/file_store.ts",
    "src/host/options.ts",
    "src/location/session_dir.ts",
    "src/location/sidecar_path.ts",
    "src/cli/",
    "src/sidecar/",
  ],
  "string-width": ["src/ui/"],
  "@modelcontextprotocol/sdk": ["src/mcp/"],
};

/** The files that have to do with the world outside. */
const TOUCHES_THE_WORLD = [
  "src/host/open_session.ts",
  "src/host/connection.ts",
  "src/location/session_dir.ts",
  "src/store/disk_fault.ts",
  "src/store/claim.ts",
  "src/store/file_store.ts",
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

async function readRooms(): Promise<readonly Room[]> {
  const page = await Deno.readTextFile(new URL("CONTRIBUTING.md", ROOT));
  const rows = page.matchAll(
    /^\| `([a-z]+(?:\/|\.ts))` +\|[^|]+\|([^|]*)\|$/gm,
  );
  return [...rows].map(([, name = "", imports = ""]) => ({
    name,
    imports: [...imports.matchAll(/`([^`]+)`/g)].map(([, room = ""]) => room),
  }));
}

const ROOMS = await readRooms();
/** The rooms that are built on the package; nothing inside imports them. */
const OUTER_ROOMS = [
  "src/sidecar/",
  "src/ui/",
  "src/diagram/",
  "src/mcp/",
  "src/cli/",
];

/** The name of the room that a file is in. */
function roomOf(path: string): string {
  const [, room = path] = path.match(/^src\/([^/]+\/?)/) ?? [];
  return room;
}

/** The outer room that a file is in. */
function outerRoomOf(path: string): string | undefined {
  return OUTER_ROOMS.find((room) => path.startsWith(room));
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

Deno.test("every file is in a room of the table, and every room has files", () => {
  const rooms = new Set(SOURCES.map(({ path }) => roomOf(path)));
  assertEquals([...rooms].sort(), ROOMS.map(({ name }) => name).sort());
});

Deno.test("a room imports only from rooms above it in the table", () => {
  for (const [at, { name, imports }] of ROOMS.entries()) {
    const above = ROOMS.slice(0, at).map((room) => room.name);
    const below = imports.filter((room) => !above.includes(room));
    assertEquals(below, [], name);
  }
});

Deno.test("a room imports from each room that its row names, and from no other", () => {
  for (const { name, imports } of ROOMS) {
    const found = SOURCES.filter(({ path }) => roomOf(path) === name)
      .flatMap((source) => source.imports)
      .filter((imported) => imported.endsWith(".ts"))
      .map(roomOf)
      .filter((room) => room !== name);
    assertEquals([...new Set(found)].sort(), [...imports].sort(), name);
  }
});

Deno.test("what a host loads never reaches the worker's side, xstate or nanoid", () => {
  for (const reached of reachableFrom("mod.ts")) {
    assert(!/^src\/(?:format|store|worker)\//.test(reached), reached);
    assert(!["xstate", "nanoid"].includes(packageOf(reached)), reached);
  }
});

Deno.test("packages are used only where they belong", () => {
  for (const { path, imports } of SOURCES) {
    for (
      const imported of imports.filter((imported) => !imported.endsWith(".ts"))
    ) {
      const users = PACKAGES[packageOf(imported)] ?? [];
      const room = outerRoomOf(path);
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
    if (outerRoomOf(path) !== undefined || TOUCHES_THE_WORLD.includes(path)) {
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
