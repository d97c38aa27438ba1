/**
 * `sessions`: what there is in a directory.
 *
 * @module
 */

import {
  listSessions,
  readSidecar,
  type SessionFile,
  type SidecarReading,
} from "../../sidecar/mod.ts";
import { type Command, EXIT } from "../command.ts";
import { dirOf } from "../session_choice.ts";
import { sessionLines, type SessionSummary } from "../session_lines.ts";
import { jsonLine } from "../texts.ts";

/** Prints the sessions of a directory. */
export const SESSIONS: Command = {
  name: "sessions",
  positionals: [],
  summary: "the sessions in the directory, the last changed first",
  options: {},
  notes: [
    "In a pipe a line is: id, when it was changed, open tasks, completed tasks,",
    "path, with tabs between them; - where the file cannot be read.",
    "JSON: {sessions: [{sessionId, path, modifiedAt, kind, open, completed}]}.",
  ],
  async run(input): Promise<number> {
    const { output } = input;
    const sessionDir = dirOf(input);
    const sessions: SessionSummary[] = [];
    for (const file of await listSessions({ sessionDir })) {
      const { sessionId } = file;
      const reading = await readSidecar({
        sessionDir,
        sessionId,
        staleAfterMs: Infinity,
      });
      sessions.push(summaryOf(file, reading));
    }
    output.print(
      input.flag("json")
        ? [jsonLine({ sessions })]
        : sessionLines(sessions, output.page),
    );
    return EXIT.done;
  },
};

function summaryOf(file: SessionFile, reading: SidecarReading): SessionSummary {
  const { kind } = reading;
  if (kind !== "sidecar") return { ...file, kind };
  const { tasks } = reading.snapshot;
  const count = (...statuses: readonly string[]): number =>
    tasks.filter(({ status }) => statuses.includes(status)).length;
  return {
    ...file,
    kind,
    open: count("pending", "in_progress"),
    completed: count("completed"),
  };
}
