/**
 * What was said, as lines for a terminal.
 *
 * @module
 */

import type { TaskSession } from "@kin/tasks-dag";
import { type Screen, wrap } from "@kin/tasks-dag/ui";
import type { AnswerLine } from "./scripted_agent.ts";

/** Where lines are to be read. */
export type Page = Pick<Screen, "color" | "size">;

/** What a person asked. */
export function questionLines(text: string, page: Page): readonly string[] {
  const lines = wrap(text.trim(), page.size.columns - 2);
  return lines.map((line, i) => `${i === 0 ? "›" : " "} ${line}`);
}

/** A line of the answer. */
export function answerLines(
  { from, text }: AnswerLine,
  page: Page,
): readonly string[] {
  const [first, style] = from === "tool" ? ["●", "2"] : [" ", ""];
  return wrap(text, page.size.columns - 2)
    .map((line, i) => `${i === 0 ? first : " "} ${line}`)
    .map((line) => page.color && style !== "" ? faint(line) : line);
}

/** What a person reads first. */
export function greetingLines(
  session: TaskSession,
  page: Page,
): readonly string[] {
  const count = session.snapshot.tasks.length;
  const lines = [
    count === 0
      ? `Session ${session.sessionId} is new. Type help to see what I do.`
      : `Session ${session.sessionId} goes on, with ${count} tasks.`,
    ...session.warnings.map((warning) => warning.message),
  ];
  return lines.flatMap((line) => wrap(line, page.size.columns));
}

function faint(line: string): string {
  return `\x1b[2m${line}\x1b[0m`;
}
