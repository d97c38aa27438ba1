import {
  assert,
  assertEquals,
  assertObjectMatch,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import {
  type Answer,
  Connection,
  type ConnectOptions,
  type Opened,
  type ReceivedSnapshot,
} from "../../src/host/connection.ts";
import { TasksError } from "../../src/model/errors.ts";
import { PROTOCOL_VERSION } from "../../src/protocol.ts";
import { MemoryStore } from "../../src/store/store.ts";
import { workerHere } from "../support/channel.ts";
import { FakeWorker, openedAt, READY } from "../support/fake_worker.ts";
import { HeldStore } from "../support/held_store.ts";

const ADD = { action: "add", content: "x" };

interface Host {
  readonly changes: ReceivedSnapshot[];
  readonly deaths: TasksError[];
  readonly opening: Promise<Opened>;
}

function host(
  options: Pick<ConnectOptions, "spawn"> & Partial<ConnectOptions>,
): Host {
  const changes: ReceivedSnapshot[] = [];
  const deaths: TasksError[] = [];
  const opening = Connection.open({
    session: {
      sessionId: "s",
      sessionDir: "/nowhere",
      staleAfterMs: 300_000,
      durability: "process",
    },
    timeoutMs: 30_000,
    listener: {
      changed: (received) => changes.push(received),
      died: (error) => deaths.push(error),
    },
    ...options,
  });
  return { changes, deaths, opening };
}

async function opened(
  worker: FakeWorker,
  options: Partial<ConnectOptions> = {},
): Promise<Host & { connection: Connection }> {
  const started = host({ spawn: () => worker, ...options });
  worker.open();
  const { connection } = await started.opening;
  return { ...started, connection };
}

/** The codes with which promises were refused, or "fulfilled". */
async function outcomesOf(
  promises: readonly Promise<unknown>[],
): Promise<string[]> {
  return (await Promise.allSettled(promises)).map((outcome) =>
    outcome.status === "fulfilled"
      ? "fulfilled"
      : outcome.reason instanceof TasksError
      ? outcome.reason.code
      : `not a TasksError: ${outcome.reason}`
  );
}

// Opening

Deno.test("Connection.open() says nothing before the worker has spoken", async () => {
  const worker = new FakeWorker();
  const { opening } = host({ spawn: () => worker });
  assertEquals(worker.received, []);
  worker.say(READY);
  assertEquals(worker.received, [{
    type: "open",
    protocol: PROTOCOL_VERSION,
    sessionId: "s",
    sessionDir: "/nowhere",
    staleAfterMs: 300_000,
    durability: "process",
  }]);
  worker.say(openedAt(3));
  const { connection, message } = await opening;
  assertEquals([connection.current.revision, message.revision], [3, 3]);
  assertEquals(worker.terminations, 0);
  const closing = connection.close();
  worker.say({ type: "closed" });
  await closing;
});

Deno.test("Connection.open() refuses a worker that speaks another version, and ends it", async () => {
  const worker = new FakeWorker();
  const { opening, deaths } = host({ spawn: () => worker });
  worker.say({ type: "ready", protocol: PROTOCOL_VERSION + 1 });
  const error = await assertRejects(() => opening, TasksError, "workerUrl");
  assertEquals(error.code, "open_failed");
  assertEquals([worker.terminations, worker.received, deaths], [1, [], []]);
});

Deno.test("Connection.open() passes on why the worker refuses to open", async () => {
  const worker = new FakeWorker();
  const { opening } = host({ spawn: () => worker });
  worker.say(READY, {
    type: "open_failed",
    error: { code: "sidecar_newer", message: "Newer.", taskIds: ["t_1"] },
  });
  const error = await assertRejects(() => opening, TasksError, "Newer.");
  assertEquals([error.code, error.taskIds], ["sidecar_newer", ["t_1"]]);
  assertEquals(worker.terminations, 1);
});

Deno.test("Connection.open() fails when the worker cannot be loaded, and the host lives", async () => {
  const worker = new FakeWorker();
  const { opening, deaths } = host({ spawn: () => worker });
  assert(worker.throwUp("Module not found"));
  const error = await assertRejects(
    () => opening,
    TasksError,
    "Module not found",
  );
  assertEquals(error.code, "open_failed");
  assertEquals([worker.terminations, deaths], [1, []]);
});

Deno.test("Connection.open() says something also when the worker failed without a word", async () => {
  const worker = new FakeWorker();
  const { opening } = host({ spawn: () => worker });
  worker.throwUp("");
  const error = await assertRejects(() => opening, TasksError);
  assertStringIncludes(error.message, "could not be loaded");
});

Deno.test("Connection.open() fails when no worker can be started at all", async () => {
  const { opening } = host({
    spawn: () => {
      throw new TypeError("No such thing as a worker here");
    },
  });
  const error = await assertRejects(() => opening, TasksError, "No such thing");
  assertEquals(error.code, "open_failed");
});

for (const words of [[], [READY]]) {
  Deno.test(`Connection.open() gives a worker up that falls silent after ${words.length} messages`, async () => {
    const worker = new FakeWorker();
    const { opening } = host({ spawn: () => worker, timeoutMs: 1 });
    worker.say(...words);
    const error = await assertRejects(() => opening, TasksError);
    assertEquals([error.code, worker.terminations], ["timeout", 1]);
  });
}

for (
  const [when, words] of [
    ["before the worker has spoken", []],
    ["while the worker opens", [READY]],
  ] as const
) {
  Deno.test(`Connection.open() can be aborted ${when}`, async () => {
    const worker = new FakeWorker();
    const controller = new AbortController();
    const { opening } = host({
      spawn: () => worker,
      signal: controller.signal,
    });
    worker.say(...words);
    controller.abort(new Error("enough"));
    await assertRejects(() => opening, Error, "enough");
    assertEquals(worker.terminations, 1);
    worker.say(READY, openedAt(0));
    worker.throwUp("late");
    assertEquals(worker.terminations, 1);
  });
}

Deno.test("Connection.open() starts no worker when it was aborted before", async () => {
  let spawned = 0;
  const { opening } = host({
    spawn: () => {
      spawned++;
      return new FakeWorker();
    },
    signal: AbortSignal.abort(new Error("enough")),
  });
  await assertRejects(() => opening, Error, "enough");
  assertEquals(spawned, 0);
});

Deno.test("Connection.open() does not care about an abort that comes too late", async () => {
  const worker = new FakeWorker();
  const controller = new AbortController();
  const { connection } = await opened(worker, { signal: controller.signal });
  controller.abort();
  assertEquals(worker.terminations, 0);
  const call = connection.call(ADD);
  worker.add(1, 1, ["t_1"]);
  await call;
});

// Calls

Deno.test("Connection.call() resolves to the answer with its number", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  const first = connection.call(ADD);
  const second = connection.call({ action: "list" });
  const [, ...calls] = worker.received;
  assertObjectMatch({ calls }, {
    calls: [
      { type: "call", callId: 1, input: ADD },
      { type: "call", callId: 2, input: { action: "list" } },
    ],
  });
  worker.add(1, 1, ["t_1"]);
  worker.say({ type: "reply", callId: 2, action: "list", positions: [0] });
  const answers: Answer[] = [await first, await second];
  assertEquals(answers.map(({ message }) => message.callId), [1, 2]);
  assertEquals(answers.map(({ received }) => received.revision), [1, 1]);
});

