import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { initialTransition, type SnapshotFrom, transition } from "xstate";
import { TasksError } from "../../src/model/errors.ts";
import { sessionMachine } from "../../src/worker/machine.ts";
import type { OpenedMessage, TasksChangedMessage } from "../../src/protocol.ts";
import { dequeue, peek } from "../../src/worker/queue.ts";
import { MemoryStore } from "../../src/store/store.ts";
import { diskError } from "../support/disk.ts";
import { CountingStore, HeldStore } from "../support/held_store.ts";
import {
  contentsOf,
  inputFor,
  inShort,
  mintedId,
  NOW,
  type SessionActor,
  startActor,
} from "../support/session_actor.ts";
import {
  parseSidecar,
  row,
  sidecarText,
  snapshotOf,
} from "../support/sidecar.ts";
import { snapshotIn } from "../support/texts.ts";

type State = SnapshotFrom<typeof sessionMachine>;

const ADD = { action: "add", content: "new" };
const LIST = { action: "list" };
const NONSENSE = { action: "fly" };

/** The numbers of the calls that wait. */
function waitingIn(state: State): number[] {
  const numbers: number[] = [];
  for (
    let queue = state.context.queue;
    peek(queue) !== undefined;
    queue = dequeue(queue)
  ) numbers.push(peek(queue)!.callId);
  return numbers;
}

/** A session that has opened, on a store that a test answers. */
async function openHeld(
  text?: string,
): Promise<{ store: HeldStore; session: SessionActor }> {
  const store = new HeldStore();
  const session = startActor(store);
  (await store.loadNumber(1)).answer(text);
  await session.messages.find(({ type }) => type === "opened");
  return { store, session };
}

// The chart, by pure transitions

Deno.test("sessionMachine starts in opening", () => {
  const [state] = initialTransition(
    sessionMachine,
    inputFor(new HeldStore()),
  );
  assertEquals(state.value, "opening");
});

/** Every state in which the machine waits for its store, and how it gets there. */
const BUSY: Readonly<Record<string, () => Promise<State>>> = {
  opening: () =>
    Promise.resolve(
      initialTransition(sessionMachine, inputFor(new HeldStore()))[0],
    ),
  saving: async () => {
    const { store, session } = await openHeld();
    session.call(ADD);
    await store.saveNumber(1);
    return session.actor.getSnapshot();
  },
  reloading: async () => {
    const { store, session } = await openHeld();
    session.call(ADD);
    (await store.saveNumber(1)).answer("moved");
    await store.loadNumber(2);
    return session.actor.getSnapshot();
  },
};

for (const [name, reach] of Object.entries(BUSY)) {
  Deno.test(`sessionMachine in ${name} lets calls wait in their order`, async () => {
    let state = await reach();
    assertEquals(state.value, name);
    const before = waitingIn(state);
    for (const callId of [7, 8, 9]) {
      [state] = transition(sessionMachine, state, {
        type: "call",
        callId,
        input: LIST,
      });
    }
    assertEquals(state.value, name);
    assertEquals(waitingIn(state), [...before, 7, 8, 9]);
  });

  Deno.test(`sessionMachine in ${name} remembers that it is to close`, async () => {
    const before = await reach();
    const [state] = transition(sessionMachine, before, { type: "close" });
    assertEquals(state.value, name);
    assert(state.context.isClosing);
    assertEquals(waitingIn(state), waitingIn(before));
  });
}

Deno.test("sessionMachine in idle answers a read without leaving it", async () => {
  const { session } = await openHeld();
  const [state] = transition(sessionMachine, session.actor.getSnapshot(), {
    type: "call",
    callId: 1,
    input: LIST,
  });
  assertEquals([state.value, waitingIn(state)], ["idle", []]);
});

Deno.test("sessionMachine in idle goes to saving when a call changes something", async () => {
  const { session } = await openHeld();
  const [state] = transition(sessionMachine, session.actor.getSnapshot(), {
    type: "call",
    callId: 1,
    input: ADD,
  });
  assertEquals([state.value, waitingIn(state)], ["saving", [1]]);
});

Deno.test("sessionMachine in idle goes to closed when it is to close", async () => {
  const { session } = await openHeld();
  const [state] = transition(sessionMachine, session.actor.getSnapshot(), {
    type: "close",
  });
  assertEquals([state.value, state.status], ["closed", "done"]);
});

