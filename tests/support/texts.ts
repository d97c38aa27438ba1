import type { Encoder } from "../../src/codec.ts";
import type { SessionDocument } from "../../src/document.ts";
import type { SnapshotText } from "../../src/protocol.ts";
import type { Snapshot, Task } from "../../src/task.ts";

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

/** The snapshot that a text stands for. */
export function snapshotIn(text: SnapshotText): Snapshot {
  const pieces: readonly (readonly Task[])[] = text.map((piece) =>
    JSON.parse(piece)
  );
  return { tasks: pieces.flat() };
}
