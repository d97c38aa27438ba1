/**
 * An agent loop with the `tasks` tool. The model is scripted, so that nothing
 * leaves the machine; its messages have the shape that providers use, and it
 * makes the mistakes that models make.
 *
 *   deno run --allow-read --allow-write examples/agent_loop.ts
 */

import { openSession, tasksTool } from "@kin/tasks-dag";

interface ToolUse {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}
interface ToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}
type Message =
  | { readonly role: "user"; readonly content: string | readonly ToolResult[] }
  | { readonly role: "assistant"; readonly content: readonly ToolUse[] };

/** Stands in for a request to a provider: answers with the next tool calls, or none. */
function askModel(
  messages: readonly Message[],
  tools: readonly unknown[],
): readonly ToolUse[] {
  const turn =
    messages.filter((message) => message.role === "assistant").length;
  const ids = [
    ...new Set(JSON.stringify(messages).match(/t_\d+_[0-9a-f]{4}/g) ?? []),
  ];
  const script: readonly (readonly unknown[])[] = [
    [{ action: "add", content: "Read the failing test" }],
    // It cannot know the id yet, and gives the title: the refusal tells it what to do.
    [{
      action: "add",
      content: "Fix the parser",
      blockedBy: ["Read the failing test"],
    }],
    [
      {
        action: "add",
        content: "Fix the parser",
        blockedBy: JSON.stringify([ids[0]]),
      },
      {
        action: "update",
        id: ids[0],
        status: "In-Progress",
        blockedBy: null,
        content: "",
      },
    ],
    [{ action: "complete", id: ids[0] }, { action: "blocked" }],
    [{ action: "complete", id: ids[1] }],
    [],
  ];
  if (tools.length === 0) return [];
  return (script[turn] ?? []).map((input, i) => ({
    type: "tool_use",
    id: `call_${turn}_${i}`,
    name: "tasks",
    input,
  }));
}

const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_loop_" });
try {
  await using session = await openSession({ sessionId: "agent", sessionDir });
  const messages: Message[] = [{
    role: "user",
    content: "Make the test suite pass.",
  }];
  const { name, description, inputSchema } = tasksTool;
  const tools = [{ name, description, input_schema: inputSchema }];

  for (;;) {
    const calls = askModel(messages, tools);
    if (calls.length === 0) break;
    messages.push({ role: "assistant", content: calls });
    const results = await Promise.all(
      calls.map(async (call): Promise<ToolResult> => {
        const { isError, content } = await session.handleToolCall(call.input, {
          callId: call.id,
        });
        console.log(`→ ${JSON.stringify(call.input)}\n← ${content}\n`);
        return {
          type: "tool_result",
          tool_use_id: call.id,
          content,
          is_error: isError,
        };
      }),
    );
    messages.push({ role: "user", content: results });
  }

  for (const task of session.snapshot.tasks) {
    console.log(`${task.status}  ${task.content}`);
  }
} finally {
  await Deno.remove(sessionDir, { recursive: true });
}