Deno.test("Connection tells a change before it answers the call that made it", async () => {
  const worker = new FakeWorker();
  const { connection, changes } = await opened(worker);
  const order: string[] = [];
  const call = connection.call(ADD).then(() =>
    order.push(`answer after ${changes.length} changes`)
  );
  worker.add(1, 1, ["t_1"]);
  assertEquals(connection.current.revision, 1);
  await call;
  assertEquals(order, ["answer after 1 changes"]);
});

Deno.test("Connection answers each call with the snapshot of its own moment", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  const calls = [connection.call(ADD), connection.call(ADD)];
  worker.add(1, 1, ["t_1"]);
  worker.add(2, 2, ["t_1", "t_2"]);
  const answers = await Promise.all(calls);
  assertEquals(answers.map(({ received }) => received.snapshot.tasks.length), [
    1,
    2,
  ]);
});

Deno.test("Connection freezes every snapshot to the bottom", async () => {
  const worker = new FakeWorker();
  const snapshot = ['[{"id":"t_1","blockedBy":["t_2"],"blocks":["t_3"]}]'];
  const { changes, opening } = host({ spawn: () => worker });
  worker.open(1, snapshot);
  const { connection } = await opening;
  worker.say(
    { type: "tasks_changed", revision: 2, snapshot },
  );
  for (const { snapshot } of [connection.current, ...changes]) {
    for (
      const value of [
        snapshot,
        snapshot.tasks,
        ...snapshot.tasks.flatMap((
          task,
        ) => [task, task.blockedBy, task.blocks]),
      ]
    ) {
      assert(Object.isFrozen(value));
    }
  }
});

