/**
 * The contenders: each takes a change, makes it durable in a worker of its own,
 * and has the whole snapshot on the host when it is done.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { openSession } from "../mod.ts";
import type { PeerReply, PeerRequest } from "./peer.ts";
import { type Change, type Row, sidecarOf } from "./rows.ts";

/** Something that makes changes durable. */
export interface Contender {
  readonly name: string;
  /** Makes a change; done when it is stored and the host has the snapshot. */
  change(change: Change): Promise<void>;
  /** Throws unless the host's data and what is stored both hold this row so. */
  check(change: Change): Promise<void>;
  close(): Promise<void>;
}

/** How a contender is opened. */
export interface ContenderOptions {
  readonly directory: string;
  readonly rows: readonly Row[];
}

/** A contender's name, and how to open it. */
export interface ContenderKind {
  readonly name: string;
  open(options: ContenderOptions): Promise<Contender>;
}

/** The least that a durable change can cost. */
export const floor: ContenderKind = {
  name: "floor",
  open: (options) => openPeer("floor", "floor.ts", options),
};

/** The same without turning text into bytes, which takes new memory each time. */
export const floorOfBytes: ContenderKind = {
  name: "floor, bytes ready",
  open: (options) => openPeer("floor, bytes ready", "floor.ts?bytes", options),
};

/** This package. */
export const ours: ContenderKind = {
  name: "tasks-dag",
  open: (options) => openOurs("tasks-dag", options),
};

/** This package, with a store in memory. */
export const inMemory: ContenderKind = {
  name: "in-memory",
  open: (options) =>
    openOurs(
      "in-memory",
      options,
      new URL("workers/in_memory.ts", import.meta.url),
    ),
};

const PEERS = {
  "steno": "steno.ts",
  "lowdb": "lowdb.ts",
  "write-file-atomic, no fsync": "write_file_atomic.ts",
  "write-file-atomic": "write_file_atomic.ts?fsync",
  "sqlite WAL NORMAL": "sqlite.ts?synchronous=NORMAL",
  "sqlite WAL FULL": "sqlite.ts?synchronous=FULL",
};

/** What others use. */
export const peers: readonly ContenderKind[] = Object.entries(PEERS).map((
  [name, script],
) => ({ name, open: (options) => openPeer(name, script, options) }));

async function openOurs(
  name: string,
  { directory, rows }: ContenderOptions,
  workerUrl?: URL,
): Promise<Contender> {
  const path = `${directory}/${name}.tasks.json`;
  // With the mode that our own files have, or each change would have to set it.
  await Deno.writeTextFile(path, sidecarOf(name, rows), { mode: 0o600 });
  const session = await openSession({
    sessionId: name,
    sessionDir: directory,
    ...(workerUrl && { workerUrl }),
  });
  assertEquals(session.warnings, []);
  assertEquals(session.snapshot.tasks.length, rows.length);
  let { snapshot } = session;
  let hasChanged = false;
  session.addEventListener("tasks_changed", ({ detail }) => {
    snapshot = detail.snapshot;
    hasChanged = true;
  });
  return {
    name,
    async change(change): Promise<void> {
      hasChanged = false;
      const result = await session.tasks({ action: "update", ...change });
      if (!hasChanged || result.snapshot !== snapshot) {
        throw new Error("The event did not come before the answer");
      }
    },
    async check(change): Promise<void> {
      const known = snapshot.tasks.find((task) => task.id === change.id);
      assertMatches(known, change);
      if (workerUrl !== undefined) return;
      const stored = JSON.parse(await Deno.readTextFile(path));
      const compact = stored.tasks.map((
        { created_at: _created, updated_at: _updated, ...row }: Row,
      ) => row);
      assertEquals(
        compact,
        snapshot.tasks.map(({ blocks: _derived, ...task }) => task),
      );
    },
    close: () => session.close(),
  };
}

async function openPeer(
  name: string,
  script: string,
  { directory, rows }: ContenderOptions,
): Promise<Contender> {
  const path = `${directory}/${name}.json`;
  await Deno.writeTextFile(path, sidecarOf(name, rows));
  const worker = new Worker(
    new URL(`workers/${script}`, import.meta.url),
    { type: "module" },
  );
  let snapshot: { readonly tasks: readonly Row[] } = { tasks: rows };
  const ask = (request: PeerRequest): Promise<void> => {
    const answered = new Promise<void>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<PeerReply>) => {
        if (data.snapshot !== undefined) snapshot = JSON.parse(data.snapshot);
        resolve();
      };
    });
    worker.postMessage(request);
    return answered;
  };
  await ask({ type: "open", path });
  return {
    name,
    change: (change) => ask({ type: "change", change }),
    async check(change): Promise<void> {
      if (script.startsWith("floor")) {
        const { size } = await Deno.stat(path);
        assertEquals(size, sidecarOf(name, rows).length);
        return;
      }
      assertEquals(snapshot.tasks.length, rows.length);
      const known = snapshot.tasks.find((row) => row.id === change.id);
      assertMatches(known, change);
      const stored = script.startsWith("sqlite")
        ? readDatabase(`${path}.sqlite`, change.id)
        : JSON.parse(await Deno.readTextFile(path)).tasks
          .find((row: Row) => row.id === change.id);
      assertMatches(stored, change);
    },
    close(): Promise<void> {
      worker.terminate();
      return Promise.resolve();
    },
  };
}

function readDatabase(path: string, id: string): unknown {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db.prepare("SELECT * FROM tasks WHERE id = ?").get(id);
  } finally {
    db.close();
  }
}

function assertMatches(actual: unknown, change: Change): void {
  assert(typeof actual === "object" && actual !== null, "The row is missing");
  assertEquals({ ...actual, ...change }, { ...actual });
}
