/**
 * `show`: one task, what it waits for and what waits for it.
 *
 * @module
 */

import { activeBlockers, findTask } from "../../../mod.ts";
import { type Command, EXIT } from "../command.ts";
import { viewSession } from "../session_choice.ts";
import { chooseTask } from "../task_choice.ts";
import { detailLines } from "../task_details.ts";
import { jsonLine } from "../texts.ts";

/** Prints all there is to say about a task. */
export const SHOW: Command = {
  name: "show",
  positionals: ["id"],
  summary: "one task, what it waits for and what waits for it",
  options: {},
  notes: [
    "In a pipe each line begins with what it tells: id, status, content,",
    "active_form, completed_at, blocked_by, blocks.",
    "JSON: {sessionId, revision, task, activeBlockers}.",
  ],
  async run(input): Promise<number> {
    const { output, positionals: [part = ""] } = input;
    const { sessionId, revision, snapshot } = await viewSession(input);
    const id = chooseTask(snapshot, part);
    const task = findTask(snapshot, id)!;
    const blockers = activeBlockers(snapshot, id);
    output.print(
      input.flag("json")
        ? [jsonLine({ sessionId, revision, task, activeBlockers: blockers })]
        : detailLines(snapshot, task, output.page),
    );
    return EXIT.done;
  },
};
