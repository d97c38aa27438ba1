// The tool and its results, in the hands of the MCP SDK's own client and server.

import { Client } from "npm:@modelcontextprotocol/sdk@1.32.2/client";
import { Server } from "npm:@modelcontextprotocol/sdk@1.32.2/server";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/inMemory"
import { InMemoryTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/inMemory.js";
// @ts-types="npm:@modelcontextprotocol/sdk@1.32.2/types"
import {
  CallToolRequestSchema,
  CallToolResultSchema,
  ListToolsRequestSchema,
  ToolSchema,
} from "npm:@modelcontextprotocol/sdk@1.32.2/types.js";
import { assertEquals } from "@std/assert";
import { mcpTool, toolResultForMcp } from "@kin/tasks-dag/tool";
import { contentsOf, openHere } from "../../support/sessions.ts";

const ABOUT = { name: "test", version: "1.0.0" };

Deno.test("the SDK's schema takes the tool as it is", () => {
  assertEquals(ToolSchema.parse(mcpTool), structuredClone({ ...mcpTool }));
});

Deno.test("the SDK's schema takes a result and a refusal as they are", async () => {
  await using opened = await openHere();
  for (const call of [{ action: "list" }, { action: "complete", id: "t_0" }]) {
    const answer = toolResultForMcp(await opened.session.handleToolCall(call));
    assertEquals(CallToolResultSchema.parse(answer), structuredClone(answer));
  }
});

Deno.test("a client lists the tool, and finds its results and refusals to be what it says", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const server = new Server(ABOUT, { capabilities: { tools: {} } });
  server.setRequestHandler(
    ListToolsRequestSchema,
    () => ({ tools: [mcpTool] }),
  );
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }) =>
      toolResultForMcp(await session.handleToolCall(params.arguments)),
  );
  const client = new Client(ABOUT);
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  try {
    const { tools } = await client.listTools();
    assertEquals(tools.map(({ name, title }) => [name, title]), [
      ["tasks", "Tasks"],
    ]);

    const added = await client.callTool({
      name: "tasks",
      arguments: { action: "add", content: "Build" },
    });
    assertEquals(added.isError, false);
    assertEquals(contentsOf(session), ["Build"]);

    const refused = await client.callTool({
      name: "tasks",
      arguments: { action: "complete", id: "t_0" },
    });
    assertEquals(refused.isError, true);
  } finally {
    await client.close();
    await server.close();
  }
});
