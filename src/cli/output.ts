/**
 * Where the program's words go: standard output and standard error.
 *
 * @module
 */

import { processTerminal } from "../ui/mod.ts";

/** How lines are drawn. */
export interface Page {
  /** How wide lines may be; as wide as they are when absent, as in a pipe. */
  readonly columns?: number | undefined;
  /** Whether lines may carry colour. */
  readonly color: boolean;
}

/** Where a command's words go. */
export interface Output {
  /** How lines are drawn. */
  readonly page: Page;
  /**
   * Prints lines of the result.
   *
   * @throws {OutputError} When they cannot be written.
   */
  print(lines: readonly string[]): void;
  /** Tells the person something that is no part of the result, as far as that can be. */
  note(text: string): void;
}

/** Thrown when standard output takes no more. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** Whether whoever read it has enough. */
  readonly isClosed: boolean;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.isClosed = cause instanceof Deno.errors.BrokenPipe;
  }
}

const encoder = new TextEncoder();

/**
 * The output of the process. Only a terminal is given colour, unless `NO_COLOR`
 * is set or a flag says otherwise.
 */
export function processOutput(flag: (name: string) => boolean): Output {
  const isTerminal = Deno.stdout.isTerminal();
  return {
    page: {
      columns: isTerminal ? processTerminal().size().columns : undefined,
      color: isTerminal && !flag("no-color") &&
        (flag("color") || !Deno.noColor),
    },
    print(lines): void {
      try {
        writeAll(Deno.stdout, lines.map((line) => `${line}\n`).join(""));
      } catch (error) {
        throw new OutputError(error);
      }
    },
    note(text): void {
      try {
        writeAll(Deno.stderr, `${text}\n`);
      } catch {
        // What cannot be told is still in the exit code.
      }
    },
  };
}

function writeAll(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
): void {
  const bytes = encoder.encode(text);
  for (let written = 0; written < bytes.length;) {
    written += stream.writeSync(bytes.subarray(written));
  }
}
