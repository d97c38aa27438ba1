/**
 * An agent on the Vercel AI SDK. Its tasks and its conversation are kept in a
 * directory, so that the next run goes on where this one stopped.
 *
 *   OPENAI_API_KEY=… deno run --allow-net --allow-env --allow-sys=hostname \
 *     --allow-read --allow-write \
 *     examples/vercel_loop.ts <directory> "Plan the release of version 2"
 */

import { createOpenAICompatible } from "npm:@ai-sdk/openai-compatible@3.0.92";
import { generateText, isStepCount, jsonSchema, tool } from "npm:ai@7.0.173";
import type { ModelMessage } from "npm:ai@7.0.173";
import { openSession, tasksTool } from "@kin/tasks-dag";
import { openJournal } from "./support/journal.ts";

const INSTRUCTIONS = `\
You keep your work in the tasks tool. Plan first: add the tasks, then say with
blockedBy what waits for what, by the ids in the results. Set a task in_progress
when you start it, and complete it when it is done. When a call is refused, read
the error and correct the call. When you are told to go on, list the tasks first.`;

const [directory = ".", prompt = "Go on."] = Deno.args;
const sessionId = "agent";

const provider = createOpenAICompatible({
  name: "openai",
  baseURL: Deno.env.get("OPENAI_BASE_URL") ?? "https://api.openai.com/v1",
  apiKey: Deno.env.get("OPENAI_API_KEY") ?? "",
});
const model = provider(Deno.env.get("OPENAI_MODEL") ?? "gpt-5.4-mini");
const { messages, add } = await openJournal<ModelMessage>(
  directory,
  sessionId,
);
await using session = await openSession({ sessionId, sessionDir: directory });

const tasks = tool({
  description: tasksTool.description,
  inputSchema: jsonSchema(tasksTool.inputSchema),
  execute: async (input, { toolCallId }) => {
    const { content } = await session.handleToolCall(input, {
      callId: toolCallId,
    });
    return content; // A refusal, too, is a text that the model reads.
  },
});

await add({ role: "user", content: prompt });
let calls: number;
do {
  const step = await generateText({
    model,
    instructions: INSTRUCTIONS,
    messages,
    tools: { [tasksTool.name]: tasks },
    toolCallConcurrency: 1, // In the order of the message.
    stopWhen: isStepCount(1), // So that each step is kept before the next.
  });
  await add(...step.responseMessages);
  if (step.text) console.log(step.text);
  calls = step.toolCalls.length;
} while (calls > 0);

for (const { status, content } of session.snapshot.tasks) {
  console.log(`${status}  ${content}`);
}
