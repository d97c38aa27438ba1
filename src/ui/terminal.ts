/**
 * What the screen needs of a terminal, and how Deno provides it.
 *
 * @module
 */

import process from "node:process";
import { FALLBACK_SIZE, type Size } from "./size.ts";

/** What happens at a terminal. */
export interface TerminalEvents {
  /** Bytes came in. */
  readonly onInput: (bytes: Uint8Array) => void;
  /** The window has another size. */
  readonly onResize: () => void;
  /** The process is asked to end; returns whether somebody takes care of that. */
  readonly onSignal: (signal: Deno.Signal) => boolean;
  /** The process ends, or is about to print an error. */
  readonly onExit: () => void;
}

/** A terminal as {@linkcode openScreen} uses it. */
export interface Terminal {
  /** Whether lines may carry colour. */
  readonly color: boolean;
  /** The size of the window. */
  size(): Size;
  /** Writes text at once. */
  write(text: string): void;
  /**
   * Delivers keys unbuffered and tells what happens, until the returned
   * function is called, which puts everything back as it was.
   */
  listen(events: TerminalEvents): () => void;
}

const ENDING_SIGNALS: readonly (readonly [Deno.Signal, number])[] =
  Deno.build.os === "windows"
    ? [["SIGINT", 2], ["SIGBREAK", 21]]
    : [["SIGHUP", 1], ["SIGINT", 2], ["SIGTERM", 15]];

/**
 * The terminal that the process runs in, through standard input and output.
 *
 * It has colour unless `NO_COLOR` is set. Where its size cannot be told, it is
 * taken for 80×24. An ending signal that nobody takes care of exits the
 * process with 128 and the signal's number.
 *
 * @example Find out the size of the window
 * ```ts no-assert
 * import { processTerminal } from "@kin/tasks-dag/ui";
 *
 * const { columns, rows } = processTerminal().size();
 * ```
 */
export function processTerminal(): Terminal {
  return {
    color: !Deno.noColor && Deno.stdout.isTerminal(),
    size: windowSize,
    write: writeAll,
    listen,
  };
}

function windowSize(): Size {
  try {
    const { columns, rows } = Deno.consoleSize();
    if (columns > 0 && rows > 0) return { columns, rows };
  } catch {
    // Not a terminal.
  }
  return FALLBACK_SIZE;
}

const encoder = new TextEncoder();

function writeAll(text: string): void {
  const bytes = encoder.encode(text);
  for (let written = 0; written < bytes.length;) {
    written += Deno.stdout.writeSync(bytes.subarray(written));
  }
}

function listen(events: TerminalEvents): () => void {
  const { onInput, onResize, onExit } = events;
  const undo: (() => void)[] = [];
  const onSignal = (signal: Deno.Signal, listener: () => void) => {
    Deno.addSignalListener(signal, listener);
    undo.push(() => Deno.removeSignalListener(signal, listener));
  };
  for (const [signal, number] of ENDING_SIGNALS) {
    onSignal(signal, () => {
      if (!events.onSignal(signal)) Deno.exit(128 + number);
    });
  }
  if (Deno.build.os !== "windows") onSignal("SIGWINCH", onResize);
  for (const type of ["error", "unhandledrejection", "unload"]) {
    addEventListener(type, onExit);
    undo.push(() => removeEventListener(type, onExit));
  }
  process.stdin.on("data", onInput);
  undo.push(() => {
    process.stdin.off("data", onInput);
    process.stdin.pause();
  });
  if (Deno.stdin.isTerminal()) {
    Deno.stdin.setRaw(true);
    undo.push(() => Deno.stdin.setRaw(false));
  }
  return () => {
    for (const step of undo.splice(0).reverse()) step();
  };
}
