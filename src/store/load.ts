/**
 * From what a store keeps to a document that a session can go on with.
 *
 * @module
 */

import { decode, type DecodeOptions } from "../format/decode.ts";
import { emptyDocument, type SessionDocument } from "../graph/document.ts";
import { printable, quote } from "../model/text.ts";
import type { Store } from "./store.ts";
import type { SessionWarning } from "../model/task.ts";

/** What loading led to. */
export interface Loaded {
  /** The document, repaired where it had to be. */
  readonly document: SessionDocument;
  /** What was found and done. */
  readonly warnings: readonly SessionWarning[];
  /** Whether the document should be written back at once. */
  readonly needsSave: boolean;
  /** Whether the store kept a document at all. */
  readonly isFound: boolean;
}

/**
 * Loads the document. What is no sidecar is moved aside; of what cannot be kept
 * whole, a copy is.
 *
 * @throws {TasksError} As `decode` does.
 * @throws When the store fails; then nothing was changed.
 */
export async function loadDocument(
  store: Store,
  options: DecodeOptions,
): Promise<Loaded> {
  for (;;) {
    const loaded = await tryToLoad(store, options);
    if (loaded !== undefined) return loaded;
  }
}

/** Loads the document; `undefined` when it was replaced in the meantime. */
async function tryToLoad(
  store: Store,
  options: DecodeOptions,
): Promise<Loaded | undefined> {
  const bytes = await store.load();
  const nothing = {
    document: emptyDocument(options.sessionId),
    warnings: [],
    needsSave: false,
    isFound: false,
  };
  if (bytes === undefined) return nothing;
  const decoded = decode(bytes, options);
  if (decoded.kind === "corrupt") {
    const name = await store.setAside("move", options.now);
    if (name === undefined) return undefined;
    const message =
      `The sidecar could not be used, because ${decoded.reason}. ` +
      `It was moved to ${printable(name, 300)}, and the graph is empty.`;
    return {
      ...nothing,
      warnings: [{ code: "moved_aside", message, taskIds: [] }],
    };
  }
  const { document, warnings, needsSave, losesData } = decoded;
  if (!losesData) return { document, warnings, needsSave, isFound: true };
  const name = await store.setAside("copy", options.now);
  if (name === undefined) return undefined;
  return {
    document,
    warnings: warnings.map((warning) => ({
      ...warning,
      message: warning.code.startsWith("rows_")
        ? `${warning.message} The copy is ${quote(name)}.`
        : warning.message,
    })),
    needsSave: true,
    isFound: true,
  };
}
