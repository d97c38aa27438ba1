// @ts-types="@modelcontextprotocol/sdk/inMemory"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage, Progress } from "@modelcontextprotocol/sdk/types";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type TaskSession, tasksTool } from "../../mod.ts";
import { createTasksServer } from "../../src/mcp/mod.ts";
import { mcpTool } from "../../src/tool/mod.ts";
import { Recorder } from "../support/recorder.ts";
import { contentsOf, openHere, workerUrl } from "../support/sessions.ts";
import {
  add,
  call,
  connect,
  connectInMemory,
  protocolError,
  readSnapshot,
  textOf,
} from "./client.ts";

const SNAPSHOT = "tasks://s/snapshot";
const MESSAGES = {
  initialize: {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    },
  },
  add: {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "tasks", arguments: { action: "add", content: "a" } },
  },
  cancel: {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 2 },
  },
  ping: { jsonrpc: "2.0", id: 3, method: "ping" },
} as const;

/** The session, but its calls wait until the gate is opened. */
function gated(session: TaskSession): {
  readonly session: TaskSession;
  readonly called: Promise<void>;
  open(): void;
} {
  const called = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const handleToolCall: TaskSession["handleToolCall"] = async (...args) => {
    called.resolve();
    await opened.promise;
    return await session.handleToolCall(...args);
  };
  return {
    session: new Proxy(session, {
      get: (_target, name) => {
        if (name === "handleToolCall") return handleToolCall;
        const value = Reflect.get(session, name);
        return typeof value === "function" ? value.bind(session) : value;
      },
    }),
    called: called.promise,
    open: opened.resolve,
  };
}

/** The client's end of a connection, message by message. */
async function openRaw(session: TaskSession): Promise<{
  readonly messages: Recorder<JSONRPCMessage>;
  send(message: JSONRPCMessage): void;
}> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const messages = new Recorder<JSONRPCMessage>();
  here.onmessage = messages.add;
  await here.start();
  await createTasksServer(session).connect(there);
  const send = (message: JSONRPCMessage) => void here.send(message);
  send(MESSAGES.initialize);
  await messages.take(1);
  return { messages, send };
}

function idsOf(messages: readonly JSONRPCMessage[]): unknown[] {
  return messages.map((message) => "id" in message ? message.id : undefined);
}

Deno.test("the server tells who it is and what it offers", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client } = connected;
  const { version } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  assertEquals(client.getServerVersion(), {
    name: "tasks-dag",
    title: "Tasks",
    version,
  });
  assertEquals(client.getServerCapabilities(), {
    tools: {},
    resources: { subscribe: true },
  });
  assertStringIncludes(client.getInstructions() ?? "", '"s"');
});

Deno.test("the tool is listed with the schema of the engine, as it is", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { tools } = await connected.client.listTools();
  assertEquals(tools.length, 1);
  assertEquals<unknown>(tools[0], mcpTool);
  assertEquals<unknown>(tools[0]?.inputSchema, tasksTool.inputSchema);
});

Deno.test("a call answers text for the model, and the same as data", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const result = await call(connected.client, { action: "add", content: "a" });
  assertEquals(result.isError, false);
  assertEquals(JSON.parse(textOf(result)), result.structuredContent);
  assertEquals<unknown>(result.structuredContent, {
    action: "add",
    task: opened.session.snapshot.tasks[0],
    snapshot: opened.session.snapshot,
  });
});

for (const view of ["lines", "row"] as const) {
  Deno.test(`a call that is shown as ${view} answers that text alone, as the tool is listed`, async () => {
    await using opened = await openHere();
    const { session } = opened;
    await using connected = await connectInMemory(session, { view });
    const { client } = connected;
    const { tools } = await client.listTools();
    const { outputSchema: _, ...textTool } = mcpTool;
    assertEquals<unknown>(tools, [textTool]);

    await call(client, { action: "add", content: "a" });
    for (const args of [{ action: "list" }, { action: "add" }]) {
      const { content, isError } = await session.handleToolCall(args, { view });
      assertEquals<unknown>(await call(client, args), {
        content: [{ type: "text", text: content }],
        isError,
      });
    }
  });
}

