/**
 * Removes the coverage reports that are not whole: a process that a test kills
 * leaves one that is cut off, and `deno coverage` cannot read it.
 *
 *   deno run --allow-read=coverage --allow-write=coverage .ci/whole_reports.ts
 *
 * @module
 */

const DIRECTORY = "coverage";

async function isWhole(path: string): Promise<boolean> {
  try {
    JSON.parse(await Deno.readTextFile(path));
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

for await (const { name } of Deno.readDir(DIRECTORY)) {
  const path = `${DIRECTORY}/${name}`;
  if (!await isWhole(path)) await Deno.remove(path);
}
