/**
 * `list` and `blocked`: tasks, one line each.
 *
 * @module
 */

import { blockedTasks, type Task } from "../../../mod.ts";
import { type Command, EXIT, type Input } from "../command.ts";
import { type SessionView, viewSession } from "../session_choice.ts";
import { STATUS_NAMES, statusOf } from "../status.ts";
import { taskLines, waitingLines } from "../task_lines.ts";
import { jsonLine } from "../texts.ts";

const PIPED = [
  "In a pipe a line is: id, status, the ids that it waits for (or -), content,",
  "with tabs between them. JSON: {sessionId, revision, tasks}.",
];

/** Prints the tasks. */
export const LIST: Command = {
  name: "list",
  positionals: [],
  summary: "every task, or those of one status",
  options: {
    status: { value: "status", help: `only ${STATUS_NAMES}` },
  },
  notes: PIPED,
  async run(input): Promise<number> {
    const status = statusOf(input);
    const view = await viewSession(input);
    const tasks = view.snapshot.tasks.filter((task) =>
      status === undefined || task.status === status
    );
    return print(input, view, tasks, taskLines);
  },
};

/** Prints the tasks that cannot be started yet. */
export const BLOCKED: Command = {
  name: "blocked",
  positionals: [],
  summary: "the tasks that cannot start yet, and what they wait for",
  options: {},
  notes: PIPED,
  async run(input): Promise<number> {
    const view = await viewSession(input);
    return print(input, view, blockedTasks(view.snapshot), waitingLines);
  },
};

function print(
  input: Input,
  { sessionId, revision, snapshot }: SessionView,
  tasks: readonly Task[],
  toLines: typeof taskLines,
): number {
  const { output } = input;
  output.print(
    input.flag("json")
      ? [jsonLine({ sessionId, revision, tasks })]
      : toLines(snapshot, tasks, output.page),
  );
  return EXIT.done;
}
