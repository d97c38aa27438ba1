import {
  assert,
  assertEquals,
  assertMatch,
  assertNotStrictEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import * as fc from "fast-check";
import { openSession, TasksError, type TaskSession } from "../../mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import {
  contentsOf,
  listenTo,
  openHere,
  workerUrl,
} from "../support/sessions.ts";
import {
  parseSidecar,
  row,
  sidecarText,
  snapshotOf,
} from "../support/sidecar.ts";

const SIDECAR = "s.tasks.json";
const TRAPPED = workerUrl("trapped.ts");

async function refusal(promise: Promise<unknown>): Promise<TasksError> {
  return await assertRejects(() => promise, TasksError);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await refusal(promise)).code;
}

async function add(session: TaskSession, content: string): Promise<string> {
  return (await session.tasks({ action: "add", content })).task.id;
}

// The worked example, and what surrounds it

Deno.test("a session plays the worked example", async () => {
  await using opened = await openHere();
  const { session, dir, changes } = opened;
  const setupDb = await session.tasks({
    action: "add",
    content: "Provision the dev DB",
  });
  const seed = await session.tasks({
    action: "add",
    content: "Seed fixtures",
    blockedBy: [setupDb.task.id],
  });
  const smoke = await session.tasks({
    action: "add",
    content: "Smoke test",
    blockedBy: [seed.task.id],
  });
  const blocked = async () =>
    (await session.tasks({ action: "blocked" })).tasks.map(({ content }) =>
      content
    );
  assertEquals(await blocked(), ["Seed fixtures", "Smoke test"]);

  await session.tasks({ action: "complete", id: setupDb.task.id });
  assertEquals(await blocked(), ["Smoke test"]);
  await session.tasks({
    action: "update",
    id: seed.task.id,
    status: "in_progress",
  });
  await session.tasks({ action: "complete", id: seed.task.id });
  assertEquals(await blocked(), []);
  await session.tasks({ action: "remove", id: smoke.task.id });
  const list = await session.tasks({ action: "list" });
  assertEquals(list.tasks.map(({ status }) => status), [
    "completed",
    "completed",
    "deleted",
  ]);
  assertEquals(list.snapshot, session.snapshot);
  assertEquals(changes.items.map(({ revision }) => revision), [
    1,
    2,
    3,
    4,
    5,
    6,
    7,
  ]);
  assertEquals(
    snapshotOf(parseSidecar(await dir.read(SIDECAR))),
    list.snapshot,
  );
});

Deno.test("a session that was closed opens again with the same ids, order and statuses", async () => {
  await using dir = await makeSessionDir();
  const options = { sessionId: "s", sessionDir: dir.path };
  let before;
  {
    await using session = await openSession(options);
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await add(session, `${i}`));
    await session.tasks({ action: "remove", id: ids[1]! });
    await session.tasks({ action: "complete", id: ids[3]! });
    before = session.snapshot;
  }
  await using session = await openSession(options);
  assertEquals(session.snapshot, before);
  assertEquals(session.warnings, []);
});

Deno.test("a session tells its id and where its sidecar is", async () => {
  await using opened = await openHere();
  assertEquals(opened.session.sessionId, "s");
  assertEquals(opened.session.sidecarPath, opened.dir.at(SIDECAR));
});

Deno.test("a session makes no file before something was changed", async () => {
  await using opened = await openHere();
  await opened.session.tasks({ action: "list" });
  await opened.session.handleToolCall({ action: "fly" });
  assertEquals(await opened.dir.names(), []);
});

Deno.test("a session makes its directory and those above it", async () => {
  await using dir = await makeSessionDir();
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.at("a/b"),
  });
  await add(session, "x");
  assertEquals(parseSidecar(await dir.read(`a/b/${SIDECAR}`)).revision, 1);
});

Deno.test("a session tells what loading found and did", async () => {
  await using dir = await makeSessionDir();
  await dir.write(SIDECAR, "garbage");
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
  });
  assertEquals(session.warnings.map(({ code }) => code), ["moved_aside"]);
  const [aside] = await dir.names();
  assertMatch(aside!, /^s\.tasks\.json\.corrupt-\d+$/);
  assertStringIncludes(session.warnings[0]!.message, aside!);
  assertEquals(await dir.read(aside!), "garbage");
});

