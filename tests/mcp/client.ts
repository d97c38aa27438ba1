import { Client } from "@modelcontextprotocol/sdk/client";
// @ts-types="@modelcontextprotocol/sdk/inMemory"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolResultSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types";
import { assertInstanceOf } from "@std/assert";
import type { TaskSession } from "../../mod.ts";
import {
  createTasksServer,
  type TasksServerOptions,
} from "../../src/mcp/mod.ts";
import type { Snapshot } from "../../src/model/task.ts";
import { Recorder } from "../support/recorder.ts";

/** A client that is connected, and the resources that it was told to have changed. */
export interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly updates: Recorder<string>;
}

/** A transport that a client can be connected to. */
export type ClientTransport = Parameters<Client["connect"]>[0];

/** Connects the official client; it is closed when the test is over. */
export async function connect(transport: ClientTransport): Promise<Connected> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const updates = new Recorder<string>();
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => updates.add(params.uri),
  );
  await client.connect(transport);
  return {
    client,
    updates,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Connects the official client to a new server of this session. */
export async function connectInMemory(
  session: TaskSession,
  options?: TasksServerOptions,
): Promise<Connected> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createTasksServer(session, options).connect(there);
  return await connect(here);
}

/** What a call may be given besides its arguments. */
export interface CallOptions {
  readonly meta?: Record<string, unknown>;
  readonly request?: Parameters<Client["callTool"]>[2];
}

/** Calls the tool `tasks`. */
export async function call(
  client: Client,
  args: Record<string, unknown>,
  { meta, request }: CallOptions = {},
): Promise<CallToolResult> {
  const params = { name: "tasks", arguments: args, _meta: meta };
  return CallToolResultSchema.parse(
    await client.callTool(params, CallToolResultSchema, request),
  );
}

/** Adds a task and returns its id. */
export async function add(
  client: Client,
  content: string,
  blockedBy: readonly string[] = [],
): Promise<string> {
  const { structuredContent } = await call(client, {
    action: "add",
    content,
    blockedBy,
  });
  return (structuredContent as { task: { id: string } }).task.id;
}

/** The text that a model reads. */
export function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === "text" ? first.text : "";
}

/** The snapshot as the resource has it. */
export async function readSnapshot(
  client: Client,
  uri: string,
): Promise<Snapshot> {
  const { contents: [first] } = await client.readResource({ uri });
  return JSON.parse(first !== undefined && "text" in first ? first.text : "");
}

/** The error of the protocol that a request is refused with. */
export async function protocolError(
  request: Promise<unknown>,
): Promise<McpError> {
  const error = await request.then(() => undefined, (error) => error);
  assertInstanceOf(error, McpError);
  return error;
}
