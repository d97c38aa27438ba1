import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { FileStore } from "../../src/store/file_store.ts";
import { type OpenMessage, PROTOCOL_VERSION } from "../../src/protocol.ts";
import { serve } from "../../src/worker/server.ts";
import { MemoryStore, type Store } from "../../src/store/store.ts";
import { OPEN, serveHere } from "../support/channel.ts";
import { diskError } from "../support/disk.ts";
import { inShort } from "../support/session_actor.ts";
import { makeSessionDir } from "../support/session_dir.ts";

const ADD = { action: "add", content: "x" };

Deno.test("serve() speaks first, and names its version of the protocol", () => {
  const posted: unknown[] = [];
  serve({ postMessage: (message) => posted.push(message), onmessage: null }, {
    createStore: () => new MemoryStore(),
    now: () => 0,
    randomSuffix: () => "0000",
  });
  assertEquals(posted, [{ type: "ready", protocol: PROTOCOL_VERSION }]);
});

Deno.test("serve() listens before it speaks", () => {
  let wasListening = false;
  const port = {
    postMessage: () => wasListening = port.onmessage !== null,
    onmessage: null as ((event: MessageEvent) => void) | null,
  };
  serve(port, {
    createStore: () => new MemoryStore(),
    now: () => 0,
    randomSuffix: () => "0000",
  });
  assert(wasListening);
});

Deno.test("serve() opens a session, answers its calls in order and closes it", async () => {
  using served = serveHere(() => new MemoryStore());
  served.send(OPEN);
  served.send({ type: "call", callId: 7, input: ADD });
  served.send({ type: "call", callId: 8, input: { action: "list" } });
  served.send({ type: "call", callId: 9, input: "nonsense" });
  served.send({ type: "close" });
  await served.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(served.messages.items), [
    "ready",
    "opened 0",
    "tasks_changed 1",
    "reply 7",
    "reply 8",
    "reply 9: invalid_arguments",
    "closed",
  ]);
});

for (const protocol of [PROTOCOL_VERSION + 1, 0, Number.NaN]) {
  Deno.test(`serve() refuses to open for a host that speaks version ${protocol}`, async () => {
    let made = 0;
    using served = serveHere(() => {
      made++;
      return new MemoryStore();
    });
    served.send({ ...OPEN, protocol });
    const failed = await served.messages.find((message) =>
      message.type === "open_failed"
    );
    assert("error" in failed);
    assertEquals(failed.error.code, "open_failed");
    assertStringIncludes(failed.error.message, `version ${protocol}`);
    assertStringIncludes(failed.error.message, `${PROTOCOL_VERSION}`);
    assertEquals(made, 0);
  });
}

for (const sessionId of ["../s", "a/b", "", ".s", "con", "x".repeat(101)]) {
  Deno.test(`serve() refuses the session id "${sessionId.slice(0, 20)}" before anything is touched`, async () => {
    await using dir = await makeSessionDir();
    using served = serveHere((open) => new FileStore(open));
    served.send({ ...OPEN, sessionId, sessionDir: dir.at("new") });
    const failed = await served.messages.find((message) =>
      message.type === "open_failed"
    );
    assert("error" in failed);
    assertEquals(failed.error.code, "invalid_arguments");
    assertEquals(await dir.names(), []);
  });
}

Deno.test("serve() refuses an open message of another shape", async () => {
  const malformed: OpenMessage = JSON.parse(
    `{"type":"open","protocol":${PROTOCOL_VERSION}}`,
  );
  using served = serveHere((open) => new FileStore(open));
  served.send(malformed);
  const failed = await served.messages.find((message) =>
    message.type === "open_failed"
  );
  assert("error" in failed);
});

Deno.test("serve() refuses a call that comes before the session was opened", async () => {
  using served = serveHere(() => new MemoryStore());
  served.send({ type: "call", callId: 1, input: ADD });
  served.send({ type: "call", callId: 2, input: "nonsense" });
  served.send(OPEN);
  await served.messages.find(({ type }) => type === "opened");
  assertEquals(inShort(served.messages.items), [
    "ready",
    "reply 1: session_closed",
    "reply 2: session_closed",
    "opened 0",
  ]);
});

Deno.test("serve() refuses a call that comes after the session was closed, and names its action", async () => {
  using served = serveHere(() => new MemoryStore());
  served.send(OPEN);
  served.send({ type: "close" });
  served.send({ type: "call", callId: 1, input: ADD });
  const reply = await served.messages.find(({ type }) => type === "reply");
  assert("refusal" in reply);
  assertEquals(reply.refusal.action, "add");
  assertEquals(reply.refusal.error.code, "session_closed");
});

Deno.test("serve() says closed again when it is asked to close again, or before it was opened", async () => {
  using served = serveHere(() => new MemoryStore());
  served.send({ type: "close" });
  served.send(OPEN);
  served.send({ type: "close" });
  served.send({ type: "close" });
  await served.messages.take(5);
  assertEquals(inShort(served.messages.items), [
    "ready",
    "closed",
    "opened 0",
    "closed",
    "closed",
  ]);
});