// Opening

Deno.test("a session opens on an empty store without saving", async () => {
  const store = new CountingStore();
  const session = startActor(store);
  const opened = await session.messages.find((
    message,
  ): message is OpenedMessage => message.type === "opened");
  assertEquals(opened, {
    type: "opened",
    sidecarPath: "memory",
    revision: 0,
    snapshot: [],
    warnings: [],
  });
  assertEquals([store.text, store.saved], [undefined, []]);
});

Deno.test("a session answers the calls that were made while it opened, in their order", async () => {
  const store = new HeldStore();
  const session = startActor(store);
  session.call(LIST);
  session.call(NONSENSE);
  session.call({ action: "blocked" });
  const load = await store.loadNumber(1);
  assertEquals(session.messages.items, []);
  load.answer(sidecarText(4, [row("t_1_aaaa")]));
  await session.reply(3);
  assertEquals(inShort(session.messages.items), [
    "opened 4",
    "reply 1",
    "reply 2: invalid_arguments",
    "reply 3",
  ]);
});

Deno.test("a session puts stale tasks back to pending, saves that without a call, and says so", async () => {
  const store = new CountingStore(
    sidecarText(4, [row("t_1_aaaa", { status: "in_progress", updated_at: 1 })]),
  );
  const session = startActor(store);
  const opened = await session.messages.find((
    message,
  ): message is OpenedMessage => message.type === "opened");
  session.call(LIST);
  await session.reply(1);
  assertEquals(store.saved.length, 1);
  const saved = parseSidecar(store.text!);
  assertEquals(saved.revision, 5);
  assertEquals(saved.tasks[0]?.status, "pending");
  // What was loaded is revision 4; its repair is saved as the next one.
  assertEquals(opened.revision, 4);
  assertEquals(snapshotIn(opened.snapshot), snapshotOf(saved));
  assertEquals(opened.warnings.map(({ code }) => code), ["stale_reset"]);
  assertEquals(opened.warnings[0]?.taskIds, ["t_1_aaaa"]);
});

Deno.test("a session keeps a task that is in progress for exactly as long as allowed", async () => {
  const fresh = row("t_1_aaaa", {
    status: "in_progress",
    updated_at: NOW - 300_000,
  });
  const store = new CountingStore(sidecarText(4, [fresh]));
  const session = startActor(store);
  session.call(LIST);
  await session.reply(1);
  assertEquals(store.saved, []);
});

Deno.test("a session goes on when what it repaired cannot be saved yet", async () => {
  const store = new CountingStore(
    sidecarText(4, [row("t_1_aaaa", { status: "in_progress", updated_at: 1 })]),
  );
  store.beforeSave = () => {
    store.beforeSave = () => {};
    throw diskError("ENOSPC");
  };
  const session = startActor(store);
  session.call(ADD);
  await session.reply(1);
  const saved = parseSidecar(store.text!);
  assertEquals(saved.tasks.map(({ status }) => status), ["pending", "pending"]);
});

Deno.test("a session that meets another host while it saves its repair shows what the store keeps", async () => {
  const stale = row("t_1_aaaa", { status: "in_progress", updated_at: 1 });
  const store = new CountingStore(sidecarText(4, [stale]));
  store.beforeSave = () => {
    store.beforeSave = () => {};
    store.text = sidecarText(5, [stale, row("t_2_bbbb")]);
  };
  const session = startActor(store);
  session.call(NONSENSE);
  await session.reply(1);
  session.call(LIST);
  await session.reply(2);
  const last = session.messages.items.filter((
    message,
  ): message is TasksChangedMessage => message.type === "tasks_changed").at(-1);
  assert(last !== undefined);
  assertEquals(
    snapshotIn(last.snapshot),
    snapshotOf(parseSidecar(store.text!)),
  );
});