Deno.test("two sessions that open one damaged sidecar at once both open, and it is set aside once", async () => {
  await using dir = await makeSessionDir();
  await dir.write(SIDECAR, "garbage");
  const options = { sessionId: "s", sessionDir: dir.path };
  const sessions = await Promise.all([
    openSession(options),
    openSession(options),
  ]);
  await Promise.all(sessions.map((session, i) => add(session, `${i}`)));
  await Promise.all(sessions.map((session) => session.close()));
  const names = await dir.names();
  assertEquals(names.length, 2);
  assertEquals(parseSidecar(await dir.read(SIDECAR)).tasks.length, 2);
});

Deno.test("two sessions with one id in one process lose nothing of each other", async () => {
  await using dir = await makeSessionDir();
  const options = { sessionId: "s", sessionDir: dir.path };
  await using a = await openSession(options);
  await using b = await openSession(options);
  const { changes } = listenTo(b);
  await add(a, "from a");
  await add(b, "from b");
  // The merged graph was told before the call's own change.
  assertEquals(
    changes.items.map(({ snapshot }) =>
      snapshot.tasks.map(({ content }) => content)
    ),
    [["from a"], ["from a", "from b"]],
  );
  await add(a, "from a again");
  assertEquals(contentsOf(a), ["from a", "from b", "from a again"]);
  assertEquals(snapshotOf(parseSidecar(await dir.read(SIDECAR))), a.snapshot);
});

Deno.test("openSession() refuses a sidecar of a newer version and leaves it as it is", async () => {
  await using dir = await makeSessionDir();
  const text = '{"version":999,"future":true}';
  await dir.write(SIDECAR, text);
  assertEquals(
    await codeOf(openSession({ sessionId: "s", sessionDir: dir.path })),
    "sidecar_newer",
  );
  assertEquals([await dir.names(), await dir.read(SIDECAR)], [[SIDECAR], text]);
});

Deno.test("openSession() refuses what it cannot read, and says what to do", async () => {
  await using dir = await makeSessionDir();
  await Deno.mkdir(dir.at(SIDECAR));
  const error = await refusal(
    openSession({ sessionId: "s", sessionDir: dir.path }),
  );
  assertEquals(error.code, "open_failed");
  assertStringIncludes(error.message, "a directory is in the way");
  assertStringIncludes(error.message, SIDECAR);
});

Deno.test("a session refuses a change that it cannot save, and goes on once it can", async () => {
  await using opened = await openHere();
  const { session, dir, changes } = opened;
  await add(session, "kept");
  const before = session.snapshot;
  await Deno.mkdir(dir.at(`${SIDECAR}.tmp`));
  const error = await refusal(add(session, "lost"));
  assertEquals(error.code, "persist_failed");
  assertStringIncludes(error.message, `${SIDECAR}.tmp`);
  assertEquals(session.snapshot, before);
  assertEquals(changes.items.length, 1);
  assertEquals((await session.tasks({ action: "list" })).snapshot, before);
  await Deno.remove(dir.at(`${SIDECAR}.tmp`));
  await add(session, "new");
  assertEquals(contentsOf(session), ["kept", "new"]);
  assertEquals(await dir.names(), [SIDECAR]);
});

// Order

Deno.test("a session answers 100 calls that nobody waits for, in their order", async () => {
  await using opened = await openHere();
  const { session, changes } = opened;
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      await (i % 3 === 0
        ? session.tasks({ action: "list" })
        : add(session, `${i}`));
      order.push(i);
    }),
  );
  assertEquals(order, [...Array(100).keys()]);
  assertEquals(
    changes.items.map(({ revision }) => revision),
    changes.items.map((_, i) => i + 1),
  );
  assertEquals(contentsOf(session), order.filter((i) => i % 3 > 0).map(String));
});

Deno.test("a session ends with the last of 100 updates that nobody waits for", async () => {
  await using opened = await openHere();
  const { session, dir } = opened;
  const id = await add(session, "v");
  await Promise.all(
    Array.from(
      { length: 100 },
      (_, i) => session.tasks({ action: "update", id, content: `v${i}` }),
    ),
  );
  assertEquals(parseSidecar(await dir.read(SIDECAR)).tasks[0]?.content, "v99");
});