Deno.test("serve() opens only one session", async () => {
  let made = 0;
  using served = serveHere(() => {
    made++;
    return new MemoryStore();
  });
  served.send(OPEN);
  await served.messages.find(({ type }) => type === "opened");
  served.send({ ...OPEN, sessionId: "other" });
  served.send({ type: "close" });
  await served.messages.find(({ type }) => type === "closed");
  assertEquals([made, inShort(served.messages.items)], [1, [
    "ready",
    "opened 0",
    "open_failed: open_failed",
    "closed",
  ]]);
});

Deno.test("serve() answers calls to a session that could not be opened", async () => {
  const store = new MemoryStore();
  store.load = () => Promise.reject(diskError("EIO"));
  using served = serveHere(() => store);
  served.send(OPEN);
  served.send({ type: "call", callId: 1, input: ADD });
  await served.messages.find(({ type }) => type === "reply");
  served.send({ type: "call", callId: 2, input: ADD });
  served.send({ type: "close" });
  await served.messages.find(({ type }) => type === "closed");
  const [, failed, , later] = inShort(served.messages.items);
  assertEquals([failed, later], [
    "open_failed: open_failed",
    "reply 2: session_closed",
  ]);
});

const ODD: readonly { readonly what: string; readonly thrown: unknown }[] = [
  { what: "a string", thrown: "oops" },
  { what: "nothing", thrown: undefined },
  { what: "a symbol", thrown: Symbol("oops") },
  { what: "an object without a prototype", thrown: Object.create(null) },
  { what: "a function", thrown: () => {} },
  {
    what: "an error whose message throws",
    thrown: Object.defineProperty(new Error(), "message", {
      get: () => {
        throw new Error("gotcha");
      },
    }),
  },
  { what: "a megabyte of text", thrown: new Error("x\u001b".repeat(500_000)) },
];

for (const { what, thrown } of ODD) {
  const failing: Readonly<Record<string, () => Store>> = {
    "cannot be made": () => {
      throw thrown;
    },
    "cannot load": () =>
      Object.assign(new MemoryStore(), { load: () => Promise.reject(thrown) }),
    "throws when it should load": () =>
      Object.assign(new MemoryStore(), {
        load: () => {
          throw thrown;
        },
      }),
  };
  for (const [how, createStore] of Object.entries(failing)) {
    Deno.test(`serve() refuses to open when its store ${how} and throws ${what}`, async () => {
      using served = serveHere(createStore);
      served.send(OPEN);
      const failed = await served.messages.find((message) =>
        message.type === "open_failed"
      );
      assert("error" in failed);
      assertEquals(failed.error.code, "open_failed");
      assert(new TextEncoder().encode(failed.error.message).length < 2_048);
    });
  }

  Deno.test(`serve() refuses a call whose save throws ${what}, and carries out the next`, async () => {
    const store = new MemoryStore();
    const save = store.save.bind(store);
    store.save = () => {
      store.save = save;
      throw thrown;
    };
    using served = serveHere(() => store);
    served.send(OPEN);
    served.send({ type: "call", callId: 1, input: ADD });
    served.send({ type: "call", callId: 2, input: ADD });
    served.send({ type: "close" });
    await served.messages.find(({ type }) => type === "closed");
    assertEquals(
      inShort(served.messages.items).filter((word) => word.startsWith("reply")),
      ["reply 1: persist_failed", "reply 2"],
    );
  });
}

Deno.test("serve() posts nothing but plain data", async () => {
  using served = serveHere(() => new MemoryStore("garbage"));
  served.send(OPEN);
  served.send({ type: "call", callId: 1, input: ADD });
  served.send({ type: "call", callId: 2, input: new Map([[1, new Date()]]) });
  served.send({ type: "close" });
  await served.messages.find(({ type }) => type === "closed");
  for (const message of served.messages.items) {
    assertEquals(JSON.parse(JSON.stringify(message)), message);
  }
});

Deno.test("serve() does not mind messages that are none", async () => {
  using served = serveHere(() => new MemoryStore());
  for (const nonsense of [null, 5, "open", {}, { type: "toString" }]) {
    served.sendNonsense(nonsense);
  }
  served.send(OPEN);
  await served.messages.find(({ type }) => type === "opened");
});

Deno.test("serve() says that it waits when its store has to", async () => {
  using served = serveHere((_, onWait) => {
    const store = new MemoryStore();
    const load = store.load.bind(store);
    store.load = () => (onWait(), load());
    return store;
  });
  served.send(OPEN);
  await served.messages.find(({ type }) => type === "opened");
  assertEquals(inShort(served.messages.items), [
    "ready",
    "waiting",
    "opened 0",
  ]);
});

Deno.test("serve() watches the store only when it is asked to", async () => {
  for (const watchFile of [true, false, undefined]) {
    let watched = 0;
    using served = serveHere(() =>
      Object.assign(new MemoryStore(), { watch: () => void watched++ })
    );
    served.send({ ...OPEN, watchFile });
    await served.messages.find(({ type }) => type === "opened");
    assertEquals(watched, watchFile ? 1 : 0);
  }
});
