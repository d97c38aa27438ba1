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
  /** Prints lines of the result. */
  print(lines: readonly string[]): void;
  /** Tells the person something that is no part of the result. */
  note(text: string): void;
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
    print: (lines) =>
      writeAll(Deno.stdout, lines.map((line) => `${line}\n`).join("")),
    note: (text) => writeAll(Deno.stderr, `${text}\n`),
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
