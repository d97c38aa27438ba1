/**
 * Prints what each published entry loads, and fails when one imports a package
 * that it should not, so that nobody loads what they do not use.
 *
 *   deno run --allow-read=deno.json --allow-run .ci/entries.ts
 *
 * @module
 */

import { type Loads, loadsOf } from "./module_graph.ts";

/**
 * The packages that the modules of each entry may import. What those depend on
 * comes along.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ".": ["@std/path"],
  "./cli": ["@std/fs", "@std/path", "string-width"],
  "./diagram": [],
  "./mcp": ["@modelcontextprotocol/sdk", "@std/path"],
  "./sidecar": ["@std/fs", "@std/path"],
  "./tool": [],
  "./ui": ["string-width"],
  "./worker": ["@std/fs", "@std/path", "nanoid", "xstate"],
};

const CONFIG = new URL("../deno.json", import.meta.url);

/** What each entry loads, by its name. */
export type Entries = Readonly<Record<string, Loads>>;

/** Asks Deno what each entry of `deno.json` loads. */
export async function readEntries(): Promise<Entries> {
  const { exports }: { exports: Readonly<Record<string, string>> } = JSON
    .parse(await Deno.readTextFile(CONFIG));
  const entries = Object.entries(exports).map(async ([entry, path]) =>
    [entry, await readLoads(new URL(path, CONFIG))] as const
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function readLoads(module: URL): Promise<Loads> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", module.href],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return loadsOf(JSON.parse(new TextDecoder().decode(stdout)));
}

/** The table that is printed. */
export function tableOf(entries: Entries): string {
  const rows = Object.entries(entries).map(([entry, loads]) => [
    entry,
    String(loads.modules),
    (loads.bytes / 1000).toFixed(1),
    loads.imports.join(", ") || "-",
    loads.brings.join(", ") || "-",
  ]);
  const titles = ["entry", "modules", "kB", "imports", "which bring along"];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const isNumber = (column: number) => column === 1 || column === 2;
  return [titles, ...rows].map((row) =>
    row.map((cell, column) =>
      isNumber(column)
        ? cell.padStart(widths[column] ?? 0)
        : cell.padEnd(widths[column] ?? 0)
    ).join("  ").trimEnd()
  ).join("\n");
}

/** What is wrong with what the entries import, and what to do about it. */
export function problemsOf(
  entries: Entries,
  mayImport: Readonly<Record<string, readonly string[]>> = MAY_IMPORT,
): readonly string[] {
  return Object.entries(entries).flatMap(([entry, { imports }]) => {
    const allowed = mayImport[entry];
    if (allowed === undefined) {
      return [
        `Nothing says what "${entry}" may import. Add a line for it to MAY_IMPORT in .ci/entries.ts.`,
      ];
    }
    return imports.filter((name) => !allowed.includes(name)).map((name) =>
      `"${entry}" imports ${name}, which it may not. Do without it there, or allow it in MAY_IMPORT in .ci/entries.ts.`
    );
  });
}

if (import.meta.main) {
  const entries = await readEntries();
  const problems = problemsOf(entries);
  // deno-lint-ignore no-console -- printing is the point
  console.log(tableOf(entries));
  // deno-lint-ignore no-console -- here too
  for (const problem of problems) console.error(`\n${problem}`);
  if (problems.length > 0) Deno.exitCode = 1;
}
