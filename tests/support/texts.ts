import { assert } from "@std/assert";
import type { Encoder } from "../../src/format/encode.ts";
import type { SessionDocument } from "../../src/graph/document.ts";
import type { SnapshotText } from "../../src/protocol.ts";
import type { Snapshot, Task } from "../../src/model/task.ts";

/** Both texts that an encoder makes of a document. */
export function encodeWith(
  encoder: Encoder,
  document: SessionDocument,
): { readonly sidecar: string; readonly snapshot: SnapshotText } {
  return {
    sidecar: encoder.sidecar(document),
    snapshot: encoder.snapshot(document),
  };
}

/** The snapshot that a text stands for, which must be there. */
export function snapshotIn(text: SnapshotText | undefined): Snapshot {
  assert(text !== undefined, "The message holds no snapshot.");
  const pieces: readonly (readonly Task[])[] = text.map((piece) =>
    JSON.parse(piece)
  );
  return { tasks: pieces.flat() };
}
