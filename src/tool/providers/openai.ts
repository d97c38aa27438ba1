/**
 * The tool and its results for OpenAI's two APIs: Chat Completions and
 * Responses.
 *
 * @module
 */

import type { ToolResult } from "../result.ts";
import {
  strictTasksTool,
  tasksTool,
  type ToolDefinition,
} from "../definition.ts";
import { type InputSchema, inputSchemaOf } from "./input_schema.ts";

/** A function tool as OpenAI's Chat Completions API takes it. */
export interface OpenAITool {
  /** The kind of tool. */
  readonly type: "function";
  /** The function that the model calls. */
  readonly function: {
    /** The name that the model calls. */
    readonly name: string;
    /** What the model reads about it. */
    readonly description: string;
    /** The arguments. */
    readonly parameters: InputSchema;
    /** `true` when calls must follow the schema to the letter. */
    readonly strict?: boolean;
  };
}

/** A function tool as OpenAI's Responses API takes it. */
export interface OpenAIResponsesTool {
  /** The kind of tool. */
  readonly type: "function";
  /** The name that the model calls. */
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  /** The arguments. */
  readonly parameters: InputSchema;
  /** Whether calls must follow the schema to the letter. */
  readonly strict: boolean;
}

/** A message that answers a tool call of OpenAI's Chat Completions API. */
export interface OpenAIToolResult {
  /** Whose message it is. */
  readonly role: "tool";
  /** The id of the tool call that it answers. */
  readonly tool_call_id: string;
  /** What the model reads. */
  readonly content: string;
}

/** An item that answers a function call of OpenAI's Responses API. */
export interface OpenAIResponsesToolResult {
  /** The kind of item. */
  readonly type: "function_call_output";
  /** The `call_id` of the function call that it answers. */
  readonly call_id: string;
  /** What the model reads. */
  readonly output: string;
}

/**
 * The `tasks` tool for OpenAI's Chat Completions API, and for the many others
 * that speak it.
 *
 * @example Offer the tool
 * ```ts
 * import { openaiTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const request = { model: "…", tools: [openaiTool] };
 * assertEquals(request.tools[0]?.function.name, "tasks");
 * ```
 */
export const openaiTool: OpenAITool = {
  type: "function",
  function: functionOf(tasksTool),
};

/**
 * The `tasks` tool for OpenAI's Chat Completions API in strict mode: the model
 * sends every argument, and `null` for those that it does not need.
 *
 * @example Offer the tool in strict mode
 * ```ts
 * import { openaiStrictTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const { strict, parameters } = openaiStrictTool.function;
 * assertEquals(strict, true);
 * assertEquals(parameters.required, Object.keys(parameters.properties));
 * ```
 */
export const openaiStrictTool: OpenAITool = {
  type: "function",
  function: { ...functionOf(strictTasksTool), strict: true },
};

/**
 * The `tasks` tool for OpenAI's Responses API. That API is strict unless it is
 * told otherwise, as it is here.
 *
 * @example Offer the tool
 * ```ts
 * import { openaiResponsesTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const request = { model: "…", tools: [openaiResponsesTool] };
 * assertEquals(request.tools[0]?.strict, false);
 * ```
 */
export const openaiResponsesTool: OpenAIResponsesTool = {
  type: "function",
  ...functionOf(tasksTool),
  strict: false,
};

/**
 * The `tasks` tool for OpenAI's Responses API in strict mode: the model sends
 * every argument, and `null` for those that it does not need.
 *
 * @example Offer the tool in strict mode
 * ```ts
 * import { openaiStrictResponsesTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const request = { model: "…", tools: [openaiStrictResponsesTool] };
 * assertEquals(request.tools[0]?.strict, true);
 * ```
 */
export const openaiStrictResponsesTool: OpenAIResponsesTool = {
  type: "function",
  ...functionOf(strictTasksTool),
  strict: true,
};

function functionOf(
  tool: ToolDefinition,
): { name: string; description: string; parameters: InputSchema } {
  return {
    name: tool.name,
    description: tool.description,
    parameters: inputSchemaOf(tool),
  };
}

/**
 * The message that answers a tool call of the Chat Completions API. The API has
 * no mark for errors: a refusal is told by its text.
 *
 * @example Answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { toolResultForOpenAI } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const call = { id: "call_1", function: { arguments: '{"action":"blocked"}' } };
 *
 * const result = await session.handleToolCall(call.function.arguments, {
 *   callId: call.id,
 * });
 * assertEquals(toolResultForOpenAI(call.id, result), {
 *   role: "tool",
 *   tool_call_id: "call_1",
 *   content: '{"action":"blocked","tasks":[]}',
 * });
 * ```
 */
export function toolResultForOpenAI(
  toolCallId: string,
  { content }: ToolResult,
): OpenAIToolResult {
  return { role: "tool", tool_call_id: toolCallId, content };
}

/**
 * The item that answers a function call of the Responses API. The API has no
 * mark for errors: a refusal is told by its text.
 *
 * @example Answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { toolResultForOpenAIResponses } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const call = { call_id: "call_1", arguments: '{"action":"blocked"}' };
 *
 * const result = await session.handleToolCall(call.arguments, {
 *   callId: call.call_id,
 * });
 * assertEquals(toolResultForOpenAIResponses(call.call_id, result), {
 *   type: "function_call_output",
 *   call_id: "call_1",
 *   output: '{"action":"blocked","tasks":[]}',
 * });
 * ```
 */
export function toolResultForOpenAIResponses(
  callId: string,
  { content }: ToolResult,
): OpenAIResponsesToolResult {
  return { type: "function_call_output", call_id: callId, output: content };
}