for (
  const [what, error, code] of [
    ["a plain error", diskError("EIO"), "open_failed"],
    [
      "a TasksError",
      new TasksError("sidecar_newer", "Newer."),
      "sidecar_newer",
    ],
    ["a string", "oops", "open_failed"],
    ["nothing", undefined, "open_failed"],
    ["an object without a prototype", Object.create(null), "open_failed"],
    [
      "an error with a number for a message",
      Object.assign(new Error(), { message: 5 }),
      "open_failed",
    ],
  ] as const
) {
  Deno.test(`a session whose store throws ${what} while it loads refuses to open and answers every call`, async () => {
    const store = new HeldStore();
    const session = startActor(store);
    session.call(ADD);
    session.call(NONSENSE);
    session.close();
    (await store.loadNumber(1)).fail(error);
    await session.messages.find(({ type }) => type === "closed");
    assertEquals(inShort(session.messages.items), [
      `open_failed: ${code}`,
      `reply 1: ${code}`,
      `reply 2: ${code}`,
      "closed",
    ]);
    assertEquals(store.saveCount, 0);
  });
}

Deno.test("a session moves aside what is no sidecar, and starts empty", async () => {
  const store = new CountingStore("garbage");
  const session = startActor(store);
  const opened = await session.messages.find((
    message,
  ): message is OpenedMessage => message.type === "opened");
  assertEquals(opened.warnings.map(({ code }) => code), ["moved_aside"]);
  assertEquals([...store.aside.values()], ["garbage"]);
  session.call(ADD);
  await session.reply(1);
  assertEquals(parseSidecar(store.text!).revision, 1);
});

Deno.test("a session keeps a copy of what it cannot keep whole", async () => {
  const text = '{"version":1,"session_id":"s","revision":3,"tasks":[null,5]}';
  const store = new CountingStore(text);
  const session = startActor(store);
  session.call(LIST);
  await session.reply(1);
  assertEquals([...store.aside.values()], [text]);
  assertEquals(parseSidecar(store.text!), {
    version: 1,
    session_id: "s",
    revision: 4,
    tasks: [],
  });
});

// Calls

Deno.test("a session saves first, and only then tells the change and the reply", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  const save = await store.saveNumber(1);
  assertEquals(inShort(session.messages.items), ["opened 0"]);
  assertEquals(save.seen, 0);
  assertEquals(parseSidecar(save.text).revision, 1);
  save.answer("saved");
  await session.reply(1);
  assertEquals(inShort(session.messages.items), [
    "opened 0",
    "tasks_changed 1",
    "reply 1",
  ]);
});

Deno.test("a session lets reads and refusals take their turn behind a save", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  session.call(LIST);
  session.call(NONSENSE);
  session.call(ADD);
  session.call({ action: "blocked" });
  (await store.saveNumber(1)).answer("saved");
  const second = await store.saveNumber(2);
  assertEquals(inShort(session.messages.items).slice(1), [
    "tasks_changed 1",
    "reply 1",
    "reply 2",
    "reply 3: invalid_arguments",
  ]);
  second.answer("saved");
  await session.reply(5);
  assertEquals(inShort(session.messages.items).slice(-3), [
    "tasks_changed 2",
    "reply 4",
    "reply 5",
  ]);
});

Deno.test("a session never has two saves on their way", async () => {
  const { store, session } = await openHeld();
  for (let i = 0; i < 10; i++) session.call(ADD);
  for (let number = 1; number <= 10; number++) {
    const save = await store.saveNumber(number);
    assertEquals([store.saveCount, save.seen], [number, number - 1]);
    save.answer("saved");
  }
  await session.reply(10);
  assertEquals(store.saveCount, 10);
});

Deno.test("a session saves once for each change, in their order", async () => {
  const store = new CountingStore();
  const session = startActor(store);
  for (let i = 0; i < 20; i++) session.call({ action: "add", content: `${i}` });
  await session.reply(20);
  assertEquals(
    store.saved.map((text) => parseSidecar(text).tasks.length),
    [
      ...Array(20).keys(),
    ].map((i) => i + 1),
  );
});

