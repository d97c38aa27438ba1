/**
 * What a command is, and what it is given.
 *
 * @module
 */

import type { Output } from "./output.ts";

/** An option of a command. */
export interface Option {
  /** What stands for its value in the help; a flag has none. */
  readonly value?: string;
  /** Whether its value is a list with commas, which it adds to each time it is given. */
  readonly isList?: boolean;
  /** What it does. */
  readonly help: string;
}

/** Options by name, without the hyphens. */
export type Options = Readonly<Record<string, Option>>;

/** What a command was called with. */
export interface Input {
  /** The arguments that are no options, as many as the command takes. */
  readonly positionals: readonly string[];
  /** The value of an option, where it was given. */
  text(name: string): string | undefined;
  /** Whether a flag was given. */
  flag(name: string): boolean;
  /** Where the command's words go. */
  readonly output: Output;
}

/** A command of the program. */
export interface Command {
  readonly name: string;
  /** What it takes besides options, all of it required. */
  readonly positionals: readonly string[];
  /** What it does, in a few words. */
  readonly summary: string;
  /** The options besides the common ones. */
  readonly options: Options;
  /** What else there is to say in its help. */
  readonly notes: readonly string[];
  /** Carries the command out, and returns the exit code. */
  run(input: Input): Promise<number>;
}

/** The exit codes. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const;

/** Thrown when the program was called in a wrong way. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** The command whose help says more, where one was named. */
  readonly command: Command | undefined;

  constructor(message: string, command?: Command) {
    super(message);
    this.command = command;
  }
}
