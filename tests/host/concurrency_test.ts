import { assert, assertEquals } from "@std/assert";
import { openSession, type TaskSession } from "../../mod.ts";
import { permissionsFor, run } from "../support/child.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { listenTo, openHere } from "../support/sessions.ts";
import { parseSidecar, snapshotOf } from "../support/sidecar.ts";

const SIDECAR = "s.tasks.json";

/** One of many mixed calls; it uses the ids of tasks that are there already. */
function mixedCall(session: TaskSession, i: number): unknown {
  const { tasks } = session.snapshot;
  const pick = (n: number) =>
    tasks[n % Math.max(1, tasks.length)]?.id ?? "nobody";
  switch (i % 8) {
    case 0:
    case 1:
      return { action: "add", content: `task ${i}` };
    case 2:
      return { action: "add", content: `task ${i}`, blockedBy: [pick(i)] };
    case 3:
      return { action: "update", id: pick(i), status: "in_progress" };
    case 4:
      return { action: "complete", id: pick(i * 7) };
    case 5:
      return { action: "remove", id: pick(i * 3) };
    case 6:
      return { action: "list" };
    default:
      return { action: "blocked" };
  }
}

Deno.test("50 sessions with 40 mixed calls each at once: each answers in order, and its sidecar is its last snapshot", async () => {
  await using dir = await makeSessionDir();
  await using sessions = new AsyncDisposableStack();
  await Promise.all(Array.from({ length: 50 }, async (_, n) => {
    const session = await openSession({
      sessionId: `session-${n}`,
      sessionDir: dir.path,
    });
    sessions.use(session);
    const { changes } = listenTo(session);
    const order: number[] = [];
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 10 }, async (_, k) => {
        const i = 10 * round + k;
        await session.handleToolCall(mixedCall(session, i + n));
        order.push(i);
      }));
    }
    assertEquals(order, [...Array(40).keys()]);
    const sidecar = parseSidecar(await dir.read(`session-${n}.tasks.json`));
    assertEquals(snapshotOf(sidecar), session.snapshot);
    assertEquals(sidecar.revision, changes.items.length);
  }));
  assertEquals((await dir.names()).length, 50);
});

Deno.test("300 calls on one session that nobody waits for: all settle, and revisions rise by one", async () => {
  await using opened = await openHere();
  const { session, dir, changes } = opened;
  const { task } = await session.tasks({ action: "add", content: "first" });
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) =>
      session.handleToolCall(
        [
          { action: "add", content: `task ${i}`, blockedBy: [task.id] },
          { action: "update", id: task.id, content: `first ${i}` },
          { action: "list" },
          { action: "complete", id: "nobody" },
          { action: "update", id: task.id, blockedBy: [task.id] },
          { action: "add", content: "" },
        ][i % 6],
      )),
  );
  const codes = answers.map(({ result }) =>
    "error" in result ? result.error.code : result.action
  );
  assertEquals(
    codes,
    Array(50).fill([
      "add",
      "update",
      "list",
      "unknown_task",
      "cycle",
      "invalid_arguments",
    ]).flat(),
  );
  assertEquals(
    changes.items.map(({ revision }) => revision),
    Array.from({ length: 101 }, (_, i) => i + 1),
  );
  const list = await session.tasks({ action: "list" });
  assertEquals(changes.items.at(-1)?.snapshot, list.snapshot);
  const sidecar = parseSidecar(await dir.read(SIDECAR));
  assertEquals(sidecar.revision, 101);
  assertEquals(snapshotOf(sidecar), list.snapshot);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("two sessions with one id in one process, 50 adds each at once: all rows are in the file", async () => {
  await using dir = await makeSessionDir();
  const options = { sessionId: "s", sessionDir: dir.path };
  await using a = await openSession(options);
  await using b = await openSession(options);
  const added = await Promise.all(
    [a, b].flatMap((session, who) =>
      Array.from(
        { length: 50 },
        (_, i) => session.tasks({ action: "add", content: `${who} ${i}` }),
      )
    ),
  );
  const { tasks, revision } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(
    tasks.map(({ id }) => id).sort(),
    added.map(({ task }) => task.id).sort(),
  );
  assertEquals(revision, 100);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("4 processes with 50 adds each on one session: exactly 200 tasks, and no reader meets a torn file", async () => {
  await using dir = await makeSessionDir();
  let isOver = false;
  const read = async () => {
    let reads = 0;
    while (!isOver) {
      const text = await dir.read(SIDECAR).catch((error) => {
        if (error instanceof Deno.errors.NotFound) return undefined;
        throw error;
      });
      if (text !== undefined) {
        parseSidecar(text);
        reads++;
      }
    }
    return reads;
  };
  const reading = read();
  const writers = await Promise.all(
    ["a", "b", "c", "d"].map((name) =>
      run({
        script: "add_tasks.ts",
        args: [dir.path, "50", name],
        permissions: permissionsFor(dir.path),
      })
    ),
  );
  isOver = true;
  assert(await reading > 0);
  assertEquals(
    writers.map(({ code, stderr }) => [code, stderr]),
    Array(4).fill([0, ""]),
  );
  const answered = writers.flatMap(({ stdout }) => stdout.trim().split("\n"));
  const { tasks, revision } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(tasks.map(({ id }) => id).sort(), answered.sort());
  assertEquals([tasks.length, revision], [200, 200]);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("a session that watches its file tells of another host's change without a call", async () => {
  await using watching = await openHere({ watchFile: true });
  const { dir, session, changes } = watching;
  await using other = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
  });
  const { task } = await other.tasks({ action: "add", content: "from afar" });
  const change = await changes.find(({ snapshot }) =>
    snapshot.tasks.some(({ id }) => id === task.id)
  );
  assertEquals(change.snapshot, other.snapshot);
  assertEquals(session.snapshot, other.snapshot);
  assertEquals(change.revision, 1);
});