Deno.test("a session tells a change before the call that made it is answered", async () => {
  await using opened = await openHere();
  const { session, changes } = opened;
  for (let i = 1; i <= 10; i++) {
    const result = await session.tasks({ action: "add", content: `${i}` });
    assertEquals(changes.items.length, i);
    assertEquals(changes.items.at(-1)?.snapshot, result.snapshot);
    assertEquals(session.snapshot, result.snapshot);
  }
});

Deno.test("a session has the new snapshot already when it tells of it", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const same: boolean[] = [];
  session.addEventListener("tasks_changed", (event) => {
    same.push(event.detail.snapshot === session.snapshot);
  });
  await add(session, "x");
  assertEquals(same, [true]);
});

Deno.test("a session tells nothing for reads, refusals and calls that change nothing", async () => {
  await using opened = await openHere();
  const { session, changes } = opened;
  const id = await add(session, "x");
  await session.tasks({ action: "list" });
  await session.tasks({ action: "blocked" });
  await session.tasks({ action: "update", id, content: "x" });
  assertEquals(
    await codeOf(session.tasks({ action: "update", id, blockedBy: [id] })),
    "cycle",
  );
  assertEquals(
    await codeOf(session.tasks({ action: "complete", id: "nobody" })),
    "unknown_task",
  );
  assertEquals(changes.items.length, 1);
});

// Listeners

Deno.test("a listener that throws harms nobody else, and is reported", async () => {
  await using opened = await openHere();
  const { session, changes, errors } = opened;
  const thrown = new Error("a listener's fault");
  session.addEventListener("tasks_changed", () => {
    throw thrown;
  });
  const { changes: later } = listenTo(session);
  await add(session, "x");
  assertEquals([changes.items.length, later.items.length], [1, 1]);
  assertEquals(errors.items, [thrown]);
});

Deno.test("a listener whose promise is rejected harms nobody else, and is reported", async () => {
  await using opened = await openHere();
  const { session, errors } = opened;
  session.addEventListener("tasks_changed", async () => {
    await Promise.resolve();
    throw "later";
  });
  await add(session, "x");
  assertEquals(await errors.take(1), ["later"]);
  await add(session, "y");
});

for (const thrown of [undefined, Symbol("odd"), Object.create(null)]) {
  Deno.test(`a listener may throw even ${typeof thrown === "object" ? "an object without a prototype" : String(thrown)}`, async () => {
    await using opened = await openHere();
    const { session, errors } = opened;
    session.addEventListener("tasks_changed", () => {
      throw thrown;
    });
    await add(session, "x");
    assertEquals(errors.items.length, 1);
  });
}

Deno.test("a listener for errors that throws itself harms nobody", async () => {
  await using opened = await openHere();
  const { session } = opened;
  session.addEventListener("error", () => {
    throw new Error("again");
  });
  session.addEventListener("tasks_changed", () => {
    throw new Error("first");
  });
  await add(session, "x");
  await add(session, "y");
});

Deno.test("a listener cannot edit what it was given", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const first = await add(session, "x");
  await session.tasks({ action: "add", content: "y", blockedBy: [first] });
  const { snapshot } = session;
  const [task] = snapshot.tasks;
  assertThrows(() => Object.assign(snapshot, { tasks: [] }), TypeError);
  assertThrows(() => Object.assign(snapshot.tasks, { length: 0 }), TypeError);
  assertThrows(() => Object.assign(task!, { content: "z" }), TypeError);
  assertThrows(() => Object.assign(task!.blocks!, { 0: "z" }), TypeError);
  assertThrows(
    () => Object.assign(snapshot.tasks[1]!.blockedBy!, { 0: "z" }),
    TypeError,
  );
  const { changes } = listenTo(session);
  await add(session, "z");
  assertThrows(
    () => Object.assign(changes.items[0]!, { revision: 0 }),
    TypeError,
  );
});

Deno.test("a listener may call the session again", async () => {
  await using opened = await openHere();
  const { session, changes } = opened;
  const inner: Promise<string>[] = [];
  session.addEventListener("tasks_changed", () => {
    if (inner.length < 3) inner.push(add(session, `inner ${inner.length}`));
  });
  await add(session, "outer");
  await changes.take(4);
  await Promise.all(inner);
  assertEquals(contentsOf(session), ["outer", "inner 0", "inner 1", "inner 2"]);
  assertEquals(changes.items.map(({ revision }) => revision), [1, 2, 3, 4]);
});