Deno.test("a session writes and tells nothing for a call that is refused or changes nothing", async () => {
  const store = new CountingStore(
    sidecarText(4, [
      row("t_1_aaaa", { status: "completed", completed_at: 1 }),
      row("t_2_bbbb", { status: "deleted" }),
      row("t_3_cccc", { blockedBy: ["t_1_aaaa"] }),
    ]),
  );
  const kept = store.text;
  const session = startActor(store);
  const calls = [
    { action: "complete", id: "t_1_aaaa" },
    { action: "remove", id: "t_2_bbbb" },
    { action: "update", id: "t_3_cccc", status: "pending" },
    { action: "update", id: "t_3_cccc", blockedBy: ["t_1_aaaa"] },
    { action: "update", id: "t_3_cccc" },
    { action: "list", status_filter: "completed" },
    { action: "blocked" },
    { action: "update", id: "t_3_cccc", blockedBy: ["t_3_cccc"] },
    { action: "update", id: "t_2_bbbb", content: "x" },
    { action: "complete", id: "nobody" },
    { action: "add", content: "x", blockedBy: ["nobody"] },
    NONSENSE,
    null,
  ];
  for (const call of calls) session.call(call);
  await session.reply(calls.length);
  assertEquals(inShort(session.messages.items).slice(1), [
    "reply 1",
    "reply 2",
    "reply 3",
    "reply 4",
    "reply 5",
    "reply 6",
    "reply 7",
    "reply 8: cycle",
    "reply 9: task_deleted",
    "reply 10: unknown_task",
    "reply 11: unknown_blocker",
    "reply 12: invalid_arguments",
    "reply 13: invalid_arguments",
  ]);
  assertEquals([store.saved, store.text], [[], kept]);
});

Deno.test("a session survives fifty refused cycles in a row", async () => {
  const store = new MemoryStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  for (let i = 0; i < 50; i++) {
    session.call({ action: "update", id: "t_1_aaaa", blockedBy: ["t_1_aaaa"] });
  }
  session.call(ADD);
  await session.reply(51);
  assertEquals(inShort(session.messages.items).at(-1), "reply 51");
});

Deno.test("a session counts a repeated in_progress as a change", async () => {
  const store = new CountingStore(
    sidecarText(1, [
      row("t_1_aaaa", { status: "in_progress", updated_at: NOW - 9 }),
    ]),
  );
  const session = startActor(store);
  session.call({ action: "update", id: "t_1_aaaa", status: "in_progress" });
  await session.reply(1);
  assertEquals(parseSidecar(store.text!).tasks[0]?.updated_at, NOW);
});

Deno.test("a session tells positions in the snapshot that is in force", async () => {
  const { store, session } = await openHeld(
    sidecarText(1, [row("t_1_aaaa"), row("t_2_bbbb")]),
  );
  session.call({ action: "complete", id: "t_2_bbbb" });
  session.call({ action: "list", status_filter: "pending" });
  (await store.saveNumber(1)).answer("saved");
  assertEquals(await session.reply(1), {
    type: "reply",
    callId: 1,
    action: "complete",
    positions: [1],
  });
  assertEquals(await session.reply(2), {
    type: "reply",
    callId: 2,
    action: "list",
    positions: [0],
  });
});

// Failed saves

Deno.test("a session whose save fails refuses the call, keeps the graph, and goes on", async () => {
  const { store, session } = await openHeld(sidecarText(1, [row("t_1_aaaa")]));
  session.call({ action: "complete", id: "t_1_aaaa" });
  session.call({ action: "list", status_filter: "pending" });
  session.call(ADD);
  (await store.saveNumber(1)).fail(diskError("ENOSPC"));
  const refused = await session.reply(1);
  assert("refusal" in refused);
  assertEquals(refused.refusal.action, "complete");
  assertStringIncludes(refused.refusal.error.message, "the disk is full");
  assertEquals((await session.reply(2)) as unknown, {
    type: "reply",
    callId: 2,
    action: "list",
    positions: [0],
  });
  const second = await store.saveNumber(2);
  assertEquals([second.seen, parseSidecar(second.text).revision], [1, 2]);
  second.answer("saved");
  await session.reply(3);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "reply 1: persist_failed",
    "reply 2",
    "tasks_changed 2",
    "reply 3",
  ]);
});

for (
  const [what, error] of [
    ["a string", "oops"],
    ["nothing", undefined],
    ["an object without a prototype", Object.create(null)],
    ["an error whose message throws", {
      __proto__: Error.prototype,
      get message(): string {
        throw new Error("gotcha");
      },
    }],
  ] as const
) {
  Deno.test(`a session whose store throws ${what} while it saves refuses the call and goes on`, async () => {
    const { store, session } = await openHeld();
    session.call(ADD);
    session.call(ADD);
    (await store.saveNumber(1)).fail(error);
    (await store.saveNumber(2)).answer("saved");
    await session.reply(2);
    assertEquals(inShort(session.messages.items), [
      "opened 0",
      "reply 1: persist_failed",
      "tasks_changed 1",
      "reply 2",
    ]);
  });
}