Deno.test("Connection.call() refuses what cannot be sent, and the next call works", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  const error = await assertRejects(
    () => connection.call({ action: () => {} }),
    TasksError,
  );
  assertEquals(error.code, "invalid_arguments");
  const next = connection.call(ADD);
  worker.add(worker.received.length, 1, ["t_1"]);
  await next;
});

Deno.test("Connection ignores an answer to a call that it did not make", async () => {
  const worker = new FakeWorker();
  const { connection, deaths } = await opened(worker);
  const call = connection.call(ADD);
  worker.say({ type: "reply", callId: 99, action: "list", positions: [] });
  worker.add(1, 1, ["t_1"]);
  await call;
  assertEquals(deaths, []);
});

// Death

const DEATHS: readonly {
  readonly how: string;
  readonly act: (worker: FakeWorker) => void;
  readonly says: string;
}[] = [
  {
    how: "throws",
    act: (worker) => worker.throwUp("It hurts"),
    says: "It hurts",
  },
  {
    how: "throws without a word",
    act: (worker) => worker.throwUp(""),
    says: "died",
  },
  {
    how: "throws a page of control characters",
    act: (worker) => worker.throwUp("\u001b[2J".repeat(10_000)),
    says: "died",
  },
  {
    how: "sends what cannot be read",
    act: (worker) => worker.onmessageerror?.(new MessageEvent("messageerror")),
    says: "could not be read",
  },
  {
    how: "says that it has crashed",
    act: (worker) =>
      worker.say({
        type: "crashed",
        error: { code: "worker_crashed", message: "A bug." },
      }),
    says: "A bug.",
  },
  {
    how: "sends nothing at all",
    act: (worker) => worker.say(undefined),
    says: "died",
  },
  { how: "sends null", act: (worker) => worker.say(null), says: "died" },
  {
    how: "sends a snapshot that is not JSON",
    act: (worker) =>
      worker.say({ type: "tasks_changed", revision: 1, snapshot: ["{"] }),
    says: "died",
  },
  {
    how: "sends a snapshot without tasks",
    act: (worker) =>
      worker.say({ type: "tasks_changed", revision: 1, snapshot: ["{}"] }),
    says: "died",
  },
];

for (const { how, act, says } of DEATHS) {
  Deno.test(`Connection rejects every pending call when the worker ${how}, and ends it`, async () => {
    const worker = new FakeWorker();
    const { connection, deaths } = await opened(worker);
    const calls = [1, 2, 3].map(() => connection.call(ADD));
    act(worker);
    assertEquals(
      await outcomesOf(calls),
      Array(3).fill("worker_crashed"),
    );
    const [reason] = await Promise.allSettled(calls);
    assert(reason?.status === "rejected");
    assertStringIncludes(reason.reason.message, says);
    assertStringIncludes(reason.reason.message, '{"action":"list"}');
    assert(reason.reason.message.length < 2_000);
    assertEquals([worker.terminations, deaths.length], [1, 1]);
  });

  Deno.test(`Connection tells once that the worker ${how}, also when nothing was pending`, async () => {
    const worker = new FakeWorker();
    const { deaths } = await opened(worker);
    act(worker);
    worker.throwUp("again");
    assertEquals(deaths.map(({ code }) => code), ["worker_crashed"]);
    assertStringIncludes(deaths[0]!.message, says);
  });

  Deno.test(`Connection.open() fails when the worker ${how} instead of opening`, async () => {
    const worker = new FakeWorker();
    const { opening, deaths } = host({ spawn: () => worker });
    worker.say(READY);
    act(worker);
    const error = await assertRejects(() => opening, TasksError);
    assertEquals([error.code, worker.terminations, deaths], [
      "open_failed",
      1,
      [],
    ]);
  });
}

