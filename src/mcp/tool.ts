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
import { mcpTool, toolResultForMcp } from "../providers/mod.ts";
import { callIdOf } from "./call_id.ts";
import type { TasksServerOptions } from "./options.ts";
import { reportWaiting } from "./progress.ts";
import { ProtocolError } from "./protocol_error.ts";

/** Lets the server list the tool and answer its calls. */
export function serveTool(
  server: Server,
  session: TaskSession,
  { view, progressEveryMs = 1_000 }: TasksServerOptions,
): void {
  server.setRequestHandler(
    ListToolsRequestSchema,
    () => ({ tools: [mcpTool] }),
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
      return toolResultForMcp(
        await session.handleToolCall(params.arguments, { callId, view }),
      );
    },
  );
}