Deno.test("a session passes on what its store says about a failed save", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  (await store.saveNumber(1)).fail(
    new TasksError("persist_failed", "A directory is in the way."),
  );
  const refused = await session.reply(1);
  assert("refusal" in refused);
  assertEquals(refused.refusal.error.message, "A directory is in the way.");
});

Deno.test("a session mints another id when the save of the first one failed", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  (await store.saveNumber(1)).fail(diskError("EIO"));
  await session.reply(1);
  session.call(ADD);
  const save = await store.saveNumber(2);
  assertEquals(parseSidecar(save.text).tasks.length, 1);
});

// Another host

Deno.test("a session whose store has moved on tells the merged graph and applies its call again", async () => {
  const { store, session } = await openHeld(sidecarText(1, [row("t_1_aaaa")]));
  session.call(ADD);
  (await store.saveNumber(1)).answer("moved");
  (await store.loadNumber(2)).answer(
    sidecarText(5, [row("t_1_aaaa"), row("t_2_bbbb", { content: "theirs" })]),
  );
  const save = await store.saveNumber(2);
  assertEquals(save.seen, 5);
  assertEquals(
    parseSidecar(save.text).tasks.map(({ content }) => content),
    ["Task t_1_aaaa", "theirs", "new"],
  );
  save.answer("saved");
  await session.reply(1);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "tasks_changed 5",
    "tasks_changed 6",
    "reply 1",
  ]);
  const snapshots = session.messages.items.filter((
    message,
  ): message is TasksChangedMessage => message.type === "tasks_changed");
  assertEquals(snapshots.map(contentsOf), [
    ["Task t_1_aaaa", "theirs"],
    ["Task t_1_aaaa", "theirs", "new"],
  ]);
});

Deno.test("a session whose store moves on again and again applies its call each time", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  for (let round = 1; round <= 5; round++) {
    (await store.saveNumber(round)).answer("moved");
    (await store.loadNumber(round + 1)).answer(
      sidecarText(round, [row(`t_${round}_aaaa`)]),
    );
  }
  const save = await store.saveNumber(6);
  assertEquals(save.seen, 5);
  save.answer("saved");
  await session.reply(1);
  assertEquals(inShort(session.messages.items).slice(-2), [
    "tasks_changed 6",
    "reply 1",
  ]);
});

Deno.test("a session whose store keeps moving for ever refuses the call in the end", async () => {
  const store = new CountingStore();
  let revision = 0;
  store.beforeSave = () => {
    store.text = sidecarText(revision += 2);
  };
  const session = startActor(store);
  session.call(ADD);
  const refused = await session.reply(1);
  assert("refusal" in refused);
  assertEquals(refused.refusal.error.code, "persist_failed");
  store.beforeSave = () => {};
  session.call(ADD);
  assert(!("refusal" in await session.reply(2)));
});

Deno.test("a session refuses a call that the graph of another host does not allow any more", async () => {
  const { store, session } = await openHeld(
    sidecarText(1, [row("t_1_aaaa"), row("t_2_bbbb")]),
  );
  session.call({ action: "update", id: "t_1_aaaa", blockedBy: ["t_2_bbbb"] });
  session.call(LIST);
  (await store.saveNumber(1)).answer("moved");
  (await store.loadNumber(2)).answer(
    sidecarText(2, [
      row("t_1_aaaa"),
      row("t_2_bbbb", { blockedBy: ["t_1_aaaa"] }),
    ]),
  );
  await session.reply(2);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "tasks_changed 2",
    "reply 1: cycle",
    "reply 2",
  ]);
  assertEquals(store.saveCount, 1);
});

Deno.test("a session writes nothing for a call that another host has made unnecessary", async () => {
  const { store, session } = await openHeld(sidecarText(1, [row("t_1_aaaa")]));
  session.call({ action: "remove", id: "t_1_aaaa" });
  (await store.saveNumber(1)).answer("moved");
  (await store.loadNumber(2)).answer(
    sidecarText(2, [row("t_1_aaaa", { status: "deleted" })]),
  );
  await session.reply(1);
  assertEquals(inShort(session.messages.items).slice(-2), [
    "tasks_changed 2",
    "reply 1",
  ]);
  assertEquals(store.saveCount, 1);
});

