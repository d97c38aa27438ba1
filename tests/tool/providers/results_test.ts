import { Ajv } from "npm:ajv@8.20.0";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ToolResult } from "@kin/tasks-dag";
import {
  mcpTool,
  toolResultForAnthropic,
  toolResultForGemini,
  toolResultForMcp,
  toolResultForOpenAI,
  toolResultForOpenAIResponses,
} from "@kin/tasks-dag/tool";
import { openHere } from "../../support/sessions.ts";

interface Results {
  readonly added: ToolResult;
  readonly refused: ToolResult;
}

/** A result and a refusal, from a session. */
async function makeResults(view?: "lines"): Promise<Results> {
  await using opened = await openHere();
  const { session } = opened;
  return {
    added: await session.handleToolCall({ action: "add", content: "Build" }, {
      view,
    }),
    refused: await session.handleToolCall({ action: "complete", id: "t_0" }, {
      view,
    }),
  };
}

Deno.test("toolResultForAnthropic() answers with what the model reads, and marks refusals", async () => {
  const { added, refused } = await makeResults();
  assertEquals(toolResultForAnthropic("toolu_1", added), {
    type: "tool_result",
    tool_use_id: "toolu_1",
    content: added.content,
  });
  assertEquals(toolResultForAnthropic("toolu_2", refused), {
    type: "tool_result",
    tool_use_id: "toolu_2",
    content: refused.content,
    is_error: true,
  });
});

Deno.test("toolResultForOpenAI() answers with what the model reads", async () => {
  const { added, refused } = await makeResults();
  assertEquals(toolResultForOpenAI("call_1", added), {
    role: "tool",
    tool_call_id: "call_1",
    content: added.content,
  });
  const { content } = toolResultForOpenAI("call_2", refused);
  assertStringIncludes(content, '"error":{"code":"unknown_task"');
});

Deno.test("toolResultForOpenAIResponses() answers with what the model reads", async () => {
  const { added, refused } = await makeResults();
  assertEquals(toolResultForOpenAIResponses("call_1", added), {
    type: "function_call_output",
    call_id: "call_1",
    output: added.content,
  });
  const { output } = toolResultForOpenAIResponses("call_2", refused);
  assertStringIncludes(output, '"error":{"code":"unknown_task"');
});

Deno.test("toolResultForGemini() answers with data, as output or as error", async () => {
  const { added, refused } = await makeResults();
  assert(!("error" in added.result) && "error" in refused.result);
  assertEquals(toolResultForGemini({ id: "fc_1", name: "tasks" }, added), {
    functionResponse: {
      id: "fc_1",
      name: "tasks",
      response: { output: added.result },
    },
  });
  assertEquals(toolResultForGemini({ id: "fc_2", name: "tasks" }, refused), {
    functionResponse: {
      id: "fc_2",
      name: "tasks",
      response: { error: refused.result.error },
    },
  });
});

Deno.test("toolResultForGemini() sends the very data that the model would read as JSON", async () => {
  const { added } = await makeResults();
  const { functionResponse } = toolResultForGemini({}, added);
  assertEquals(
    JSON.stringify(functionResponse.response),
    `{"output":${added.content}}`,
  );
});

Deno.test("toolResultForGemini() sends text where the view is text", async () => {
  const { added, refused } = await makeResults("lines");
  assertEquals(toolResultForGemini({}, added).functionResponse.response, {
    output: added.content,
  });
  assertEquals(toolResultForGemini({}, refused).functionResponse.response, {
    error: refused.content,
  });
});

Deno.test("toolResultForGemini() names the tool, and no id, for a call that has neither", async () => {
  const { added } = await makeResults();
  const { functionResponse } = toolResultForGemini({ id: undefined }, added);
  assertEquals(Object.keys(functionResponse), ["name", "response"]);
  assertEquals(functionResponse.name, "tasks");
});

Deno.test("toolResultForMcp() answers with text and with the same as data", async () => {
  for (const result of Object.values(await makeResults())) {
    const answer = toolResultForMcp(result);
    assertEquals(answer.content, [{ type: "text", text: result.content }]);
    assertEquals(answer.structuredContent, { ...result.result });
    assertEquals(answer.isError, result.isError);
    assertEquals(
      JSON.stringify(answer.structuredContent),
      result.content,
    );
  }
});

Deno.test("every result and every refusal is what mcpTool says that it answers", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const isTrue = new Ajv({ strict: true }).compile(mcpTool.outputSchema);
  const base = await session.tasks({ action: "add", content: "a" });
  const top = await session.tasks({
    action: "add",
    content: "b",
    blockedBy: [base.task.id],
    active_form: "b",
  });
  const calls: readonly unknown[] = [
    { action: "add", content: "c", blockedBy: [top.task.id] },
    { action: "update", id: base.task.id, status: "in_progress" },
    { action: "blocked" },
    { action: "complete", id: base.task.id },
    { action: "remove", id: top.task.id },
    { action: "list" },
    { action: "update", id: base.task.id, blockedBy: [base.task.id] },
    { action: "add", content: "d", blockedBy: ["t_0"] },
    { action: "complete", id: top.task.id },
    { action: "nothing" },
    "nonsense",
  ];
  for (const call of calls) {
    const { structuredContent } = toolResultForMcp(
      await session.handleToolCall(call),
    );
    assert(isTrue(structuredContent), JSON.stringify([call, isTrue.errors]));
  }
});

Deno.test("what the tool never answers is not what mcpTool says", () => {
  const isTrue = new Ajv({ strict: true }).compile(mcpTool.outputSchema);
  const task = { id: "t_1", content: "a", status: "pending" };
  const lies = [
    "text",
    { action: "delete" },
    { action: "add", task: { ...task, status: "done" } },
    { action: "add", task: { id: "t_1", content: "a" } },
    { action: "add", task: { ...task, created_at: 1 } },
    { action: "add", task: { ...task, blockedBy: "t_1" } },
    { action: "list", tasks: task },
    { action: "list", tasks: [], snapshot: { tasks: [{}] } },
    { error: "refused" },
    { error: { message: "refused" } },
    { action: "list", tasks: [], revision: 1 },
  ];
  for (const lie of lies) assert(!isTrue(lie), JSON.stringify(lie));
});
