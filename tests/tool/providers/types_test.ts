// Checked by the compiler against the providers' own packages: nothing in
// `compile` runs, and nothing of those packages is loaded.

import type Anthropic from "npm:@anthropic-ai/sdk@1.14.0";
import type { Server } from "npm:@modelcontextprotocol/sdk@1.32.2/server";
import type {
  CallToolRequestSchema,
  CallToolResult,
  ListToolsRequestSchema,
  Tool,
} from "npm:@modelcontextprotocol/sdk@1.32.2/types";
import type OpenAI from "npm:openai@7.59.0";
import type { TaskSession, ToolResult } from "@kin/tasks-dag";
import {
  anthropicStrictTool,
  anthropicTool,
  mcpTool,
  openaiResponsesTool,
  openaiStrictResponsesTool,
  openaiStrictTool,
  openaiTool,
  toolResultForAnthropic,
  toolResultForMcp,
  toolResultForOpenAI,
  toolResultForOpenAIResponses,
} from "@kin/tasks-dag/tool";

function compile<T>(
  check: (provider: T, session: TaskSession) => unknown,
): void {
  void check;
}

Deno.test("Anthropic's SDK takes the tool and its results", () => {
  compile(async (client: Anthropic, session) => {
    const { content } = await client.messages.create({
      model: "any",
      max_tokens: 1,
      messages: [],
      tools: [anthropicTool, anthropicStrictTool],
    });
    for (const block of content) {
      if (block.type !== "tool_use") continue;
      const result = await session.handleToolCall(block.input, {
        callId: block.id,
      });
      await client.messages.create({
        model: "any",
        max_tokens: 1,
        messages: [{
          role: "user",
          content: [toolResultForAnthropic(block.id, result)],
        }],
      });
      const tool: Anthropic.Tool = anthropicTool;
      // @ts-expect-error: the types are there, and tell what is wrong
      const wrong: Anthropic.Tool = { ...anthropicTool, name: 1 };
      const answer: Anthropic.ToolResultBlockParam = toolResultForAnthropic(
        block.id,
        result,
      );
      void [tool, wrong, answer];
    }
  });
});

Deno.test("OpenAI's SDK takes the tools of Chat Completions and their results", () => {
  compile(async (client: OpenAI, session) => {
    const { choices: [choice] } = await client.chat.completions.create({
      model: "any",
      messages: [],
      tools: [openaiTool, openaiStrictTool],
    });
    for (const call of choice?.message.tool_calls ?? []) {
      if (call.type !== "function") continue;
      const result = await session.handleToolCall(call.function.arguments, {
        callId: call.id,
      });
      await client.chat.completions.create({
        model: "any",
        messages: [toolResultForOpenAI(call.id, result)],
      });
      const tools: OpenAI.ChatCompletionTool[] = [openaiTool, openaiStrictTool];
      // @ts-expect-error: the types are there, and tell what is wrong
      const wrong: OpenAI.ChatCompletionTool = { ...openaiTool, function: 1 };
      const answer: OpenAI.ChatCompletionToolMessageParam = toolResultForOpenAI(
        call.id,
        result,
      );
      void [tools, wrong, answer];
    }
  });
});

Deno.test("OpenAI's SDK takes the tools of Responses and their results", () => {
  compile(async (client: OpenAI, session) => {
    const { output } = await client.responses.create({
      model: "any",
      input: "",
      tools: [openaiResponsesTool, openaiStrictResponsesTool],
    });
    for (const call of output) {
      if (call.type !== "function_call") continue;
      const result = await session.handleToolCall(call.arguments, {
        callId: call.call_id,
      });
      const answer = toolResultForOpenAIResponses(call.call_id, result);
      await client.responses.create({ model: "any", input: [answer] });
      const tools: OpenAI.Responses.FunctionTool[] = [
        openaiResponsesTool,
        openaiStrictResponsesTool,
      ];
      const wrong: OpenAI.Responses.FunctionTool = {
        ...openaiResponsesTool,
        // @ts-expect-error: the types are there, and tell what is wrong
        name: 1,
      };
      const item: OpenAI.Responses.ResponseInputItem.FunctionCallOutput =
        answer;
      void [tools, wrong, item];
    }
  });
});

Deno.test("the MCP SDK takes the tool and its results", () => {
  interface Schemas {
    readonly list: typeof ListToolsRequestSchema;
    readonly call: typeof CallToolRequestSchema;
  }
  compile(({ server, list, call }: Schemas & { server: Server }, session) => {
    server.setRequestHandler(list, () => ({ tools: [mcpTool] }));
    server.setRequestHandler(
      call,
      async ({ params }) =>
        toolResultForMcp(await session.handleToolCall(params.arguments)),
    );
  });
  compile((result: ToolResult) => {
    const tool: Tool = mcpTool;
    // @ts-expect-error: the types are there, and tell what is wrong
    const wrong: Tool = { ...mcpTool, name: 1 };
    const answer: CallToolResult = toolResultForMcp(result);
    void [tool, wrong, answer];
  });
});
