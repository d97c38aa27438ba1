/**
 * `watch`: the tasks, live.
 *
 * @module
 */

import type { Command } from "../command.ts";
import { chooseSession } from "../session_choice.ts";
import { watchInPipe } from "../watch_lines.ts";
import { watchInTerminal } from "../watch_screen.ts";

/** Shows or prints the tasks as they change. */
export const WATCH: Command = {
  name: "watch",
  positionals: [],
  summary: "the tasks, live",
  options: {
    pinned: { help: "at a terminal show the pinned panel; o opens the other" },
  },
  notes: [
    "At a terminal: arrows move, o or Enter opens a task, q or Ctrl+C leaves.",
    "In a pipe, or with --json, it goes on until it is stopped, or finds at the",
    "next change that nobody reads it any more.",
    "A line is: revision, id, status, the ids that it waits for (or -), content,",
    "with tabs between them; first every task, then each as it changes.",
    "JSON: {sessionId, revision, snapshot}, at once and with every change.",
  ],
  async run(input): Promise<number> {
    const choice = await chooseSession(input);
    const isForPeople = input.output.page.columns !== undefined &&
      !input.flag("json");
    return isForPeople
      ? await watchInTerminal(input, choice)
      : await watchInPipe(input, choice);
  },
};