Deno.test("a listener may remove itself, and the others are still told", async () => {
  await using opened = await openHere();
  const { session } = opened;
  let calls = 0;
  const listener = () => {
    calls++;
    session.removeEventListener("tasks_changed", listener);
  };
  session.addEventListener("tasks_changed", listener);
  const { changes } = listenTo(session);
  await add(session, "x");
  await add(session, "y");
  assertEquals([calls, changes.items.length], [1, 2]);
});

Deno.test("a listener may be an object, be added twice, be heard once, and be ended by a signal", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const heard: string[] = [];
  const object = { handleEvent: () => heard.push("object") };
  session.addEventListener("tasks_changed", object);
  session.addEventListener("tasks_changed", object);
  session.addEventListener("tasks_changed", () => heard.push("once"), {
    once: true,
  });
  const controller = new AbortController();
  session.addEventListener("tasks_changed", () => heard.push("signal"), {
    signal: controller.signal,
  });
  await add(session, "x");
  assertEquals(heard.splice(0), ["object", "once", "signal"]);
  controller.abort();
  session.removeEventListener("tasks_changed", object);
  await add(session, "y");
  assertEquals(heard, []);
});

Deno.test("a listener may close the session", async () => {
  await using opened = await openHere();
  const { session } = opened;
  session.addEventListener("tasks_changed", () => session.close());
  const [first, second] = await Promise.allSettled([
    add(session, "x"),
    add(session, "y"),
  ]);
  assertEquals([first?.status, second?.status], ["fulfilled", "fulfilled"]);
  assertEquals(await codeOf(add(session, "z")), "session_closed");
});

// What models send

Deno.test("handleToolCall() gives the model JSON text of the result that the host gets as data", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const added = await session.handleToolCall({ action: "add", content: "x" });
  const id = session.snapshot.tasks[0]!.id;
  for (
    const answer of [
      added,
      await session.handleToolCall({ action: "list" }),
      await session.handleToolCall({ action: "blocked" }),
      await session.handleToolCall({ action: "complete", id: "nobody" }),
      await session.handleToolCall({ action: "complete", id }),
      await session.handleToolCall("nonsense"),
    ]
  ) {
    assertEquals(JSON.parse(answer.content), answer.result);
    assertEquals(answer.isError, "error" in answer.result);
  }
});

Deno.test("handleToolCall() gives the model what its view asks for, and the host the same data", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const build = await add(session, "Build");
  await session.tasks({
    action: "add",
    content: "Ship",
    blockedBy: [build],
  });
  const ship = session.snapshot.tasks[1]!.id;
  const call = { action: "update", id: build, status: "pending" };
  const lines = await session.handleToolCall(call, { view: "lines" });
  assertEquals(
    lines.content,
    `update: ${build}\npending ${build}: Build\npending ${ship} (waits for ${build}): Ship`,
  );
  const done = { action: "complete", id: build };
  const row = await session.handleToolCall(done, { view: "row" });
  assertEquals(
    row.content,
    `complete: completed ${build}: Build\nnow ready: pending ${ship}: Ship`,
  );
  assertEquals(row.result, {
    action: "complete",
    task: session.snapshot.tasks[0]!,
    snapshot: session.snapshot,
  });
});

Deno.test("handleToolCall() refuses in the words of its view, and a view that there is not", async () => {
  await using opened = await openHere();
  const { session } = opened;
  const row = await session.handleToolCall("fly", { view: "row" });
  assertEquals(row.isError, true);
  assertMatch(row.content, /^call refused \(invalid_arguments\): /);
  const options = { view: "xml" as "row" };
  const odd = await session.handleToolCall({ action: "list" }, options);
  assertEquals(odd.isError, true);
  assertStringIncludes(odd.content, "json, lines, row");
});

