/**
 * The worker's half of a peer: it keeps the rows, changes one of them, stores
 * all of them, and answers with the snapshot. How it stores is the peer's own.
 *
 * @module
 */

import type { Change, Row } from "./rows.ts";

/** What a peer keeps, as it was read from the sidecar. */
export interface PeerDocument {
  revision: number;
  readonly tasks: Mutable<Row>[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Stores the document after this row has changed; returns all of it as JSON. */
export type Save = (changed: Row) => Promise<string> | string;

/** Messages from the host. */
export type PeerRequest =
  | { readonly type: "open"; readonly path: string }
  | { readonly type: "change"; readonly change: Change };

/** Messages to the host; the one that opens has no snapshot. */
export interface PeerReply {
  /** What is stored, as JSON: at every n at least as fast as a structured clone. */
  readonly snapshot?: string;
}

/** Serves the host of this worker. */
export function servePeer(
  open: (path: string, document: PeerDocument) => Save,
): void {
  const port = globalThis as unknown as Worker;
  const positions = new Map<string, number>();
  let document: PeerDocument = { revision: 0, tasks: [] };
  let save: Save = () => "";
  port.onmessage = async ({ data }: MessageEvent<PeerRequest>) => {
    let reply: PeerReply = {};
    if (data.type === "open") {
      document = JSON.parse(await Deno.readTextFile(data.path));
      document.tasks.forEach((row, i) => positions.set(row.id, i));
      save = open(data.path, document);
    } else {
      const row = document.tasks[positions.get(data.change.id)!]!;
      Object.assign(row, data.change, { updated_at: Date.now() });
      document.revision++;
      reply = { snapshot: await save(row) };
    }
    port.postMessage(reply);
  };
}
