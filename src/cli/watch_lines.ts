/**
 * `watch` in a pipe: lines as the session changes.
 *
 * @module
 */

import type { Snapshot } from "../../mod.ts";
import { EXIT, type Input } from "./command.ts";
import { followSession } from "./follow.ts";
import { problemWith } from "./problem.ts";
import type { SessionChoice } from "./session_choice.ts";
import { plainLine } from "./task_lines.ts";
import { jsonLine, oneLine, tabbed } from "./texts.ts";

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
    const lines = linesById(snapshot);
    output.print(
      changedLines(printed, lines).map((line) => `${revision}\t${line}`),
    );
    printed = lines;
  }
  return EXIT.done;
}

/** The plain line of each task. */
export function linesById(snapshot: Snapshot): Map<string, string> {
  return new Map(
    snapshot.tasks.map((task) => [task.id, plainLine(snapshot, task)]),
  );
}

/** The lines that were not there before; a task that is gone is `missing`. */
export function changedLines(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const gone = [...before.keys()].filter((id) => !after.has(id));
  return [
    ...gone.map((id) => tabbed([id, "missing", "-", ""])),
    ...[...after].filter(([id, line]) => before.get(id) !== line)
      .map(([, line]) => line),
  ];
}
