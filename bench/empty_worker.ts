/**
 * The cheapest worker there is, to hold ours against.
 *
 * @module
 */

/** A worker that has answered for the first time. */
export interface EmptyWorker {
  /** Sends a message and waits for it to come back. */
  ping(): Promise<void>;
  terminate(): void;
}

/** Starts a worker and waits for its first message. */
export async function startEmptyWorker(): Promise<EmptyWorker> {
  const url = new URL("workers/empty.ts", import.meta.url);
  const worker = new Worker(url, { type: "module" });
  const nextMessage = (): Promise<void> =>
    new Promise((resolve) => {
      worker.onmessage = () => resolve();
    });
  await nextMessage();
  return {
    ping(): Promise<void> {
      const answered = nextMessage();
      worker.postMessage("ping");
      return answered;
    },
    terminate: () => worker.terminate(),
  };
}