const HOSTILE: readonly {
  readonly what: string;
  readonly make: () => unknown;
}[] = [
  { what: "a function", make: () => () => {} },
  { what: "a symbol", make: () => Symbol("x") },
  { what: "a big integer", make: () => 1n },
  { what: "NaN", make: () => Number.NaN },
  { what: "a promise", make: () => Promise.resolve({ action: "list" }) },
  {
    what: "a call with a function in it",
    make: () => ({ action: "add", content: "x", cb: () => {} }),
  },
  {
    what: "a call with a symbol in it",
    make: () => ({ action: "add", content: Symbol("x") }),
  },
  {
    what: "a call with a big integer in it",
    make: () => ({ action: "add", content: 1n }),
  },
  {
    what: "a cycle",
    make: () => {
      const call: Record<string, unknown> = { action: "add", content: "x" };
      call.self = call;
      return call;
    },
  },
  { what: "a proxy", make: () => new Proxy({ action: "list" }, {}) },
  {
    what: "a proxy that throws at everything",
    make: () =>
      new Proxy({}, {
        get: () => {
          throw new Error("no");
        },
        ownKeys: () => {
          throw new Error("no");
        },
      }),
  },
  {
    what: "a revoked proxy",
    make: () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  },
  ...[
    undefined,
    5,
    Symbol("x"),
    Object.create(null),
    Object.assign(new Error(), { message: 5 }),
  ].map((thrown) => ({
    what: `a getter that throws a ${typeof thrown}`,
    make: () => ({
      get action(): string {
        throw thrown;
      },
    }),
  })),
  {
    what: "an object without a prototype",
    make: () => Object.assign(Object.create(null), { action: "fly" }),
  },
  {
    what: "a key __proto__",
    make: () =>
      JSON.parse('{"action":"add","content":"x","__proto__":{"id":"y"}}'),
  },
  {
    what: "a port",
    make: () => ({ action: "add", content: new MessageChannel().port1 }),
  },
  {
    what: "5 MB of content",
    make: () => ({ action: "add", content: "x".repeat(5_000_000) }),
  },
  { what: "5 MB of nonsense", make: () => "{".repeat(5_000_000) },
  {
    what: "100 000 keys",
    make: () =>
      Object.fromEntries(
        Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]),
      ),
  },
  {
    what: "100 000 blockers",
    make: () => ({
      action: "add",
      content: "x",
      blockedBy: Array(100_000).fill("nobody"),
    }),
  },
  ...[60, 1_000, 3_000, 100_000].map((depth) => ({
    what: `${depth} nested objects`,
    make: () => {
      let value: unknown = {};
      for (let i = 0; i < depth; i++) value = { value };
      return { action: "add", content: "x", value };
    },
  })),
  ...[1_000, 3_000, 100_000].map((depth) => ({
    what: `${depth} nested maps`,
    make: () => {
      let value: unknown = {};
      for (let i = 0; i < depth; i++) value = new Map([[1, value]]);
      return { action: "add", content: "x", value };
    },
  })),
  {
    what: "3 000 nested arrays in text",
    make: () =>
      `{"action":"add","content":"x","blockedBy":${"[".repeat(3_000)}${
        "]".repeat(3_000)
      }}`,
  },
];

Deno.test("handleToolCall() refuses hostile values and carries the next call out", async (t) => {
  await using opened = await openHere();
  const { session, dir, errors } = opened;
  await add(session, "x");
  const before = await dir.read(SIDECAR);
  for (const { what, make } of HOSTILE) {
    await t.step(what, async () => {
      const answer = await session.handleToolCall(make());
      assert(answer.isError);
      assert("error" in answer.result);
      assertEquals(
        answer.result.error.code.replace(
          "unknown_blocker",
          "invalid_arguments",
        ),
        "invalid_arguments",
      );
      assert(
        answer.content.length < 2_500,
        `${answer.content.length} characters`,
      );
      const next = await session.handleToolCall({ action: "list" });
      assertEquals(next.isError, false);
    });
  }
  assertEquals(await dir.read(SIDECAR), before);
  assertEquals(errors.items, []);
});

Deno.test("handleToolCall() never rejects, whatever it is given, and the session goes on", async () => {
  await using opened = await openHere();
  const { session, errors } = opened;
  const odd = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withNullPrototype: true,
      withObjectString: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
    }),
    fc.constantFrom(() => {}, Symbol("x"), Symbol.iterator),
  );
  const call = fc.record({
    action: fc.oneof(
      fc.constantFrom("add", "update", "complete", "remove", "list", "blocked"),
      odd,
    ),
    content: odd,
    id: odd,
    blockedBy: odd,
    status: odd,
    status_filter: odd,
  }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fc.oneof(odd, call), async (input) => {
      const answer = await session.handleToolCall(input);
      assertEquals(
        JSON.parse(answer.content),
        JSON.parse(JSON.stringify(answer.result)),
      );
      assert(answer.content.isWellFormed());
    }),
    { numRuns: 300 },
  );
  assertEquals(
    (await session.handleToolCall({ action: "list" })).isError,
    false,
  );
  assertEquals(errors.items, []);
});