for (const word of ["hello", 5, [], {}, { type: "greeting" }, { type: 5 }]) {
  Deno.test(`Connection lives on when the worker sends ${JSON.stringify(word)}`, async () => {
    const worker = new FakeWorker();
    const { connection, deaths } = await opened(worker);
    const call = connection.call(ADD);
    worker.say(word);
    worker.add(1, 1, ["t_1"]);
    await call;
    assertEquals(deaths, []);
  });
}

Deno.test("Connection rejects every pending call with timeout when the worker falls silent", async () => {
  const worker = new FakeWorker();
  const { connection, deaths } = await opened(worker, { timeoutMs: 1 });
  const calls = [connection.call(ADD), connection.call(ADD)];
  assertEquals(await outcomesOf(calls), ["timeout", "timeout"]);
  const error = await assertRejects(() => calls[0]!, TasksError);
  assertStringIncludes(error.message, "not known");
  assertStringIncludes(error.message, '{"action":"list"}');
  assertEquals([deaths.map(({ code }) => code), worker.terminations], [[
    "timeout",
  ], 1]);
});

Deno.test("Connection lets a worker be silent while nothing waits for it", async () => {
  const worker = new FakeWorker();
  const { connection, deaths } = await opened(worker, { timeoutMs: 200 });
  const call = connection.call(ADD);
  worker.add(1, 1, ["t_1"]);
  await call;
  // Longer than the time limit, by another clock than the connection's.
  const other = new FakeWorker();
  await outcomesOf([host({ spawn: () => other, timeoutMs: 300 }).opening]);
  assertEquals([deaths, worker.terminations], [[], 0]);
});

Deno.test("Connection does not blame the worker when the host itself was busy", async () => {
  const timeoutMs = 200;
  const { opening, deaths } = host({
    spawn: () => workerHere(new MemoryStore()),
    timeoutMs,
  });
  const { connection } = await opening;
  const call = connection.call(ADD);
  const until = performance.now() + 3 * timeoutMs;
  while (performance.now() < until);
  await call;
  assertEquals(deaths, []);
  await connection.close();
});

Deno.test("Connection ignores what a worker says after its end", async () => {
  const worker = new FakeWorker();
  const { changes, deaths } = await opened(worker);
  worker.throwUp("dead");
  worker.add(1, 1, ["t_1"]);
  worker.say({ type: "closed" }, null);
  assertEquals([changes, deaths.length], [[], 1]);
});

Deno.test("Connection does not let a snapshot count that was sent ahead but not saved", async () => {
  const worker = new FakeWorker();
  const { connection, changes } = await opened(worker);
  const call = connection.call(ADD);
  worker.say(
    { type: "snapshot", revision: 1, snapshot: ['[{"id":"t_1"}]'] },
    {
      type: "reply",
      callId: 1,
      refusal: { error: { code: "persist_failed", message: "Full." } },
    },
  );
  const { received } = await call;
  assertEquals([received.revision, changes], [0, []]);
});

Deno.test("Connection takes a snapshot that was sent ahead once its revision is saved", async () => {
  const worker = new FakeWorker();
  const { connection, changes } = await opened(worker);
  worker.say(
    { type: "snapshot", revision: 1, snapshot: ['[{"id":"t_1"}]'] },
    { type: "tasks_changed", revision: 1 },
  );
  assertEquals(changes.map(({ revision }) => revision), [1]);
  assertEquals(connection.current.snapshot.tasks.map(({ id }) => id), ["t_1"]);
});

