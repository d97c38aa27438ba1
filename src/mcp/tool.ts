/**
 * The tool, as MCP clients list and call it.
 *
 * @module
 */

import type { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { TaskSession } from "../../mod.ts";
import { mcpTool, toolResultForMcp } from "../tool/mod.ts";
import { callIdOf } from "./call_id.ts";
import type { TasksServerOptions } from "./options.ts";
import { reportWaiting } from "./progress.ts";
import { ProtocolError } from "./protocol_error.ts";

/** Lets the server list the tool and answer its calls. */
export function serveTool(
  server: Server,
  session: TaskSession,
  { view = "json", progressEveryMs = 1_000 }: TasksServerOptions,
): void {
  // Many a client gives the model the data in place of the text, so that a
  // shorter text would save nothing next to it.
  const hasData = view === "json";
  const { outputSchema: _, ...textTool } = mcpTool;

  server.setRequestHandler(
    ListToolsRequestSchema,
    () => ({ tools: [hasData ? mcpTool : textTool] }),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, extra) => {
      if (params.name !== mcpTool.name) {
        throw new ProtocolError(
          "invalidParams",
          `There is no tool ${JSON.stringify(params.name)}. ` +
            `Call "${mcpTool.name}".`,
        );
      }
      const callId = callIdOf(params._meta);
      // Once the session has a call, it carries it out, cancelled or not.
      extra.signal.throwIfAborted();
      using _waiting = reportWaiting(extra, progressEveryMs);
      const result = toolResultForMcp(
        await session.handleToolCall(params.arguments, { callId, view }),
      );
      const { structuredContent: _, ...text } = result;
      return hasData ? result : text;
    },
  );
}