Deno.test("a session takes the call as it was when it was made", async () => {
  await using opened = await openHere();
  const call = { action: "add" as const, content: "then" };
  const answer = opened.session.tasks(call);
  call.content = "now";
  assertEquals((await answer).task.content, "then");
});

Deno.test("handleToolCall() knows a call id again after a restart, whatever characters it has", async () => {
  await using dir = await makeSessionDir();
  const options = { sessionId: "s", sessionDir: dir.path };
  const callIds = [" call ", "\n", '"', "__proto__", "\u{1F600}"];
  for (let start = 0; start < 2; start++) {
    await using session = await openSession(options);
    for (const callId of callIds) {
      const call = { action: "add", content: `for ${callId}` };
      const answer = await session.handleToolCall(call, { callId });
      assertEquals(answer.isError, false, callId);
    }
    assertEquals(session.snapshot.tasks.length, callIds.length);
  }
});

Deno.test("handleToolCall() with a call id carries a change out once, also after a restart", async () => {
  await using dir = await makeSessionDir();
  const options = { sessionId: "s", sessionDir: dir.path };
  const call = { action: "add", content: "x" };
  let first;
  {
    await using session = await openSession(options);
    const { changes } = listenTo(session);
    first = await session.handleToolCall(call, { callId: "call_1" });
    const again = await session.handleToolCall(call, { callId: "call_1" });
    assertEquals(again, first);
    assertEquals(changes.items.length, 1);
    const other = await session.handleToolCall(call, { callId: "call_2" });
    assertEquals(other.isError, false);
    assertEquals(session.snapshot.tasks.length, 2);
  }
  await using session = await openSession(options);
  const replayed = await session.handleToolCall(call, { callId: "call_1" });
  assert("task" in replayed.result && "task" in first.result);
  assertEquals(replayed.result.task, first.result.task);
  assertEquals(replayed.result.snapshot, session.snapshot);
  assertEquals(session.snapshot.tasks.length, 2);
});

Deno.test("a session with a short time limit gets past the temp file of a killed host", async () => {
  await using opened = await openHere({ requestTimeoutMs: 2_000 });
  const { session, dir, errors } = opened;
  await dir.write(`${SIDECAR}.tmp`, "left by a killed host");
  await add(session, "x");
  assertEquals(errors.items, []);
  assertEquals(await dir.names(), [SIDECAR]);
});

// Closing

Deno.test("close() answers what was called before, and refuses what comes after", async () => {
  await using opened = await openHere();
  const { session, dir } = opened;
  const calls = Array.from({ length: 20 }, (_, i) => add(session, `${i}`));
  const closing = session.close();
  const late = session.tasks({ action: "list" });
  assertEquals(await codeOf(late), "session_closed");
  const ids = await Promise.all(calls);
  await closing;
  assertEquals(
    parseSidecar(await dir.read(SIDECAR)).tasks.map(({ id }) => id),
    ids,
  );
  assertEquals(await dir.names(), [SIDECAR]);
  const { isError, result } = await session.handleToolCall({ action: "list" });
  assert(isError && "error" in result);
  assertEquals([result.action, result.error.code], ["list", "session_closed"]);
});

Deno.test("close() can be called twice, at once and later", async () => {
  await using opened = await openHere();
  const { session } = opened;
  await Promise.all([
    session.close(),
    session.close(),
    session[Symbol.asyncDispose](),
  ]);
  await session.close();
});

Deno.test("a closed session keeps its last snapshot", async () => {
  await using opened = await openHere();
  await add(opened.session, "x");
  await opened.session.close();
  assertEquals(contentsOf(opened.session), ["x"]);
});

// Aborting

Deno.test("openSession() can be aborted before it starts, and touches nothing", async () => {
  await using dir = await makeSessionDir();
  const reason = new Error("enough");
  const error = await assertRejects(() =>
    openSession({
      sessionId: "s",
      sessionDir: dir.at("new"),
      signal: AbortSignal.abort(reason),
    })
  );
  assertEquals(error, reason);
  assertEquals(await dir.names(), []);
});