Deno.test("a session writes its own graph again when the store moved and is gone", async () => {
  const { store, session } = await openHeld(sidecarText(1, [row("t_1_aaaa")]));
  session.call(ADD);
  (await store.saveNumber(1)).answer("moved");
  (await store.loadNumber(2)).answer();
  const save = await store.saveNumber(2);
  assertEquals(
    parseSidecar(save.text).tasks.map(({ content }) => content),
    ["Task t_1_aaaa", "new"],
  );
  save.answer("saved");
  await session.reply(1);
  assertEquals(inShort(session.messages.items).slice(-2), [
    "tasks_changed 2",
    "reply 1",
  ]);
});

Deno.test("a session moves aside what became no sidecar, and writes its own graph again", async () => {
  const store = new CountingStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  store.beforeSave = () => {
    store.beforeSave = () => {};
    store.text = sidecarText(9).slice(0, -5);
  };
  session.call(ADD);
  await session.reply(1);
  assertEquals([...store.aside.values()], [sidecarText(9).slice(0, -5)]);
  assertEquals(parseSidecar(store.text!).tasks.length, 2);
});

Deno.test("a session leaves a task alone that another host has been at for long", async () => {
  const long = row("t_1_aaaa", { status: "in_progress", updated_at: 1 });
  const { store, session } = await openHeld();
  session.call(ADD);
  (await store.saveNumber(1)).answer("moved");
  (await store.loadNumber(2)).answer(sidecarText(2, [long]));
  const save = await store.saveNumber(2);
  assertEquals(parseSidecar(save.text).tasks[0]?.status, "in_progress");
});

for (
  const [what, error, code] of [
    ["cannot be read", diskError("EIO"), "persist_failed"],
    ["is newer", new TasksError("sidecar_newer", "Newer."), "sidecar_newer"],
  ] as const
) {
  Deno.test(`a session refuses the call when what another host wrote ${what}, and tries again with the next`, async () => {
    const { store, session } = await openHeld(sidecarText(1));
    session.call(ADD);
    session.call(ADD);
    (await store.saveNumber(1)).answer("moved");
    (await store.loadNumber(2)).fail(error);
    assertEquals(inShort([await session.reply(1)]), [`reply 1: ${code}`]);
    (await store.saveNumber(2)).answer("saved");
    assertEquals(inShort([await session.reply(2)]), ["reply 2"]);
  });
}

Deno.test("a session adds a task once that was saved although the store could not say so", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  session.call(LIST);
  const save = await store.saveNumber(1);
  // The host was stopped right after its rename, and another one went on from there.
  const { tasks } = parseSidecar(save.text);
  save.answer("moved");
  (await store.loadNumber(2)).answer(
    sidecarText(2, [...tasks, row("t_2_bbbb")]),
  );
  await session.reply(2);
  assertEquals(store.saveCount, 1);
  assertEquals(inShort(session.messages.items), [
    "opened 0",
    "tasks_changed 2",
    "reply 1",
    "reply 2",
  ]);
  const reply = await session.reply(1);
  assert("positions" in reply);
  assertEquals(reply.positions, [0]);
});

Deno.test("a session never gives an id that another host gave meanwhile", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  (await store.saveNumber(1)).answer("moved");
  // The other host runs on the same clock with the same bad luck.
  (await store.loadNumber(2)).answer(
    sidecarText(1, [row(mintedId(0)), row(mintedId(1))]),
  );
  const save = await store.saveNumber(2);
  const ids = parseSidecar(save.text).tasks.map(({ id }) => id);
  assertEquals(new Set(ids).size, 3);
});

// Closing

Deno.test("a session that is to close while it opens answers what came before", async () => {
  const store = new HeldStore();
  const session = startActor(store);
  session.call(LIST);
  session.call(ADD);
  session.close();
  (await store.loadNumber(1)).answer();
  (await store.saveNumber(1)).answer("saved");
  await session.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(session.messages.items), [
    "opened 0",
    "reply 1",
    "tasks_changed 1",
    "reply 2",
    "closed",
  ]);
});

