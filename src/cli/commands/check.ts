/**
 * `check`: what is wrong with a session's file, and what opening it would do.
 *
 * @module
 */

import { readSidecar } from "../../sidecar/mod.ts";
import { checkLines } from "../check_lines.ts";
import { type Command, EXIT } from "../command.ts";
import { isSound } from "../reading.ts";
import { chooseSession } from "../session_choice.ts";
import { jsonLine } from "../texts.ts";

/** Prints what is wrong with a file, and leaves it as it is. */
export const CHECK: Command = {
  name: "check",
  positionals: [],
  summary: "what is wrong with the file, and what opening it would do",
  options: {},
  notes: [
    "The file is left as it is. The exit code is 1 when something is wrong.",
    "JSON: {sessionId, ok, kind, path} and, by kind, {revision, tasks, warnings},",
    "{reason} or {error}. The kinds are sidecar, missing, corrupt and refused.",
  ],
  async run(input): Promise<number> {
    const { output } = input;
    const choice = await chooseSession(input);
    const { sessionId } = choice;
    const reading = await readSidecar(choice);
    const ok = isSound(reading);
    if (input.flag("json")) {
      const { snapshot, ...rest } = { snapshot: undefined, ...reading };
      const tasks = snapshot?.tasks.length;
      output.print([jsonLine({ sessionId, ok, ...rest, tasks })]);
    } else {
      output.print(checkLines(sessionId, reading, output.page));
    }
    return ok ? EXIT.done : EXIT.failed;
  },
};