Deno.test("openSession() can be aborted while it opens", async () => {
  await using dir = await makeSessionDir();
  const controller = new AbortController();
  const opening = openSession({
    sessionId: "s",
    sessionDir: dir.path,
    signal: controller.signal,
    workerUrl: workerUrl("never_opens.js"),
  });
  controller.abort();
  await assertRejects(() => opening, DOMException, "aborted");
});

Deno.test("a session does not care about an abort that comes after it has opened", async () => {
  const controller = new AbortController();
  await using opened = await openHere({ signal: controller.signal });
  controller.abort();
  await add(opened.session, "x");
});

// Workers that cannot be opened

for (
  const [worker, code, says] of [
    ["missing", "open_failed", "missing.js"],
    ["throws_at_load", "open_failed", "thrown at load"],
    ["rejects_at_load", "open_failed", "rejected at load"],
    ["misses_an_import", "open_failed", "nowhere.js"],
    ["speaks_another_version", "open_failed", "version 999"],
    ["talks_nonsense", "open_failed", ""],
    ["never_ready", "timeout", ""],
    ["never_opens", "timeout", ""],
    ["closes_at_load", "timeout", ""],
  ] as const
) {
  Deno.test(`openSession() fails with ${code} when the worker ${worker.replaceAll("_", " ")}, and the host lives`, async () => {
    await using dir = await makeSessionDir();
    const error = await refusal(openSession({
      sessionId: "s",
      sessionDir: dir.path,
      workerUrl: workerUrl(`${worker}.js`),
      requestTimeoutMs: code === "timeout" ? 300 : 30_000,
    }));
    assertEquals(error.code, code);
    assertStringIncludes(error.message, says);
    assertEquals(await dir.names(), []);
  });
}

for (
  const url of [
    "data:text/javascript,throw new Error('no')",
    "blob:null/nothing",
    "ftp://localhost/worker.ts",
    "javascript:0",
  ]
) {
  Deno.test(`openSession() fails when the worker's URL is ${url.split(/[:,]/)[0]}:`, async () => {
    await using dir = await makeSessionDir();
    const error = await refusal(
      openSession({ sessionId: "s", sessionDir: dir.path, workerUrl: url }),
    );
    assertEquals(error.code, "open_failed");
  });
}

// Workers that are lost later

for (
  const [trap, code, says] of [
    ["throws", "worker_crashed", "thrown later"],
    ["rejects", "worker_crashed", "rejected later"],
    ["tells a change without a graph", "worker_crashed", "out of order"],
    ["posts null", "worker_crashed", ""],
    ["closes itself", "timeout", ""],
    ["stops listening", "timeout", ""],
  ] as const
) {
  Deno.test(`a session whose worker ${trap} refuses what is pending, says so, and goes on with a new one`, async () => {
    // The first start of a module may take long, because its types are checked.
    await (await openHere({ workerUrl: TRAPPED }))[Symbol.asyncDispose]();
    await using opened = await openHere({
      workerUrl: TRAPPED,
      requestTimeoutMs: code === "timeout" ? 2_000 : 30_000,
    });
    const { session, dir, errors } = opened;
    const first = await add(session, "before");
    const pending = [
      add(session, trap),
      session.tasks({ action: "complete", id: first }),
      session.tasks({ action: "list" }),
    ].map(refusal);
    for (const error of await Promise.all(pending)) {
      assertEquals(error.code, code);
      assertStringIncludes(error.message, says);
      assertStringIncludes(error.message, '{"action":"list"}');
    }
    assertEquals(errors.items.length, 1);
    assert(errors.items[0] instanceof TasksError);
    assertEquals(errors.items[0].code, code);

    const list = await session.tasks({ action: "list" });
    assertEquals(list.tasks.map(({ content }) => content), ["before"]);
    await add(session, "after");
    assertEquals(contentsOf(session), ["before", "after"]);
    assertEquals(
      snapshotOf(parseSidecar(await dir.read(SIDECAR))),
      session.snapshot,
    );
  });
}

