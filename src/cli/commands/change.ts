/**
 * `add`, `update`, `complete` and `remove`: the actions that change a session.
 *
 * @module
 */

import { openSession, type Snapshot, type TasksAction } from "../../../mod.ts";
import { readSidecar } from "../../sidecar/mod.ts";
import { type Command, EXIT, type Input, UsageError } from "../command.ts";
import { requireSidecar } from "../reading.ts";
import { refusalCode, refuse } from "../refusal.ts";
import { chooseSession } from "../session_choice.ts";
import { STATUS_NAMES, statusOf } from "../status.ts";
import { chooseTask } from "../task_choice.ts";
import { taskLines } from "../task_lines.ts";
import { jsonLine } from "../texts.ts";

const BLOCKED_BY = {
  value: "id,id",
  isList: true,
  help: "the tasks that come first",
};
const ACTIVE_FORM = {
  value: "text",
  help: "what it is called while it is in progress",
};
const PRINTS = [
  "Prints the task as list does. JSON: {action, task, snapshot}, or",
  "{action, error} when it is refused.",
];

/** Adds a task. */
export const ADD: Command = {
  name: "add",
  positionals: ["content"],
  summary: "add a task; --session can name a new session",
  options: { "blocked-by": BLOCKED_BY, "active-form": ACTIVE_FORM },
  notes: PRINTS,
  async run(input): Promise<number> {
    const active_form = textOf(input, "active-form");
    return await change(input, "add", (snapshot) => ({
      content: input.positionals[0],
      blockedBy: blockersOf(input, snapshot),
      active_form,
    }));
  },
};

/** Changes a task. */
export const UPDATE: Command = {
  name: "update",
  positionals: ["id"],
  summary: "change what is given of a task",
  options: {
    content: { value: "text", help: "what is to be done" },
    status: { value: "status", help: STATUS_NAMES },
    "blocked-by": {
      ...BLOCKED_BY,
      help: 'the tasks that come first, all of them; "" for none',
    },
    "active-form": ACTIVE_FORM,
  },
  notes: PRINTS,
  async run(input): Promise<number> {
    const content = textOf(input, "content");
    const status = statusOf(input);
    const active_form = textOf(input, "active-form");
    const given = [content, status, input.text("blocked-by"), active_form];
    if (given.every((value) => value === undefined)) {
      throw new UsageError(
        "Say what to change: --content, --status, --blocked-by or --active-form.",
      );
    }
    return await change(input, "update", (snapshot) => ({
      id: taskOf(input, snapshot),
      content,
      status,
      blockedBy: blockersOf(input, snapshot),
      active_form,
    }));
  },
};

/** Marks a task completed. */
export const COMPLETE: Command = {
  name: "complete",
  positionals: ["id"],
  summary: "mark a task completed",
  options: {},
  notes: PRINTS,
  run: (input) =>
    change(input, "complete", (snapshot) => ({ id: taskOf(input, snapshot) })),
};

/** Marks a task deleted. */
export const REMOVE: Command = {
  name: "remove",
  positionals: ["id"],
  summary: "mark a task deleted; update with a status brings it back",
  options: {},
  notes: PRINTS,
  run: (input) =>
    change(input, "remove", (snapshot) => ({ id: taskOf(input, snapshot) })),
};

/**
 * Opens the session for one call. Tasks in progress are left alone, since an
 * agent may be at work on them.
 */
async function change(
  input: Input,
  action: TasksAction,
  argumentsOn: (snapshot: Snapshot) => Readonly<Record<string, unknown>>,
): Promise<number> {
  const { output } = input;
  const choice = await chooseSession(input);
  const reading = await readSidecar({ ...choice, staleAfterMs: Infinity });
  const isNew = reading.kind === "missing" && action === "add";
  if (!isNew) requireSidecar(reading, choice.sessionId);
  await using session = await openSession({
    ...choice,
    staleAfterMs: Infinity,
  });
  for (const { message } of session.warnings) output.note(`tasks: ${message}`);
  const { result } = await session.handleToolCall({
    action,
    ...argumentsOn(session.snapshot),
  });
  if ("error" in result) {
    refuse(input, result);
    return refusalCode(result.error);
  }
  if (input.flag("json")) output.print([jsonLine(result)]);
  else if ("task" in result) {
    output.print(taskLines(result.snapshot, [result.task], output.page));
  }
  return EXIT.done;
}

function taskOf(input: Input, snapshot: Snapshot): string {
  return chooseTask(snapshot, input.positionals[0] ?? "");
}

function blockersOf(
  input: Input,
  snapshot: Snapshot,
): readonly string[] | undefined {
  const list = input.text("blocked-by");
  if (list === undefined) return undefined;
  if (list.trim() === "") return [];
  return list.split(",").map((part) => chooseTask(snapshot, part.trim()));
}

/**
 * The text of an option. The tool takes an empty one for none, and would change
 * nothing without a word.
 *
 * @throws {UsageError} When it is empty.
 */
function textOf(input: Input, name: string): string | undefined {
  const text = input.text(name);
  if (text?.trim() === "") throw new UsageError(`--${name} is empty.`);
  return text;
}