Deno.test("a session that is to close while it saves answers what came before", async () => {
  const { store, session } = await openHeld();
  for (const call of [ADD, LIST, ADD]) session.call(call);
  session.close();
  (await store.saveNumber(1)).answer("saved");
  (await store.saveNumber(2)).answer("saved");
  await session.messages.find(({ type }) => type === "closed");
  assertEquals(
    inShort(session.messages.items).filter((word) =>
      /^(reply|closed)/.test(word)
    ),
    ["reply 1", "reply 2", "reply 3", "closed"],
  );
});

Deno.test("a session that is to close while it reloads answers what came before", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  (await store.saveNumber(1)).answer("moved");
  const load = await store.loadNumber(2);
  session.close();
  load.answer(sidecarText(3));
  (await store.saveNumber(2)).answer("saved");
  await session.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(session.messages.items).slice(-3), [
    "tasks_changed 4",
    "reply 1",
    "closed",
  ]);
});

Deno.test("a session that is to close closes after a failed save as well", async () => {
  const { store, session } = await openHeld();
  session.call(ADD);
  session.close();
  (await store.saveNumber(1)).fail(diskError("EIO"));
  await session.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(session.messages.items).slice(-2), [
    "reply 1: persist_failed",
    "closed",
  ]);
});

Deno.test("a session saves what it repaired before it closes", async () => {
  const store = new HeldStore();
  const session = startActor(store);
  session.close();
  (await store.loadNumber(1)).answer(
    sidecarText(1, [row("t_1_aaaa", { status: "in_progress" })]),
  );
  const save = await store.saveNumber(1);
  assertEquals(inShort(session.messages.items), ["opened 1"]);
  save.answer("saved");
  await session.messages.find(({ type }) => type === "closed");
});

for (const state of ["opening", "saving", "reloading"] as const) {
  Deno.test(`a session that is to close refuses calls that come after, also while it is ${state}`, async () => {
    const store = new HeldStore();
    const session = startActor(store);
    const load = await store.loadNumber(1);
    if (state === "opening") {
      session.close();
      session.call(ADD);
      load.answer();
    } else {
      load.answer();
      session.call(ADD);
      const save = await store.saveNumber(1);
      if (state === "saving") {
        session.close();
        session.call(ADD);
        save.answer("saved");
      } else {
        save.answer("moved");
        const reload = await store.loadNumber(2);
        session.close();
        session.call(ADD);
        reload.answer();
        (await store.saveNumber(2)).answer("saved");
      }
    }
    const last = state === "opening" ? 1 : 2;
    assertEquals(inShort([await session.reply(last)]), [
      `reply ${last}: session_closed`,
    ]);
    await session.messages.find(({ type }) => type === "closed");
  });
}

// No call is lost

for (
  const [name, save] of [
    ["saved", (): "saved" => "saved"],
    ["moved now and then", (n: number) => n % 3 === 0 ? "moved" : "saved"],
    ["failed now and then", (n: number) => n % 4 === 0 ? "failed" : "saved"],
  ] as const
) {
  Deno.test(`a session answers each of 200 mixed calls once and in order while its store ${name}`, async () => {
    const store = new HeldStore();
    const session = startActor(store);
    const calls = Array.from(
      { length: 200 },
      (_, i) =>
        [ADD, LIST, NONSENSE, {
          action: "complete",
          id: mintedId(i % 7),
        }][i % 4],
    );
    // Some come while it opens, some while it saves or reloads, the last ones after all.
    for (const call of calls.slice(0, 50)) session.call(call);
    (await store.loadNumber(1)).answer();
    let kept: string | undefined;
    let sent = 50;
    const serveLoads = async () => {
      for (let n = 2;; n++) (await store.loadNumber(n)).answer(kept);
    };
    const serveSaves = async () => {
      for (let n = 1;; n++) {
        const held = await store.saveNumber(n);
        for (let i = 0; i < 5 && sent < 200; i++) session.call(calls[sent++]);
        const outcome = save(n);
        if (outcome === "failed") held.fail(diskError("EIO"));
        else {
          if (outcome === "saved") kept = held.text;
          held.answer(outcome);
        }
      }
    };
    serveLoads();
    serveSaves();
    await session.reply(50);
    while (sent < 200) session.call(calls[sent++]);
    await session.reply(200);
    const answered = session.messages.items.filter(({ type }) =>
      type === "reply"
    )
      .map((message) => "callId" in message && message.callId);
    assertEquals(answered, calls.map((_, i) => i + 1));
  });
}