Deno.test("Connection ends a worker that tells a change of which it never sent the graph", async () => {
  const worker = new FakeWorker();
  const { deaths } = await opened(worker);
  worker.say(
    { type: "snapshot", revision: 1, snapshot: [] },
    { type: "tasks_changed", revision: 2 },
  );
  assertEquals(deaths.map(({ code }) => code), ["worker_crashed"]);
  assertStringIncludes(deaths[0]?.message ?? "", "out of order");
});

Deno.test("Connection reads again only the pieces of a snapshot that changed", async () => {
  const worker = new FakeWorker();
  const { opening } = host({ spawn: () => worker });
  worker.open(1, ['[{"id":"t_1"}]', '[{"id":"t_2"}]']);
  const { connection } = await opening;
  const before = connection.current.snapshot.tasks;
  worker.say(
    {
      type: "tasks_changed",
      revision: 2,
      snapshot: ['[{"id":"t_1"}]', '[{"id":"t_2","status":"deleted"}]'],
    },
  );
  const after = connection.current.snapshot.tasks;
  assertStrictEquals(after[0], before[0]);
  assertEquals(after[1]?.status, "deleted");
  assertEquals(before[1]?.status, undefined);
});

// Closing

Deno.test("Connection.close() waits until what was called before is answered", async () => {
  const store = new HeldStore();
  const worker = workerHere(store);
  const { opening } = host({ spawn: () => worker });
  (await store.loadNumber(1)).answer();
  const { connection } = await opening;
  const order: string[] = [];
  const call = connection.call(ADD).then(() => order.push("answered"));
  const closing = connection.close().then(() => order.push("closed"));
  (await store.saveNumber(1)).answer("saved");
  await Promise.all([call, closing]);
  assertEquals(order, ["answered", "closed"]);
  assert(worker.isOver);
});

Deno.test("Connection.close() ends a worker that does not answer, and rejects what is pending", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker, { timeoutMs: 1 });
  const call = connection.call(ADD);
  const closing = connection.close();
  assertEquals(await outcomesOf([call, closing]), ["timeout", "fulfilled"]);
  assertEquals(worker.terminations, 1);
});

Deno.test("Connection.close() rejects calls that the worker closed without answering", async () => {
  const worker = new FakeWorker();
  const { connection, deaths } = await opened(worker);
  const call = connection.call(ADD);
  const closing = connection.close();
  worker.say({ type: "closed" });
  assertEquals(await outcomesOf([call, closing]), [
    "session_closed",
    "fulfilled",
  ]);
  assertEquals(deaths, []);
});

Deno.test("Connection takes a worker that closes by itself for dead", async () => {
  const worker = new FakeWorker();
  const { connection, deaths } = await opened(worker);
  const call = connection.call(ADD);
  worker.say({ type: "closed" });
  assertEquals(await outcomesOf([call]), ["worker_crashed"]);
  assertEquals(deaths.map(({ code }) => code), ["worker_crashed"]);
  assertStringIncludes(deaths[0]!.message, "closed by itself");
});

Deno.test("Connection.close() settles when the worker dies meanwhile", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  const call = connection.call(ADD);
  const closing = connection.close();
  worker.throwUp("dead");
  assertEquals(await outcomesOf([call, closing]), [
    "worker_crashed",
    "fulfilled",
  ]);
});

Deno.test("Connection.close() does nothing when the worker is dead already", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  worker.throwUp("dead");
  await connection.close();
  assertEquals(worker.terminations, 1);
});

Deno.test("Connection.close() can be called twice", async () => {
  const worker = new FakeWorker();
  const { connection } = await opened(worker);
  const both = [connection.close(), connection.close()];
  worker.say({ type: "closed" });
  assertEquals(await outcomesOf(both), ["fulfilled", "fulfilled"]);
});
