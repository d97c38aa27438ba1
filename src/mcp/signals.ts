/**
 * What the system says to a process that should end.
 *
 * @module
 */

const SIGNALS: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK"]
  : ["SIGINT", "SIGTERM"];

/**
 * Aborts when the process is told to end. Only the first time: the second one
 * ends it at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, stop);
    controller.abort();
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, stop);
  return controller.signal;
}
