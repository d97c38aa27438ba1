/**
 * From the words on the command line to a command and its input.
 *
 * @module
 */

import { parseArgs } from "node:util";
import {
  type Command,
  type Input,
  type Options,
  UsageError,
} from "./command.ts";

/** The options that every command takes. */
export const COMMON_OPTIONS: Options = {
  session: {
    value: "id",
    help: "the session; not needed where there is only one",
  },
  dir: {
    value: "dir",
    help: "where the sessions are, if not in the usual place",
  },
  json: { help: "print JSON, one value a line" },
  color: { help: "colour at a terminal, even with NO_COLOR" },
  "no-color": { help: "no colour" },
  help: { help: "say what the command does" },
};

/** What was asked for. */
export type Request = HelpRequest | RunRequest;

interface HelpRequest {
  readonly kind: "help";
  /** The command that the question is about; the whole program when absent. */
  readonly command?: Command;
}

interface RunRequest extends Omit<Input, "output"> {
  readonly kind: "run";
  readonly command: Command;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Understands the words on the command line.
 *
 * @throws {UsageError} When they make no sense.
 */
export function parseRequest(
  args: readonly string[],
  commands: readonly Command[],
): Request {
  const at = indexOfCommand(args, commands);
  if (at === undefined) return parseWithoutCommand(args);
  const name = args[at];
  if (name === "help") return parseHelp(args.toSpliced(at, 1), commands);
  const command = commandOf(name, commands);
  const { values, positionals } = parseStrictly(
    args.toSpliced(at, 1),
    { ...COMMON_OPTIONS, ...command.options },
    command,
  );
  if (values.help === true) return { kind: "help", command };
  checkPositionals(command, positionals);
  return {
    kind: "run",
    command,
    positionals,
    text: (name) => textIn(values, name),
    flag: (name) => values[name] === true,
  };
}

/** Where the command stands; options may come before it. */
function indexOfCommand(
  args: readonly string[],
  commands: readonly Command[],
): number | undefined {
  const all: Options = Object.assign(
    {},
    COMMON_OPTIONS,
    ...commands.map(({ options }) => options),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: configOf(all),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.find(({ kind }) => kind === "positional")?.index;
}

function parseWithoutCommand(args: readonly string[]): Request {
  const { values } = parseStrictly(args, COMMON_OPTIONS);
  if (values.help === true) return { kind: "help" };
  throw new UsageError("A command is missing.");
}

function parseHelp(
  args: readonly string[],
  commands: readonly Command[],
): Request {
  const [name] = parseStrictly(args, COMMON_OPTIONS).positionals;
  return name === undefined
    ? { kind: "help" }
    : { kind: "help", command: commandOf(name, commands) };
}

function commandOf(
  name: string | undefined,
  commands: readonly Command[],
): Command {
  const command = commands.find((command) => command.name === name);
  if (command !== undefined) return command;
  throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
}

function parseStrictly(
  args: readonly string[],
  options: Options,
  command?: Command,
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({
      args: [...args],
      options: configOf(options),
      strict: true,
      allowPositionals: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(inOneLine(error.message), command);
  }
}

/** What `parseArgs` has to say, without its long advice. */
function inOneLine(message: string): string {
  const advice = ". Put what begins with a hyphen, but is no option, after --.";
  return message.replaceAll("\n", " ")
    .replace(/\. To specify a positional.*$/, advice)
    .replace(/([^.])$/, "$1.");
}

interface OptionConfig {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
}

function configOf(options: Options): Record<string, OptionConfig> {
  const config: Record<string, OptionConfig> = {};
  for (const [name, { value, isList = false }] of Object.entries(options)) {
    const type = value === undefined ? "boolean" : "string";
    config[name] = { type, multiple: isList };
  }
  return { ...config, help: { type: "boolean", short: "h" } };
}

function checkPositionals(command: Command, given: readonly string[]): void {
  const { name, positionals: expected } = command;
  if (given.length === expected.length) return;
  const takes = expected.length === 0
    ? "no arguments"
    : expected.map((word) => `<${word}>`).join(" ");
  const advice = given.length > expected.length && expected.length > 0
    ? " Put text with spaces in quotes."
    : "";
  throw new UsageError(
    `"${name}" takes ${takes}, and was given ${given.length}.${advice}`,
    command,
  );
}

function textIn(values: Values, name: string): string | undefined {
  const value = values[name];
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : undefined;
}