Deno.test("a session finds what its worker had saved but not answered", async () => {
  await using opened = await openHere({
    workerUrl: TRAPPED,
  });
  const { session, changes } = opened;
  await add(session, "before");
  assertEquals(
    await codeOf(add(session, "dies before it answers")),
    "worker_crashed",
  );
  const list = await session.tasks({ action: "list" });
  assertEquals(list.tasks.map(({ content }) => content), [
    "before",
    "dies before it answers",
  ]);
  assertEquals(changes.items.map(({ revision }) => revision), [1, 2]);
  await add(session, "after");
  assertEquals(contentsOf(session), [
    "before",
    "dies before it answers",
    "after",
  ]);
});

Deno.test("a session keeps the order of calls that were made while it had no worker", async () => {
  await using opened = await openHere({ workerUrl: TRAPPED });
  const { session, changes } = opened;
  const made: Promise<unknown>[] = [];
  const make = (content: string) =>
    made.push(add(session, content).catch(String));
  session.addEventListener("error", () => {
    for (const content of ["a", "b", "c"]) make(content);
  }, { once: true });
  // The new worker's first word is the change that the old one did not tell.
  session.addEventListener("tasks_changed", () => make("d"), { once: true });
  await codeOf(add(session, "dies before it answers"));
  await changes.take(1);
  await Promise.all(made);
  assertEquals(contentsOf(session), [
    "dies before it answers",
    "a",
    "b",
    "c",
    "d",
  ]);
});

Deno.test("a session that loses too many workers stays closed, and says why", async () => {
  await using opened = await openHere({ workerUrl: TRAPPED });
  const { session, dir, errors } = opened;
  await add(session, "kept");
  for (let losses = 1; losses <= 4; losses++) {
    assertEquals(await codeOf(add(session, "throws")), "worker_crashed");
  }
  const error = await refusal(session.tasks({ action: "list" }));
  assertEquals(error.code, "worker_crashed");
  assertStringIncludes(error.message, "4 workers");
  assertStringIncludes(error.message, "thrown later");
  assertEquals(errors.items.length, 4);
  const answer = await session.handleToolCall({ action: "list" });
  assert(answer.isError);
  await session.close();
  assertEquals(contentsOf(session), ["kept"]);
  assertEquals(parseSidecar(await dir.read(SIDECAR)).tasks.length, 1);
});

Deno.test("a session that cannot start another worker refuses every call, and closes", async () => {
  await using opened = await openHere({
    workerUrl: TRAPPED,
  });
  const { session, errors } = opened;
  await add(session, "kept");
  assertEquals(await codeOf(add(session, "starts no more")), "worker_crashed");
  const error = await refusal(session.tasks({ action: "list" }));
  assertEquals(error.code, "worker_crashed");
  assertStringIncludes(error.message, "cannot start another");
  // Who only listens learns of the loss, and that the session is over.
  assertEquals(errors.items.length, 2);
  assertStringIncludes(String(errors.items[1]), "cannot start another");
  await session.close();
});

Deno.test("close() settles while a lost worker is being replaced", async () => {
  await using opened = await openHere({ workerUrl: TRAPPED });
  const { session, errors } = opened;
  const lost = codeOf(add(session, "throws"));
  await errors.take(1);
  const waiting = session.tasks({ action: "list" });
  const closing = session.close();
  assertEquals(await lost, "worker_crashed");
  // It was called before the session was closed.
  assertEquals((await waiting).tasks, []);
  await closing;
});

Deno.test("close() ends a worker that does not answer", async () => {
  await using opened = await openHere({
    workerUrl: TRAPPED,
    requestTimeoutMs: 2_000,
  });
  const { session } = opened;
  const call = codeOf(add(session, "stops listening"));
  await session.close();
  assertEquals(await call, "timeout");
});

Deno.test("a session goes on with the graph that another host left while it had no worker", async () => {
  await using opened = await openHere({ workerUrl: TRAPPED });
  const { session, dir, changes, errors } = opened;
  await add(session, "before");
  const { snapshot } = session;
  const lost = codeOf(add(session, "throws"));
  await errors.take(1);
  await dir.write(
    SIDECAR,
    sidecarText(7, [row("t_1_aaaa", { content: "theirs" })]),
  );
  assertEquals(await lost, "worker_crashed");
  const list = await session.tasks({ action: "list" });
  assertEquals(list.tasks.map(({ content }) => content), ["theirs"]);
  assertEquals(changes.items.at(-1)?.revision, 7);
  assertNotStrictEquals(session.snapshot, snapshot);
});
