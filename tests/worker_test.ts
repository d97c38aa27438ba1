// The worker alone, through the messages that src/protocol.ts describes.

import { assert, assertEquals } from "@std/assert";
import {
  type HostMessage,
  type OpenMessage,
  PROTOCOL_VERSION,
  type WorkerMessage,
} from "../src/protocol.ts";
import { Recorder } from "./support/recorder.ts";
import { inShort, partsOf } from "./support/session_actor.ts";
import { makeSessionDir, type SessionDir } from "./support/session_dir.ts";
import {
  parseSidecar,
  row,
  sidecarText,
  snapshotOf,
} from "./support/sidecar.ts";
import { snapshotIn } from "./support/texts.ts";

const SIDECAR = "s.tasks.json";
const ADD = { action: "add", content: "x" };

interface Talk extends Disposable {
  readonly messages: Recorder<WorkerMessage>;
  send(message: HostMessage): void;
}

/** Starts the worker and waits until it is ready. */
async function talk(): Promise<Talk> {
  const worker = new Worker(new URL("../worker.ts", import.meta.url), {
    type: "module",
  });
  const messages = new Recorder<WorkerMessage>();
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) =>
    partsOf(data).forEach(messages.add);
  await messages.take(1);
  return {
    messages,
    send: (message) => worker.postMessage(message),
    [Symbol.dispose]: () => worker.terminate(),
  };
}

function openIn(dir: SessionDir): OpenMessage {
  return {
    type: "open",
    protocol: PROTOCOL_VERSION,
    sessionId: "s",
    sessionDir: dir.path,
    staleAfterMs: 300_000,
    durability: "process",
  };
}

Deno.test("the worker speaks first, opens, answers and closes", async () => {
  await using dir = await makeSessionDir();
  using worker = await talk();
  worker.send(openIn(dir));
  worker.send({ type: "call", callId: 1, input: ADD });
  worker.send({ type: "call", callId: 2, input: { action: "list" } });
  worker.send({ type: "call", callId: 3, input: { action: "fly" } });
  worker.send({ type: "close" });
  await worker.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(worker.messages.items), [
    "ready",
    "opened 0",
    "tasks_changed 1",
    "reply 1",
    "reply 2",
    "reply 3: invalid_arguments",
    "closed",
  ]);
  assertEquals(worker.messages.items[0], {
    type: "ready",
    protocol: PROTOCOL_VERSION,
  });
  const sidecar = parseSidecar(await dir.read(SIDECAR));
  assertEquals([sidecar.session_id, sidecar.revision], ["s", 1]);
  const snapshot = worker.messages.items.find(({ type }) =>
    type === "tasks_changed"
  );
  assert(snapshot !== undefined && "snapshot" in snapshot);
  assertEquals(snapshotIn(snapshot.snapshot), snapshotOf(sidecar));
});

Deno.test("the worker takes 100 calls that were sent before it had opened", async () => {
  await using dir = await makeSessionDir();
  using worker = await talk();
  worker.send(openIn(dir));
  for (let callId = 1; callId <= 100; callId++) {
    worker.send({ type: "call", callId, input: ADD });
  }
  worker.send({ type: "close" });
  await worker.messages.find(({ type }) => type === "closed");
  const replies = worker.messages.items.filter(({ type }) => type === "reply");
  assertEquals(
    replies.map((reply) => "callId" in reply && reply.callId),
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
  assertEquals(parseSidecar(await dir.read(SIDECAR)).tasks.length, 100);
});

Deno.test("the worker mints ids of the time and four hexadecimal characters, none twice", async () => {
  await using dir = await makeSessionDir();
  using worker = await talk();
  worker.send(openIn(dir));
  for (let callId = 1; callId <= 50; callId++) {
    worker.send({ type: "call", callId, input: ADD });
  }
  worker.send({ type: "close" });
  await worker.messages.find(({ type }) => type === "closed");
  const ids = parseSidecar(await dir.read(SIDECAR)).tasks.map(({ id }) => id);
  assertEquals(new Set(ids).size, 50);
  for (const id of ids) assert(/^t_\d{13}_[0-9a-f]{4}$/.test(id), id);
});

for (
  const [what, change, code] of [
    [
      "another version of the protocol",
      { protocol: PROTOCOL_VERSION + 1 },
      "open_failed",
    ],
    [
      "a session id that leaves its directory",
      { sessionId: "../s" },
      "invalid_arguments",
    ],
    [
      "a session id that is a device",
      { sessionId: "NUL" },
      "invalid_arguments",
    ],
  ] as const
) {
  Deno.test(`the worker refuses ${what}, and touches nothing`, async () => {
    await using dir = await makeSessionDir();
    using worker = await talk();
    worker.send({ ...openIn(dir), sessionDir: dir.at("new"), ...change });
    await worker.messages.take(2);
    assertEquals(inShort(worker.messages.items), [
      "ready",
      `open_failed: ${code}`,
    ]);
    assertEquals(await dir.names(), []);
  });
}

Deno.test("the worker refuses calls before it has opened and after it has closed", async () => {
  await using dir = await makeSessionDir();
  using worker = await talk();
  worker.send({ type: "call", callId: 1, input: ADD });
  worker.send(openIn(dir));
  worker.send({ type: "close" });
  worker.send({ type: "call", callId: 2, input: ADD });
  await worker.messages.find((message) =>
    message.type === "reply" && message.callId === 2
  );
  const replies = inShort(worker.messages.items).filter((word) =>
    word.startsWith("reply")
  );
  assertEquals(replies, ["reply 1: session_closed", "reply 2: session_closed"]);
  assertEquals(await dir.names(), []);
});

Deno.test("the worker frees stale tasks when it opens, and saves that at once", async () => {
  await using dir = await makeSessionDir();
  await dir.write(
    SIDECAR,
    sidecarText(3, [
      row("t_1_aaaa", { status: "in_progress", updated_at: 1 }),
      row("t_2_bbbb", { status: "in_progress", updated_at: Date.now() }),
    ]),
  );
  using worker = await talk();
  worker.send(openIn(dir));
  worker.send({ type: "close" });
  await worker.messages.find(({ type }) => type === "closed");
  const { revision, tasks } = parseSidecar(await dir.read(SIDECAR));
  assertEquals([revision, tasks.map(({ status }) => status)], [
    4,
    ["pending", "in_progress"],
  ]);
});

Deno.test("the worker answers with plain data also what no JSON could hold", async () => {
  await using dir = await makeSessionDir();
  using worker = await talk();
  worker.send(openIn(dir));
  const odd = [
    new Map(),
    new Date(),
    1n,
    new Uint8Array(9),
    Number.NaN,
    new Error("x"),
  ];
  odd.forEach((input, i) => worker.send({ type: "call", callId: i, input }));
  worker.send({ type: "close" });
  await worker.messages.find(({ type }) => type === "closed");
  const replies = worker.messages.items.filter(({ type }) => type === "reply");
  assertEquals(replies.length, odd.length);
  for (const reply of replies) {
    assertEquals(JSON.parse(JSON.stringify(reply)), reply);
  }
});

Deno.test("importing the worker's module in a host starts nothing", async () => {
  const before = Object.keys(globalThis);
  await import("../worker.ts");
  assertEquals(Object.keys(globalThis), before);
});
