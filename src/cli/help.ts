/**
 * What the program says about itself.
 *
 * @module
 */

import { COMMON_OPTIONS } from "./arguments.ts";
import type { Command, Options } from "./command.ts";

/** The help of the whole program. */
export function programHelp(commands: readonly Command[]): string[] {
  return [
    "Look at the tasks of a session, even while an agent uses it, and change them.",
    "",
    "Usage: tasks <command> [options]",
    "",
    ...table(commands.map((command) => [callOf(command), command.summary])),
    "",
    "Every command takes",
    ...table(optionRows(COMMON_OPTIONS)),
    "",
    "The usual place is KIN_SESSION_DIR where it is set, else ~/.kin/sessions. A",
    "task may be named by a part of its id that no other id has, such as its end.",
    "Exit codes: 0 done, 1 refused or failed, 2 wrong usage.",
    "tasks <command> --help says more.",
  ];
}

/** The help of one command. */
export function commandHelp(command: Command): string[] {
  const { summary, options, notes } = command;
  return [
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    "",
    `Usage: tasks ${callOf(command)} [options]`,
    "",
    ...table([...optionRows(options), ...optionRows(COMMON_OPTIONS)]),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ];
}

function callOf({ name, positionals }: Command): string {
  return [name, ...positionals.map((word) => `<${word}>`)].join(" ");
}

type Row = readonly [left: string, right: string];

function optionRows(options: Options): Row[] {
  return Object.entries(options).map(([name, { value, help }]) => [
    value === undefined ? `--${name}` : `--${name} <${value}>`,
    help,
  ]);
}

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
