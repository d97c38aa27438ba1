/**
 * The agent without a terminal: plays a short script and prints the frames.
 *
 * @module
 */

import type { TaskSession } from "@kin/tasks-dag";
import { renderAgentPanel, renderPinnedPanel } from "@kin/tasks-dag/ui";
import { parseCommand } from "./command.ts";
import { answer } from "./scripted_agent.ts";
import { answerLines, questionLines } from "./transcript.ts";

const SCRIPT = [
  "- Ship the release\n  - Smoke test\n    - Seed fixtures\n      - Provision the dev DB\n  - Write the notes",
  "start 1 as Provisioning the dev DB",
  "done 1",
  "block 4 by 3",
  "start 2",
  "remove 4",
];
const PAGE = { color: false, size: { columns: 72, rows: 20 } };

/** Plays the script on a session, and prints what would be seen. */
export async function runScript(
  session: TaskSession,
  print: (line: string) => void,
): Promise<void> {
  const { size } = PAGE;
  const show = (lines: readonly string[]): void => print(lines.join("\n"));
  for (const text of SCRIPT) {
    show(questionLines(text, PAGE));
    for await (const line of answer(session, parseCommand(text))) {
      show(answerLines(line, PAGE));
    }
    show(["", ...renderPinnedPanel(session.snapshot, size), ""]);
  }
  const selectedId = session.snapshot.tasks[2]?.id;
  const panel = renderAgentPanel(session.snapshot, { selectedId }, size);
  show(["— ctrl+o", ...panel, ""]);
  if (selectedId === undefined) return;
  const view = { selectedId, modal: { taskId: selectedId } };
  show(["— enter", ...renderAgentPanel(session.snapshot, view, size)]);
}
