// Reads a sidecar over and over until it is told to stop, and says what it has
// seen that must not be. Arguments: the path as JSON.

import { parseSidecar } from "../support/sidecar.ts";
import { toldToStop } from "./child.ts";

if (import.meta.main) {
  const path: string = JSON.parse(Deno.args[0] ?? "");
  let isOver = false;
  toldToStop().then(() => isOver = true);
  let reads = 0;
  let last = { text: "", revision: 0 };
  while (!isOver) {
    const text = await read(path);
    if (text === undefined || text === last.text) continue;
    reads++;
    const complaint = complaintAbout(text, last.revision);
    if (complaint !== undefined) console.log(complaint);
    last = { text, revision: revisionOf(text) ?? last.revision };
  }
  console.log(`read ${reads}`);
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function complaintAbout(text: string, seen: number): string | undefined {
  const revision = revisionOf(text);
  if (revision === undefined) {
    return `torn: ${text.length} characters that begin ${text.slice(0, 60)}`;
  }
  // Two texts of one revision mean that a change was lost between them.
  if (revision <= seen) return `went back: from ${seen} to ${revision}`;
  return undefined;
}

function revisionOf(text: string): number | undefined {
  try {
    return parseSidecar(text).revision;
  } catch {
    return undefined;
  }
}
