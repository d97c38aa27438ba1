/**
 * An agent on the OpenAI SDK. Its tasks and its conversation are kept in a
 * directory, so that the next run goes on where this one stopped.
 *
 *   OPENAI_API_KEY=… deno run --allow-net --allow-env --allow-read --allow-write \
 *     examples/openai_loop.ts <directory> "Plan the release of version 2"
 */

import OpenAI from "npm:openai@7.59.0";
import { openSession } from "@kin/tasks-dag";
import { openaiTool, toolResultForOpenAI } from "@kin/tasks-dag/tool";
import { openJournal } from "./support/journal.ts";

const INSTRUCTIONS = `\
You keep your work in the tasks tool. Plan first: add the tasks, then say with
blockedBy what waits for what, by the ids in the results. Set a task in_progress
when you start it, and complete it when it is done. When a call is refused, read
the error and correct the call. When you are told to go on, list the tasks first.`;

type Message = OpenAI.ChatCompletionMessageParam;

const [directory = ".", prompt = "Go on."] = Deno.args;
const sessionId = "agent";
const model = Deno.env.get("OPENAI_MODEL") ?? "gpt-5.4-mini";

// Takes OPENAI_API_KEY and OPENAI_BASE_URL from the environment.
const client = new OpenAI();
const { messages, add } = await openJournal<Message>(
  directory,
  sessionId,
);
await using session = await openSession({ sessionId, sessionDir: directory });

/** Answers the calls of the last message, each in a message of its own. */
async function answerCalls(): Promise<boolean> {
  const last = messages.at(-1);
  const calls = last?.role === "assistant" ? last.tool_calls ?? [] : [];
  const results: Message[] = [];
  for (const call of calls) {
    if (call.type !== "function") continue;
    // The arguments are JSON text; the session parses it, or says what is wrong.
    const result = await session.handleToolCall(call.function.arguments, {
      callId: call.id,
    });
    results.push(toolResultForOpenAI(call.id, result));
  }
  if (results.length > 0) await add(...results);
  return results.length > 0;
}

await answerCalls(); // A run that was killed may have left some.
await add({ role: "user", content: prompt });
do {
  const { choices } = await client.chat.completions.create({
    model,
    messages: [{ role: "system", content: INSTRUCTIONS }, ...messages],
    tools: [openaiTool],
  });
  for (const { message } of choices) {
    await add(message);
    if (message.content) console.log(message.content);
  }
} while (await answerCalls());

for (const { status, content } of session.snapshot.tasks) {
  console.log(`${status}  ${content}`);
}
