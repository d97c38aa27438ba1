/**
 * The tool and its results for Anthropic's Messages API.
 *
 * @module
 */

import type { ToolResult } from "../result.ts";
import { tasksTool } from "../definition.ts";
import {
  type InputSchema,
  inputSchemaOf,
  withoutLengths,
} from "./input_schema.ts";

/** A tool as Anthropic's Messages API takes it. */
export interface AnthropicTool {
  /** The name that the model calls. */
  readonly name: string;
  /** What the model reads about it. */
  readonly description: string;
  /** The arguments. */
  readonly input_schema: InputSchema;
  /** `true` when calls must follow the schema to the letter. */
  readonly strict?: boolean;
}

/** A block that answers a `tool_use` block of Anthropic's Messages API. */
export interface AnthropicToolResult {
  /** The kind of block. */
  readonly type: "tool_result";
  /** The id of the `tool_use` block that it answers. */
  readonly tool_use_id: string;
  /** What the model reads. */
  readonly content: string;
  /** `true` when the call was refused, else absent. */
  readonly is_error?: boolean;
}

/**
 * The `tasks` tool for Anthropic's Messages API.
 *
 * @example Offer the tool
 * ```ts
 * import { anthropicTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const request = { model: "…", max_tokens: 1024, tools: [anthropicTool] };
 * assertEquals(request.tools[0]?.name, "tasks");
 * ```
 */
export const anthropicTool: AnthropicTool = {
  name: tasksTool.name,
  description: tasksTool.description,
  input_schema: inputSchemaOf(tasksTool),
};

/**
 * The `tasks` tool for Anthropic's Messages API in strict mode. It is the plain
 * form, since that mode refuses an enum that may be `null`, without the greatest
 * lengths, which it refuses too; they are checked when the tool is called.
 *
 * @example Offer the tool in strict mode
 * ```ts
 * import { anthropicStrictTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(anthropicStrictTool.strict, true);
 * assertEquals(anthropicStrictTool.input_schema.required, ["action"]);
 * ```
 */
export const anthropicStrictTool: AnthropicTool = {
  name: tasksTool.name,
  description: tasksTool.description,
  input_schema: withoutLengths(tasksTool),
  strict: true,
};

/**
 * The block that answers a `tool_use` block. It belongs into the next message
 * of the user, together with the answers to all other calls of that turn.
 *
 * @example Answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { toolResultForAnthropic } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const call = { id: "toolu_1", input: { action: "blocked" } };
 *
 * const result = await session.handleToolCall(call.input, { callId: call.id });
 * assertEquals(toolResultForAnthropic(call.id, result), {
 *   type: "tool_result",
 *   tool_use_id: "toolu_1",
 *   content: '{"action":"blocked","tasks":[]}',
 * });
 * ```
 */
export function toolResultForAnthropic(
  toolUseId: string,
  { content, isError }: ToolResult,
): AnthropicToolResult {
  return {
    type: "tool_result",
    tool_use_id: toolUseId,
    content,
    ...(isError && { is_error: true }),
  };
}
