/**
 * The MCP server of one session.
 *
 * @module
 */

import { Server } from "@modelcontextprotocol/sdk/server";
import type { TaskSession } from "../../mod.ts";
import type { TasksServerOptions } from "./options.ts";
import { serveSnapshot } from "./resources.ts";
import { serveTool } from "./tool.ts";
import { VERSION } from "./version.ts";

/** Any transport of the official SDK. */
export interface TasksServerTransport {
  /** Begins to carry messages. */
  start(): Promise<void>;
  /** Carries one message to the client. */
  send(message: object): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** A `Server` of the official SDK, as far as its host deals with it. */
export interface TasksServer {
  /** Serves the client at the other end of the transport. */
  connect(transport: TasksServerTransport): Promise<void>;
  /** Ends the connection. The session stays open. */
  close(): Promise<void>;
  /** Called when the connection has ended. */
  onclose?: () => void;
  /** Called with what went wrong on the connection; it may go on nevertheless. */
  onerror?: (error: Error) => void;
}

/**
 * Makes an MCP server for an open session: the tool `tasks`, and the snapshot as
 * a resource whose subscribers are told of every change. It is not connected yet.
 *
 * The session stays yours: closing the server leaves it open. Several servers may
 * serve one session, one per connection.
 *
 * @example Serve a session to a client in the same process
 * ```ts
 * import { Client } from "@modelcontextprotocol/sdk/client/index.js";
 * import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
 * import { openSession } from "@kin/tasks-dag";
 * import { createTasksServer } from "@kin/tasks-dag/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const sessionDir = await Deno.makeTempDir();
 * await using session = await openSession({ sessionId: "demo", sessionDir });
 * const [here, there] = InMemoryTransport.createLinkedPair();
 * await createTasksServer(session).connect(there);
 *
 * const client = new Client({ name: "example", version: "1.0.0" });
 * await client.connect(here);
 * await client.callTool({
 *   name: "tasks",
 *   arguments: { action: "add", content: "Seed fixtures" },
 * });
 * assertEquals(session.snapshot.tasks.map((task) => task.content), ["Seed fixtures"]);
 * await client.close();
 * ```
 */
export function createTasksServer(
  session: TaskSession,
  options: TasksServerOptions = {},
): TasksServer {
  const server = new Server(
    { name: "tasks-dag", title: "Tasks", version: VERSION },
    {
      capabilities: { tools: {}, resources: { subscribe: true } },
      instructions:
        `The tool "tasks" holds the work of session "${session.sessionId}", ` +
        "also that of earlier runs. List it before you plan.",
    },
  );
  serveTool(server, session, options);
  serveSnapshot(server, session);
  return server;
}
