/**
 * The `tasks` tool in the form that each provider takes, and its results in the
 * form of each provider's messages.
 *
 * All of it is made from {@linkcode tasksTool} and {@linkcode strictTasksTool},
 * is plain data, and can be assigned to the types of the providers' own
 * packages. None of those is loaded.
 *
 * @example Offer the tool to Anthropic, and answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { anthropicTool, toolResultForAnthropic } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 *
 * const request = { tools: [anthropicTool] };
 * assertEquals(request.tools[0]?.name, "tasks");
 *
 * const call = { id: "toolu_1", input: { action: "complete", id: "t_0" } };
 * const result = await session.handleToolCall(call.input, { callId: call.id });
 * assertEquals(toolResultForAnthropic(call.id, result).is_error, true);
 * ```
 *
 * @module
 */

export {
  anthropicStrictTool,
  type AnthropicTool,
  anthropicTool,
  type AnthropicToolResult,
  toolResultForAnthropic,
} from "./providers/anthropic.ts";
export {
  type GeminiCall,
  type GeminiResponse,
  type GeminiTool,
  geminiTool,
  type GeminiToolResult,
  toolResultForGemini,
} from "./providers/gemini.ts";
export type { InputSchema } from "./providers/input_schema.ts";
export {
  type McpText,
  type McpTool,
  mcpTool,
  type McpToolAnnotations,
  type McpToolResult,
  toolResultForMcp,
} from "./providers/mcp.ts";
export type {
  OutputProperty,
  OutputSchema,
} from "./providers/mcp_output_schema.ts";
export {
  type OpenAIResponsesTool,
  openaiResponsesTool,
  type OpenAIResponsesToolResult,
  openaiStrictResponsesTool,
  openaiStrictTool,
  type OpenAITool,
  openaiTool,
  type OpenAIToolResult,
  toolResultForOpenAI,
  toolResultForOpenAIResponses,
} from "./providers/openai.ts";
export type { ErrorData, Refusal, TasksErrorCode } from "../model/errors.ts";
export type { ToolResult } from "./result.ts";
export type {
  AddCall,
  BlockedCall,
  BlockedResult,
  ChangeResult,
  CompleteCall,
  ListCall,
  ListResult,
  RemoveCall,
  Snapshot,
  Task,
  TasksAction,
  TasksCalls,
  TasksResult,
  TasksResults,
  TaskStatus,
  UpdateCall,
} from "../model/task.ts";
export type { ToolProperty } from "./definition.ts";
