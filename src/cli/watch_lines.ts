/**
 * `watch` in a pipe: lines as the session changes.
 *
 * @module
 */

import { EXIT, type Input } from "./command.ts";
import { followSession } from "./follow.ts";
import { problemWith } from "./reading.ts";
import type { SessionChoice } from "./session_choice.ts";
import { plainLine } from "./task_lines.ts";
import { jsonLine, oneLine } from "./texts.ts";

/** Prints what changes, for as long as somebody reads it. */
export async function watchInPipe(
  input: Input,
  choice: SessionChoice,
): Promise<number> {
  const { output } = input;
  const { sessionId } = choice;
  let printed: ReadonlyMap<string, string> = new Map();
  for await (const reading of followSession(choice)) {
    if (reading.kind !== "sidecar") {
      output.note(`tasks: ${oneLine(problemWith(reading))}`);
      continue;
    }
    const { revision, snapshot } = reading;
    if (input.flag("json")) {
      output.print([jsonLine({ sessionId, revision, snapshot })]);
      continue;
    }
    // What is gone from the file is `missing` from now on.
    const ids = [...printed.keys(), ...snapshot.tasks.map(({ id }) => id)];
    const lines = new Map(ids.map((id) => [id, plainLine(snapshot, id)]));
    const changed = [...lines].filter(([id, line]) => printed.get(id) !== line);
    output.print(changed.map(([, line]) => `${revision}\t${line}`));
    printed = lines;
  }
  return EXIT.done;
}