Deno.test("a refusal is a result that the model reads, not an error of the protocol", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client } = connected;
  const a = await add(client, "a");
  const b = await add(client, "b", [a]);
  for (
    const [args, code] of [
      [{ action: "update", id: a, blockedBy: [b] }, "cycle"],
      [{ action: "complete", id: "t_0" }, "unknown_task"],
      [{ action: "add" }, "invalid_arguments"],
      [{ action: "fly" }, "invalid_arguments"],
      [{}, "invalid_arguments"],
    ] as const
  ) {
    const result = await call(client, args);
    assertEquals(result.isError, true);
    assertStringIncludes(textOf(result), code);
    const { error } = result.structuredContent as { error: { code: string } };
    assertEquals(error.code, code);
  }
  assertEquals(contentsOf(opened.session), ["a", "b"]);
});

Deno.test("a tool that is not there is an error of the protocol, which names the one that is", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const error = await protocolError(
    connected.client.callTool({ name: "todos", arguments: {} }),
  );
  assertEquals(error.code, -32602);
  assertStringIncludes(error.message, '"todos"');
  assertStringIncludes(error.message, '"tasks"');
});

Deno.test("the snapshot is listed as a resource, and there are no templates", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { resources } = await connected.client.listResources();
  assertEquals(
    resources.map(({ uri, mimeType }) => ({ uri, mimeType })),
    [{ uri: SNAPSHOT, mimeType: "application/json" }],
  );
  const { resourceTemplates } = await connected.client.listResourceTemplates();
  assertEquals(resourceTemplates, []);
});

Deno.test("the resource is the session's snapshot", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client } = connected;
  assertEquals(await readSnapshot(client, SNAPSHOT), { tasks: [] });
  await add(client, "a");
  assertEquals(await readSnapshot(client, SNAPSHOT), opened.session.snapshot);
});

Deno.test("a resource that is not there can be neither read nor subscribed to", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client } = connected;
  const uri = "tasks://other/snapshot";
  for (
    const request of [
      client.readResource({ uri }),
      client.subscribeResource({ uri }),
      client.unsubscribeResource({ uri }),
    ]
  ) {
    const { code, message, data } = await protocolError(request);
    assertEquals(code, -32002);
    assertEquals(data, { uri });
    assertStringIncludes(message, SNAPSHOT);
  }
});

Deno.test("a subscriber is told of every change, before the call that made it is answered", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client, updates } = connected;
  await add(client, "before");
  assertEquals(updates.items, []);
  await client.subscribeResource({ uri: SNAPSHOT });
  await client.subscribeResource({ uri: SNAPSHOT });
  const a = await add(client, "a");
  assertEquals(updates.items, [SNAPSHOT]);
  await call(client, { action: "complete", id: a });
  assertEquals(updates.items, [SNAPSHOT, SNAPSHOT]);
  await call(client, { action: "complete", id: a });
  await call(client, { action: "list" });
  assertEquals(updates.items.length, 2);
  await opened.session.tasks({ action: "add", content: "by the host" });
  assertEquals((await updates.take(3)).length, 3);
});

Deno.test("who unsubscribes is told nothing more", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const { client, updates } = connected;
  await client.subscribeResource({ uri: SNAPSHOT });
  await add(client, "a");
  await client.unsubscribeResource({ uri: SNAPSHOT });
  await add(client, "b");
  assertEquals(updates.items, [SNAPSHOT]);
});

Deno.test("a subscription ends with its connection, and the session stays open", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const server = createTasksServer(session);
  const pair = async () => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    await server.connect(there);
    return await connect(here);
  };
  {
    await using first = await pair();
    await first.client.subscribeResource({ uri: SNAPSHOT });
  }
  await session.tasks({ action: "add", content: "while nobody is there" });
  await using second = await pair();
  await add(second.client, "a");
  assertEquals(second.updates.items, []);
  await second.client.subscribeResource({ uri: SNAPSHOT });
  await add(second.client, "b");
  assertEquals(second.updates.items, [SNAPSHOT]);
});

Deno.test("every client of a session is told what any of them changed", async () => {
  await using opened = await openHere();
  await using left = await connectInMemory(opened.session);
  await using right = await connectInMemory(opened.session);
  await right.client.subscribeResource({ uri: SNAPSHOT });
  await add(left.client, "a");
  await right.updates.take(1);
  assertEquals(left.updates.items, []);
});

