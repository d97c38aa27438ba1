/**
 * A terminal agent that shows its tasks: a composer with the pinned panel above
 * it, the agent panel and the task modal. What is typed is answered by a
 * scripted agent that calls the `tasks` tool. Started again, it goes on with
 * the same session. Without a terminal it plays a short script.
 *
 *   deno task tui [session]
 */

import { openSession } from "@kin/tasks-dag";
import { runInteractive } from "./terminal_agent/interactive.ts";
import { runScript } from "./terminal_agent/script.ts";

if (Deno.stdin.isTerminal() && Deno.stdout.isTerminal()) {
  const [sessionId = "terminal_agent"] = Deno.args;
  await using session = await openSession({ sessionId });
  await runInteractive(session);
  console.log(`The tasks are kept in ${session.sidecarPath}`);
} else {
  const sessionDir = await Deno.makeTempDir({ prefix: "terminal_agent_" });
  try {
    await using session = await openSession({
      sessionId: "script",
      sessionDir,
    });
    await runScript(session, console.log);
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
}
