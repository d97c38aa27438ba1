// What can only be seen from outside: the command line, what is written to
// which stream, and how the process ends.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openSession, type TasksChanged } from "../../mod.ts";
import type { Recorder } from "../support/recorder.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { listenTo } from "../support/sessions.ts";
import { parseSidecar } from "../support/sidecar.ts";
import { add, connect } from "./client.ts";
import {
  notingTransport,
  type ServerProcess,
  startServer,
} from "./server_process.ts";

const SIDECAR = "s.tasks.json";
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

function addCall(id: number, content = `task ${id}`): unknown {
  const params = { name: "tasks", arguments: { action: "add", content } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

async function initialize(server: ServerProcess): Promise<void> {
  await server.send(INITIALIZE);
  await server.lines.take(1);
}

/** A session that tells what a server in the same directory changes. */
async function openWatcher(
  sessionDir: string,
): Promise<AsyncDisposable & { readonly changes: Recorder<TasksChanged> }> {
  const session = await openSession({
    sessionId: "s",
    sessionDir,
    watchFile: true,
  });
  const { changes } = listenTo(session);
  return { changes, [Symbol.asyncDispose]: () => session.close() };
}

function answeredIds(server: ServerProcess): number[] {
  return server.lines.items.map((line) => JSON.parse(line).id)
    .sort((a, b) => a - b);
}

for (
  const [args, says] of [
    [[], "--session"],
    [["--session"], "--session"],
    [["--session", "s", "--color"], "--color"],
    [["--session", "s", "extra"], "extra"],
    [["--session", "s", "--view", "table"], "json, lines, row"],
  ] as const
) {
  Deno.test(`a server that is started with "${args.join(" ")}" says how it is used, and ends with 2`, async () => {
    await using dir = await makeSessionDir();
    await using server = startServer({ dir: dir.path, args });
    const { code, stderr } = await server.ended;
    assertEquals([code, server.lines.items], [2, []]);
    assertStringIncludes(stderr.split("\n")[0] ?? "", says);
    assertStringIncludes(stderr, "Usage:");
    assertEquals(await dir.names(), []);
  });
}

Deno.test("a server that is asked for help prints it and ends with 0", async () => {
  await using dir = await makeSessionDir();
  await using server = startServer({ dir: dir.path, args: ["--help"] });
  const { code, stderr } = await server.ended;
  assertEquals([code, stderr], [0, ""]);
  const help = server.lines.items.join("\n");
  for (const flag of ["--session", "--dir", "--view"]) {
    assertStringIncludes(help, flag);
  }
  assert(server.lines.items.every((line) => line.length <= 80));
});

Deno.test("a server whose session cannot be opened says why in one line, and ends with 1", async () => {
  await using dir = await makeSessionDir();
  for (
    const [args, says] of [
      [["--session", "a/b", "--dir", dir.path], "a/b"],
      [["--session", "s", "--dir", `${dir.path}/../x`], "--allow-read="],
      [["--session", "s"], "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE"],
    ] as const
  ) {
    await using server = startServer({ dir: dir.path, args });
    const { code, stderr } = await server.ended;
    assertEquals([code, server.lines.items], [1, []]);
    assertStringIncludes(stderr, says);
    assertEquals(stderr.trimEnd().split("\n").length, 1);
  }
});

Deno.test("standard output carries the protocol and nothing else", async () => {
  await using dir = await makeSessionDir();
  await dir.write(SIDECAR, "this is no sidecar");
  await using server = startServer({ dir: dir.path });
  await initialize(server);
  await server.send("no message of the protocol");
  await server.send(addCall(1));
  await server.send({ jsonrpc: "2.0", id: 2, method: "no/such" });
  await server.end();
  const { code, stderr } = await server.ended;
  assertEquals(code, 0);
  for (const line of server.lines.items) {
    assertEquals(JSON.parse(line).jsonrpc, "2.0");
  }
  assertEquals(answeredIds(server), [0, 1, 2]);
  // What the session had to say about the file is for people.
  assertStringIncludes(stderr, `${SIDECAR}.corrupt-`);
});

Deno.test("a server whose input ends answers everything that was asked, and ends with 0", async () => {
  await using dir = await makeSessionDir();
  await using server = startServer({ dir: dir.path });
  const asked = Array.from({ length: 30 }, (_, i) => i + 1);
  await server.send(INITIALIZE);
  await Promise.all(asked.map((id) => server.send(addCall(id))));
  await server.end();
  assertEquals(await server.ended, { code: 0, signal: null, stderr: "" });
  assertEquals(answeredIds(server), [0, ...asked]);
  const { tasks } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(
    tasks.map(({ content }) => content),
    asked.map((id) => `task ${id}`),
  );
});

Deno.test("a long answer is whole though the server ends after it", async () => {
  await using dir = await makeSessionDir();
  await using server = startServer({ dir: dir.path });
  await server.send(INITIALIZE);
  const content = "long ".repeat(3_000);
  for (let id = 1; id <= 20; id++) await server.send(addCall(id, content));
  await server.end();
  assertEquals((await server.ended).code, 0);
  assertEquals(answeredIds(server), Array.from({ length: 21 }, (_, i) => i));
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(
    `a server that is told to end by ${signal} answers what it has begun, and ends with 0`,
    { ignore: Deno.build.os === "windows" },
    async () => {
      await using dir = await makeSessionDir();
      await using server = startServer({ dir: dir.path });
      await initialize(server);
      for (let id = 1; id <= 50; id++) await server.send(addCall(id));
      await server.lines.take(2);
      server.process.kill(signal);
      assertEquals(await server.ended, { code: 0, signal: null, stderr: "" });
      // Every change that was made was answered, though not every call was read.
      const { tasks } = parseSidecar(await dir.read(SIDECAR));
      const done = server.lines.items.slice(1)
        .filter((line) => !JSON.parse(line).result.isError);
      assertEquals(done.length, tasks.length);
    },
  );
}

Deno.test("a client that reads late is waited for, and nothing else waits", async () => {
  await using dir = await makeSessionDir();
  await using watcher = await openWatcher(dir.path);
  const reading = Promise.withResolvers<void>();
  await using server = startServer({
    dir: dir.path,
    reading: reading.promise,
  });
  await server.send(INITIALIZE);
  // Their answers are far more than a pipe holds.
  const content = "long ".repeat(3_000);
  for (let id = 1; id <= 60; id++) await server.send(addCall(id, content));
  await watcher.changes.find(({ snapshot }) => snapshot.tasks.length === 60);
  reading.resolve();
  await server.end();
  assertEquals((await server.ended).code, 0);
  assertEquals(answeredIds(server), Array.from({ length: 61 }, (_, i) => i));
});

Deno.test(
  "a second signal ends a server whose answers nobody reads",
  { ignore: Deno.build.os === "windows" },
  async () => {
    await using dir = await makeSessionDir();
    await using watcher = await openWatcher(dir.path);
    const reading = Promise.withResolvers<void>();
    await using server = startServer({
      dir: dir.path,
      reading: reading.promise,
    });
    await server.send(INITIALIZE);
    const list = { jsonrpc: "2.0", method: "tools/list" };
    for (let id = 1; id <= 500; id++) await server.send({ ...list, id });
    await server.send(addCall(501));
    await watcher.changes.take(1);
    let isOver = false;
    const over = server.process.status.finally(() => isOver = true);
    // Two signals at once may be taken for one, so there are as many as it takes.
    while (!isOver) {
      server.process.kill("SIGTERM");
      const ping = { jsonrpc: "2.0", id: 502, method: "ping" };
      await server.send(ping).catch(() => over);
    }
    reading.resolve();
    assertEquals((await server.ended).signal, "SIGTERM");
  },
);

Deno.test("a server that nobody reads any more keeps what it was told, and ends without a stack trace", async () => {
  await using dir = await makeSessionDir();
  await using server = startServer({ dir: dir.path });
  await initialize(server);
  await server.stopReading();
  await server.send(addCall(1));
  // The pipe may be closed a little later, and is found out by writing to it.
  let isOver = false;
  const ended = server.ended.finally(() => isOver = true);
  for (let id = 2; !isOver; id++) {
    const ping = { jsonrpc: "2.0", id, method: "ping" };
    await server.send(ping).catch(() => ended);
  }
  const { code, stderr } = await ended;
  assertEquals([code, stderr], [0, ""]);
  const { tasks } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(tasks.map(({ content }) => content), ["task 1"]);
});

Deno.test(
  "a server ends by itself when the official client closes",
  // There is no sh there.
  { ignore: Deno.build.os === "windows" },
  async () => {
    await using dir = await makeSessionDir();
    const note = dir.at("exit_code");
    {
      await using connected = await connect(
        notingTransport({ dir: dir.path }, note),
      );
      await add(connected.client, "a");
    }
    assertEquals(await Deno.readTextFile(note), "0\n");
    assertEquals(await dir.names(), ["exit_code", SIDECAR]);
  },
);
