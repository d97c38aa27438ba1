/**
 * The tool's definition and results in the form of MCP.
 *
 * @module
 */

import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types";
import { tasksTool, type ToolResult } from "../../mod.ts";

/** The tool as `tools/list` answers it. */
export const mcpTool: Tool = {
  name: tasksTool.name,
  title: "Tasks",
  description: tasksTool.description,
  inputSchema: {
    ...tasksTool.inputSchema,
    required: [...tasksTool.inputSchema.required],
  },
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    openWorldHint: false,
  },
};

/** A result as `tools/call` answers it. */
export function toolResultForMcp(
  { content, isError, result }: ToolResult,
): CallToolResult {
  return {
    content: [{ type: "text", text: content }],
    structuredContent: { ...result },
    isError,
  };
}