// Watching the store

/** What another host saves. */
function saveElsewhere(
  store: MemoryStore,
  revision: number,
  content: string,
): void {
  store.text = sidecarText(revision, [row("t_1_aaaa", { content })]);
}

Deno.test("a session that hears of a save by another host takes it over and tells of it", async () => {
  const store = new CountingStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  await session.messages.find(({ type }) => type === "opened");
  saveElsewhere(store, 2, "new");
  session.actor.send({ type: "stored" });
  await session.messages.find(({ type }) => type === "tasks_changed");
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "tasks_changed 2",
  ]);
  assertEquals(store.saved, []);
});

Deno.test("a session that hears of what it knows already tells nothing", async () => {
  const store = new CountingStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  await session.messages.find(({ type }) => type === "opened");
  session.actor.send({ type: "stored" });
  session.call(LIST);
  await session.reply(1);
  session.close();
  await session.messages.find(({ type }) => type === "closed");
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "reply 1",
    "closed",
  ]);
});

Deno.test("a session that hears of a save tells of a change by hand, which has no new revision", async () => {
  const store = new CountingStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  await session.messages.find(({ type }) => type === "opened");
  saveElsewhere(store, 1, "edited");
  session.actor.send({ type: "stored" });
  const snapshot = await session.messages.find((
    message,
  ): message is TasksChangedMessage => message.type === "tasks_changed");
  assertEquals(contentsOf(snapshot), ["edited"]);
});

Deno.test("a session that hears of a save leaves a long task of another host in progress", async () => {
  const store = new CountingStore(sidecarText(1, []));
  const session = startActor(store);
  await session.messages.find(({ type }) => type === "opened");
  store.text = sidecarText(2, [
    row("t_1_aaaa", { status: "in_progress", updated_at: 1 }),
  ]);
  session.actor.send({ type: "stored" });
  const { snapshot } = await session.messages.find((
    message,
  ): message is TasksChangedMessage => message.type === "tasks_changed");
  assertEquals(snapshotIn(snapshot).tasks[0]?.status, "in_progress");
});

Deno.test("a session that hears of a save which cannot be read goes on with what it has", async () => {
  const store = new CountingStore(sidecarText(1, [row("t_1_aaaa")]));
  const session = startActor(store);
  await session.messages.find(({ type }) => type === "opened");
  const load = store.load.bind(store);
  store.load = () => {
    store.load = load;
    return Promise.reject(diskError("EIO"));
  };
  session.actor.send({ type: "stored" });
  session.call(ADD);
  await session.reply(1);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "tasks_changed 2",
    "reply 1",
  ]);
});

// Large graphs

Deno.test("a session sends a large graph ahead, while it is being saved, and then only names its revision", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => row(`t_${i}`));
  const store = new HeldStore();
  const session = startActor(store);
  (await store.loadNumber(1)).answer(sidecarText(1, rows));
  session.call(ADD);
  const save = await store.saveNumber(1);
  assertEquals(inShort(session.messages.items), ["opened 1", "snapshot 2"]);
  save.answer("saved");
  await session.reply(1);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "snapshot 2",
    "tasks_changed 2",
    "reply 1",
  ]);
  const [, ahead, change] = session.messages.items;
  assert(ahead?.type === "snapshot" && change?.type === "tasks_changed");
  assertEquals(snapshotIn(ahead.snapshot).tasks.length, 301);
  assertEquals(change.snapshot, undefined);
});

Deno.test("a session whose save fails does not tell the large graph that it sent ahead", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => row(`t_${i}`));
  const store = new HeldStore();
  const session = startActor(store);
  (await store.loadNumber(1)).answer(sidecarText(1, rows));
  session.call(ADD);
  (await store.saveNumber(1)).fail(diskError("EIO"));
  await session.reply(1);
  assertEquals(inShort(session.messages.items), [
    "opened 1",
    "snapshot 2",
    "reply 1: persist_failed",
  ]);
});
