/**
 * The agent at a terminal: a composer with the pinned panel above it, and the
 * agent panel one key away.
 *
 * @module
 */

import type { TaskSession } from "@kin/tasks-dag";
import {
  agentPanelKey,
  type AgentPanelView,
  createAgentPanelView,
  type Frame,
  type Key,
  openScreen,
  renderAgentPanel,
} from "@kin/tasks-dag/ui";
import { renderBottom } from "./bottom.ts";
import { parseCommand } from "./command.ts";
import { type Composer, composerKey, EMPTY_COMPOSER } from "./composer.ts";
import { answer } from "./scripted_agent.ts";
import { answerLines, greetingLines, questionLines } from "./transcript.ts";

/** Serves the person at the terminal until they leave. */
export async function runInteractive(session: TaskSession): Promise<void> {
  let composer: Composer = EMPTY_COMPOSER;
  let panel: AgentPanelView | undefined;
  let collapsed = false;
  let answered = Promise.resolve();
  const left = Promise.withResolvers<void>();

  using screen = openScreen({
    render(size, { color }): Frame {
      const { snapshot } = session;
      if (panel === undefined) {
        return renderBottom(snapshot, composer, size, { color, collapsed });
      }
      const lines = renderAgentPanel(snapshot, panel, size, { color });
      return { lines, fullScreen: true };
    },
    onKey(key): void {
      if (key.ctrl && key.name === "c") left.resolve();
      else if (panel !== undefined) {
        panel = agentPanelKey(panel, key, session.snapshot, screen.size);
      } else takeKey(key);
      screen.refresh();
    },
    onSignal: () => left.resolve(),
  });

  function takeKey(key: Key): void {
    if (key.ctrl && key.name === "o") {
      panel = createAgentPanelView(session.snapshot);
    } else if (key.ctrl && key.name === "t") {
      collapsed = !collapsed;
    } else if (key.name === "return" || key.name === "enter") {
      submit(composer.before + composer.after);
      composer = EMPTY_COMPOSER;
    } else {
      composer = composerKey(composer, key);
    }
  }

  function submit(text: string): void {
    if (text.trim() === "") return;
    const command = parseCommand(text);
    if (command.name === "quit") return left.resolve();
    answered = answered.then(async () => {
      screen.print(["", ...questionLines(text, screen)]);
      for await (const line of answer(session, command)) {
        screen.print(answerLines(line, screen));
      }
    });
    answered.catch(left.reject);
  }

  session.addEventListener("tasks_changed", () => screen.refresh());
  screen.print(greetingLines(session, screen));
  await left.promise;
  await answered;
}
