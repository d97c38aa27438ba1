// What the official client sees of a server in a process of its own, which has
// no more permissions than it needs.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { openSession } from "../../mod.ts";
import { mcpTool } from "../../src/tool/mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import {
  add,
  call,
  connect,
  protocolError,
  readSnapshot,
  textOf,
} from "./client.ts";
import { killServer, serverTransport } from "./server_process.ts";

const SNAPSHOT = "tasks://s/snapshot";

Deno.test("the official client lists the tool, plays the worked example, and finds the graph again after the server was killed", async () => {
  await using dir = await makeSessionDir();
  const transport = serverTransport({ dir: dir.path });
  const before = await (async () => {
    await using connected = await connect(transport);
    const { client, updates } = connected;
    const { tools } = await client.listTools();
    assertEquals<unknown>(tools, [mcpTool]);
    await client.subscribeResource({ uri: SNAPSHOT });

    const setupDb = await add(client, "Provision the dev DB");
    const seed = await add(client, "Seed fixtures", [setupDb]);
    const smoke = await add(client, "Run smoke tests", [seed]);
    const blockedIds = async () => {
      const { structuredContent } = await call(client, { action: "blocked" });
      const { tasks } = structuredContent as { tasks: { id: string }[] };
      return tasks.map(({ id }) => id);
    };
    assertEquals(await blockedIds(), [seed, smoke]);
    await call(client, { action: "complete", id: setupDb });
    assertEquals(await blockedIds(), [smoke]);
    await call(client, { action: "update", id: seed, status: "in_progress" });
    await call(client, { action: "complete", id: seed });
    assertEquals(await blockedIds(), []);
    await call(client, { action: "remove", id: smoke });
    const list = await call(client, { action: "list" });

    const snapshot = await readSnapshot(client, SNAPSHOT);
    assertEquals<unknown>(list.structuredContent, {
      action: "list",
      tasks: snapshot.tasks,
      snapshot,
    });
    assertEquals(
      snapshot.tasks.map(({ content, status }) => [content, status]),
      [
        ["Provision the dev DB", "completed"],
        ["Seed fixtures", "completed"],
        ["Run smoke tests", "deleted"],
      ],
    );
    assertEquals(updates.items, Array(7).fill(SNAPSHOT));
    await killServer(transport);
    return snapshot;
  })();

  await using connected = await connect(serverTransport({ dir: dir.path }));
  assertEquals(await readSnapshot(connected.client, SNAPSHOT), before);
  await add(connected.client, "Write it down");
  const { tasks } = await readSnapshot(connected.client, SNAPSHOT);
  assertEquals(tasks.length, 4);
});

Deno.test("a subscriber is told of what another process changes, and reads it", async () => {
  await using dir = await makeSessionDir();
  await using connected = await connect(serverTransport({ dir: dir.path }));
  const { client, updates } = connected;
  await client.subscribeResource({ uri: SNAPSHOT });
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
  });
  await session.tasks({ action: "add", content: "from elsewhere" });
  await updates.take(1);
  assertEquals(await readSnapshot(client, SNAPSHOT), session.snapshot);
});

Deno.test("two servers of one session work on one graph", async () => {
  await using dir = await makeSessionDir();
  await using left = await connect(serverTransport({ dir: dir.path }));
  await using right = await connect(serverTransport({ dir: dir.path }));
  const [a, b] = await Promise.all([
    add(left.client, "a"),
    add(right.client, "b"),
  ]);
  await call(right.client, { action: "update", id: b, blockedBy: [a] });
  const refused = await call(left.client, {
    action: "update",
    id: a,
    blockedBy: [b],
  });
  assertEquals(refused.isError, true);
  assertStringIncludes(textOf(refused), "cycle");
});

Deno.test("refusals reach the client as results, and what is not there as errors", async () => {
  await using dir = await makeSessionDir();
  await using connected = await connect(
    serverTransport({
      dir: dir.path,
      args: ["--session", "s", "--dir", dir.path, "--view", "lines"],
    }),
  );
  const { client } = connected;
  const refused = await call(client, { action: "complete", id: "t_0" });
  assertEquals(refused.isError, true);
  assertStringIncludes(textOf(refused), "complete refused (unknown_task)");
  const unknownTool = await protocolError(client.callTool({ name: "todos" }));
  assertEquals(unknownTool.code, -32602);
  const unknownResource = await protocolError(
    client.readResource({ uri: "tasks://s/other" }),
  );
  assertEquals(unknownResource.code, -32002);
});