Deno.test("a call with an id of its own is carried out once, over connections too", async () => {
  await using opened = await openHere();
  const meta = { "tasks-dag/callId": "toolu_1" };
  const args = { action: "add", content: "a" };
  const answers: unknown[] = [];
  for (let i = 0; i < 2; i++) {
    await using connected = await connectInMemory(opened.session);
    answers.push(await call(connected.client, args, { meta }));
  }
  assertEquals(answers[1], answers[0]);
  assertEquals(contentsOf(opened.session), ["a"]);
});

Deno.test("the id of a request says nothing about the call", async () => {
  await using opened = await openHere();
  for (let i = 0; i < 2; i++) {
    const { messages, send } = await openRaw(opened.session);
    send(MESSAGES.add);
    await messages.take(2);
  }
  assertEquals(contentsOf(opened.session), ["a", "a"]);
});

Deno.test("an id that is no string is refused, and nothing is done", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  const error = await protocolError(
    call(connected.client, { action: "add", content: "a" }, {
      meta: { "tasks-dag/callId": 1 },
    }),
  );
  assertEquals(error.code, -32602);
  assertStringIncludes(error.message, "tasks-dag/callId");
  assertEquals(contentsOf(opened.session), []);
});

Deno.test("a call that waits says so to a client that wants to know", async () => {
  await using opened = await openHere();
  const gate = gated(opened.session);
  await using connected = await connectInMemory(gate.session, {
    progressEveryMs: 1,
  });
  const progress = new Recorder<Progress>();
  const answer = call(connected.client, { action: "add", content: "a" }, {
    request: { onprogress: progress.add },
  });
  const told = await progress.take(3);
  assertEquals(told.map(({ progress }) => progress).slice(0, 3), [1, 2, 3]);
  assertStringIncludes(told[0]?.message ?? "", "waiting");
  gate.open();
  assertEquals((await answer).isError, false);
});

Deno.test("a call that is answered soon tells no progress", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session, {
    progressEveryMs: 600_000,
  });
  const progress = new Recorder<unknown>();
  await call(connected.client, { action: "add", content: "a" }, {
    request: { onprogress: progress.add },
  });
  assertEquals(progress.items, []);
});

Deno.test("a call that the session has is carried out though it is cancelled, and gets no answer", async () => {
  await using opened = await openHere();
  const gate = gated(opened.session);
  const { messages, send } = await openRaw(gate.session);
  send(MESSAGES.add);
  await gate.called;
  send(MESSAGES.cancel);
  gate.open();
  await opened.changes.take(1);
  await opened.session.tasks({ action: "list" });
  send(MESSAGES.ping);
  await messages.take(2);
  assertEquals(contentsOf(opened.session), ["a"]);
  assertEquals(idsOf(messages.items), [1, 3]);
});

Deno.test("a call that is cancelled before the session has it is not carried out", async () => {
  await using opened = await openHere();
  const { messages, send } = await openRaw(opened.session);
  send(MESSAGES.add);
  send(MESSAGES.cancel);
  send(MESSAGES.ping);
  await messages.take(2);
  await opened.session.tasks({ action: "list" });
  assertEquals(contentsOf(opened.session), []);
  assertEquals(idsOf(messages.items), [1, 3]);
});

Deno.test("what a lost session has to say reaches the model", async () => {
  await using opened = await openHere({ workerUrl: workerUrl("trapped.ts") });
  await using connected = await connectInMemory(opened.session);
  const { client } = connected;
  await add(client, "kept");
  const codes: unknown[] = [];
  for (let losses = 1; losses <= 4; losses++) {
    const result = await call(client, { action: "add", content: "throws" });
    assertEquals(result.isError, true);
    codes.push(
      (result.structuredContent as { error: { code: string } }).error.code,
    );
  }
  const list = await call(client, { action: "list" });
  assert(list.isError);
  assertStringIncludes(textOf(list), "worker_crashed");
  assertEquals(new Set(codes), new Set(["worker_crashed"]));
  const { tasks } = await readSnapshot(client, SNAPSHOT);
  assertEquals(tasks.map(({ content }) => content), ["kept"]);
});

Deno.test("a closed session is told of as a refusal", async () => {
  await using opened = await openHere();
  await using connected = await connectInMemory(opened.session);
  await opened.session.close();
  const result = await call(connected.client, { action: "list" });
  assertEquals(result.isError, true);
  assertStringIncludes(textOf(result), "session_closed");
});
