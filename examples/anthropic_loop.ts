/**
 * An agent on the Anthropic SDK. Its tasks and its conversation are kept in a
 * directory, so that the next run goes on where this one stopped.
 *
 *   ANTHROPIC_API_KEY=… deno run --allow-net --allow-env --allow-read --allow-write \
 *     examples/anthropic_loop.ts <directory> "Plan the release of version 2"
 */

import Anthropic from "npm:@anthropic-ai/sdk@1.14.0";
import { openSession } from "@kin/tasks-dag";
import { anthropicTool, toolResultForAnthropic } from "@kin/tasks-dag/tool";
import { openJournal } from "./support/journal.ts";

const INSTRUCTIONS = `\
You keep your work in the tasks tool. Plan first: add the tasks, then say with
blockedBy what waits for what, by the ids in the results. Set a task in_progress
when you start it, and complete it when it is done. When a call is refused, read
the error and correct the call. When you are told to go on, list the tasks first.`;

const [directory = ".", prompt = "Go on."] = Deno.args;
const sessionId = "agent";
const model = Deno.env.get("ANTHROPIC_MODEL") ?? "claude-sonnet-5-5";

// Takes ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL from the environment.
const client = new Anthropic();
const { messages, add } = await openJournal<Anthropic.MessageParam>(
  directory,
  sessionId,
);
await using session = await openSession({ sessionId, sessionDir: directory });

/** Answers the calls of the last message, all of them in one message. */
async function answerCalls(): Promise<boolean> {
  const { content = "" } = messages.at(-1) ?? {};
  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const block of content) {
    if (typeof block === "string" || block.type !== "tool_use") continue;
    const result = await session.handleToolCall(block.input, {
      callId: block.id,
    });
    results.push(toolResultForAnthropic(block.id, result));
  }
  if (results.length > 0) await add({ role: "user", content: results });
  return results.length > 0;
}

await answerCalls(); // A run that was killed may have left some.
await add({ role: "user", content: prompt });
do {
  const { content } = await client.messages.create({
    model,
    max_tokens: 4096,
    system: INSTRUCTIONS,
    tools: [anthropicTool],
    messages,
  });
  await add({ role: "assistant", content });
  for (const block of content) {
    if (block.type === "text") console.log(block.text);
  }
} while (await answerCalls());

for (const { status, content } of session.snapshot.tasks) {
  console.log(`${status}  ${content}`);
}
