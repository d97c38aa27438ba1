/**
 * Stands in for a model: answers a person by calling the `tasks` tool.
 *
 * @module
 */

import { findTask, type Task, type TaskSession } from "@kin/tasks-dag";
import { type Command, HELP } from "./command.ts";
import type { PlanStep } from "./plan.ts";

/** A line of an answer: what the agent says, or a call that it makes. */
export interface AnswerLine {
  /** Who the line is from. */
  readonly from: "agent" | "tool";
  /** The text, as it came: not yet fit for a terminal. */
  readonly text: string;
}

const say = (text: string): AnswerLine => ({ from: "agent", text });

/** Thrown when a request cannot be carried out, with what to tell the person. */
class Regret extends Error {}

/** Carries out a command on a session, and tells what it does while it does it. */
export async function* answer(
  session: TaskSession,
  command: Command,
): AsyncGenerator<AnswerLine> {
  try {
    yield* carryOut(session, command);
  } catch (error) {
    if (!(error instanceof Regret)) throw error;
    yield say(error.message);
  }
}

async function* carryOut(
  session: TaskSession,
  command: Command,
): AsyncGenerator<AnswerLine> {
  switch (command.name) {
    case "add": {
      const blockedBy = command.after.map((name) => find(session, name).id);
      const task = yield* add(session, command.content, blockedBy);
      return yield say(`Added ${label(session, task)}.`);
    }
    case "plan":
      return yield* addPlan(session, command.steps);
    case "start": {
      const { id } = find(session, command.task);
      const active_form = command.activeForm;
      const status = "in_progress";
      const input = { action: "update", id, status, active_form };
      const task = yield* call(session, input);
      return yield say(`Started ${label(session, task)}.`);
    }
    case "done":
      return yield* each(session, command.tasks, "complete", "Done:");
    case "remove":
      return yield* each(session, command.tasks, "remove", "Removed");
    case "reopen":
      return yield* each(session, command.tasks, "update", "Reopened");
    case "block": {
      const { id, blockedBy = [] } = find(session, command.task);
      const more = command.by.map((name) => find(session, name).id);
      const input = {
        action: "update",
        id,
        blockedBy: [...blockedBy, ...more],
      };
      const task = yield* call(session, input);
      return yield say(
        `${label(session, task)} waits for ${command.by.join(", ")}.`,
      );
    }
    case "unblock": {
      const { id } = find(session, command.task);
      const task = yield* call(session, {
        action: "update",
        id,
        blockedBy: [],
      });
      return yield say(`${label(session, task)} waits for nothing.`);
    }
    case "list":
    case "blocked":
      return yield* list(session, command.name);
    case "help":
      return yield* HELP.map(say);
    case "quit":
      return;
    case "unknown":
      return yield say(
        `I do not understand "${command.text}". Type help to see what I do.`,
      );
  }
}

/** Calls the tool as a model would, and returns the task that it was about. */
async function* call(
  session: TaskSession,
  input: Readonly<Record<string, unknown>>,
): AsyncGenerator<AnswerLine, Task> {
  const given = Object.entries(input).filter(([, value]) => value !== "");
  yield {
    from: "tool",
    text: `tasks(${
      given.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(", ")
    })`,
  };
  const { result } = await session.handleToolCall(Object.fromEntries(given));
  if ("error" in result) throw new Regret(result.error.message);
  if (!("task" in result)) throw new Regret("That was no change.");
  return result.task;
}

function add(
  session: TaskSession,
  content: string,
  blockedBy: readonly string[],
): AsyncGenerator<AnswerLine, Task> {
  const edges = blockedBy.length > 0 ? { blockedBy } : {};
  return call(session, { action: "add", content, ...edges });
}

async function* each(
  session: TaskSession,
  names: readonly string[],
  action: "complete" | "remove" | "update",
  said: string,
): AsyncGenerator<AnswerLine> {
  if (names.length === 0) throw new Regret("Which one? Say its number.");
  for (const name of names) {
    const { id } = find(session, name);
    const input = action === "update"
      ? { action, id, status: "pending" }
      : { action, id };
    const task = yield* call(session, input);
    yield say(`${said} ${label(session, task)}.`);
  }
}

async function* addPlan(
  session: TaskSession,
  steps: readonly PlanStep[],
): AsyncGenerator<AnswerLine> {
  const ids: string[] = [];
  for (const { content, done, after } of steps) {
    const blockedBy = after.map((position) => ids[position]!);
    const task = yield* add(session, content, blockedBy);
    ids.push(task.id);
    if (done) yield* call(session, { action: "complete", id: task.id });
  }
  yield say(`Added a plan of ${steps.length} steps.`);
}

async function* list(
  session: TaskSession,
  action: "list" | "blocked",
): AsyncGenerator<AnswerLine> {
  yield { from: "tool", text: `tasks(action="${action}")` };
  const { tasks } = await session.tasks({ action });
  if (tasks.length === 0) return yield say("There are none.");
  for (const task of tasks) {
    yield say(`${label(session, task)} (${task.status})`);
  }
}

/** Finds the task that a person means: by its number in the list, or by its id. */
function find(session: TaskSession, name: string): Task {
  const { snapshot } = session;
  const task = snapshot.tasks[Number(name) - 1] ?? findTask(snapshot, name);
  if (task === undefined) {
    throw new Regret(`There is no task ${name}. Type list to see them.`);
  }
  return task;
}

function label(session: TaskSession, { id, content }: Task): string {
  const number = session.snapshot.tasks.findIndex((task) => task.id === id) + 1;
  return `${number} ${content}`;
}
