/**
 * The tool and its results for servers of the Model Context Protocol.
 *
 * @module
 */

import type { ToolResult } from "../result.ts";
import { tasksTool } from "../definition.ts";
import { type InputSchema, inputSchemaOf } from "./input_schema.ts";
import { OUTPUT_SCHEMA, type OutputSchema } from "./mcp_output_schema.ts";

/** A tool as an MCP server lists it. */
export interface McpTool {
  /** The name that the model calls. */
  readonly name: string;
  /** What people read in its place. */
  readonly title: string;
  /** What the model reads about it. */
  readonly description: string;
  /** The arguments. */
  readonly inputSchema: InputSchema;
  /** The structured content of every answer, be it a result or a refusal. */
  readonly outputSchema: OutputSchema;
  /** What a client may tell people about it. */
  readonly annotations: McpToolAnnotations;
}

/** What an MCP client may tell people about a tool. */
export interface McpToolAnnotations {
  /** Whether it changes nothing. */
  readonly readOnlyHint: boolean;
  /** Whether it may overwrite something. */
  readonly destructiveHint: boolean;
  /** Whether the same call a second time changes nothing more. */
  readonly idempotentHint: boolean;
  /** Whether it reaches beyond its own data. */
  readonly openWorldHint: boolean;
}

/**
 * What an MCP server answers to a tool call. It is a type and not an interface,
 * since the SDK's own types ask for it.
 */
export type McpToolResult = {
  /** What the model reads. */
  readonly content: McpText[];
  /** The same as data. */
  readonly structuredContent: Readonly<Record<string, unknown>>;
  /** Whether the call was refused. */
  readonly isError: boolean;
};

/** A text in the answer of an MCP server. */
export interface McpText {
  /** The kind of content. */
  readonly type: "text";
  /** The text. */
  readonly text: string;
}

/**
 * The `tasks` tool for servers of the Model Context Protocol.
 *
 * Its output schema describes results and refusals, since clients check the
 * structured content of both. Its hints are the plain truth about a tool that
 * can do six things: it may overwrite, as `update` does with a task's text, and
 * the same `add` a second time adds a second task.
 *
 * @example List the tool
 * ```ts
 * import { mcpTool } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const answer = { tools: [mcpTool] }; // to tools/list
 * assertEquals(answer.tools[0]?.annotations.openWorldHint, false);
 * ```
 */
export const mcpTool: McpTool = {
  name: tasksTool.name,
  title: "Tasks",
  description: tasksTool.description,
  inputSchema: inputSchemaOf(tasksTool),
  outputSchema: OUTPUT_SCHEMA,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
};

/**
 * What to answer to `tools/call`, with the result as text and as data. A refusal
 * is an answer with `isError`, which the model reads, and no protocol error.
 *
 * @example Answer a call
 * ```ts
 * import { openSession } from "@kin/tasks-dag";
 * import { toolResultForMcp } from "@kin/tasks-dag/tool";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const params = { name: "tasks", arguments: { action: "blocked" } };
 *
 * const result = await session.handleToolCall(params.arguments);
 * assertEquals(toolResultForMcp(result), {
 *   content: [{ type: "text", text: '{"action":"blocked","tasks":[]}' }],
 *   structuredContent: { action: "blocked", tasks: [] },
 *   isError: false,
 * });
 * ```
 */
export function toolResultForMcp(
  { content, result, isError }: ToolResult,
): McpToolResult {
  return {
    content: [{ type: "text", text: content }],
    structuredContent: { ...result },
    isError,
  };
}
