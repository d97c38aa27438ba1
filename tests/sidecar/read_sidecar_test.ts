import { assert, assertEquals, assertRejects } from "@std/assert";
import { readSidecar } from "../../src/sidecar/mod.ts";
import { openSession, TasksError } from "../../mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { openHere } from "../support/sessions.ts";
import { row, sidecarText } from "../support/sidecar.ts";

const ABANDONED = sidecarText(4, [
  row("t_1", { status: "in_progress" }),
  row("t_2", { blockedBy: ["t_1"] }),
]);

Deno.test("readSidecar() sees what an open session has answered", async () => {
  await using opened = await openHere();
  const { session, dir } = opened;
  const first = await session.tasks({ action: "add", content: "A" });
  await session.tasks({
    action: "add",
    content: "B",
    blockedBy: [first.task.id],
  });
  const reading = await readSidecar({ sessionId: "s", sessionDir: dir.path });
  assertEquals(reading, {
    kind: "sidecar",
    path: session.sidecarPath,
    revision: 2,
    snapshot: session.snapshot,
    warnings: [],
  });
});

Deno.test("readSidecar() gives out a snapshot that cannot be changed", async () => {
  await using dir = await makeSessionDir();
  await dir.write("s.tasks.json", ABANDONED);
  const reading = await readSidecar({ sessionId: "s", sessionDir: dir.path });
  assert(reading.kind === "sidecar");
  const { tasks } = reading.snapshot;
  for (const part of [reading.snapshot, tasks, tasks[1], tasks[1]?.blockedBy]) {
    assert(Object.isFrozen(part));
  }
});

Deno.test("readSidecar() tells what opening the session would make of abandoned tasks", async () => {
  await using dir = await makeSessionDir();
  await dir.write("s.tasks.json", ABANDONED);
  const where = { sessionId: "s", sessionDir: dir.path };
  const reading = await readSidecar(where);
  assert(reading.kind === "sidecar");
  const asItIs = await readSidecar({ ...where, staleAfterMs: Infinity });
  assert(asItIs.kind === "sidecar");
  assertEquals(asItIs.snapshot.tasks[0]?.status, "in_progress");
  assertEquals(asItIs.warnings, []);
  assertEquals(await dir.read("s.tasks.json"), ABANDONED);

  await using session = await openSession(where);
  assertEquals(reading.snapshot, session.snapshot);
  assertEquals(reading.warnings, session.warnings);
});

Deno.test("readSidecar() tells of every kind of file, and leaves it as it is", async () => {
  const kinds: readonly (readonly [text: string, kind: string])[] = [
    [sidecarText(1), "sidecar"],
    [sidecarText(1).slice(0, -1), "corrupt"],
    ["[]", "corrupt"],
    ['{"version":99}', "refused"],
    [sidecarText(1).replace('"s"', '"S"'), "refused"],
  ];
  for (const [text, kind] of kinds) {
    await using dir = await makeSessionDir();
    await dir.write("s.tasks.json", text);
    const before = await Deno.stat(dir.at("s.tasks.json"));
    const reading = await readSidecar({ sessionId: "s", sessionDir: dir.path });
    assertEquals(reading.kind, kind, text);
    assertEquals(reading.path, dir.at("s.tasks.json"));
    assertEquals(await dir.names(), ["s.tasks.json"]);
    assertEquals(await dir.read("s.tasks.json"), text);
    const after = await Deno.stat(dir.at("s.tasks.json"));
    assertEquals(after.mtime, before.mtime);
  }
});

Deno.test("readSidecar() says why opening would be refused", async () => {
  await using dir = await makeSessionDir();
  const where = { sessionId: "s", sessionDir: dir.path };
  await dir.write("s.tasks.json", '{"version":99}');
  const reading = await readSidecar(where);
  assert(reading.kind === "refused");
  const error = await assertRejects(() => openSession(where), TasksError);
  assertEquals(reading.error.code, error.code);
  assertEquals(reading.error.code, "sidecar_newer");
});

Deno.test("readSidecar() makes nothing where nothing is", async () => {
  await using dir = await makeSessionDir();
  for (const sessionDir of [dir.path, dir.at("none")]) {
    const { kind } = await readSidecar({ sessionId: "s", sessionDir });
    assertEquals(kind, "missing");
  }
  assertEquals(await dir.names(), []);
});

Deno.test("readSidecar() refuses to read what is no file", async () => {
  await using dir = await makeSessionDir();
  await Deno.mkdir(dir.at("s.tasks.json"));
  const reading = await readSidecar({ sessionId: "s", sessionDir: dir.path });
  assert(reading.kind === "refused");
  assertEquals(reading.error.code, "open_failed");
});

Deno.test("readSidecar() refuses malformed options", async () => {
  await using dir = await makeSessionDir();
  const where = { sessionId: "s", sessionDir: dir.path };
  for (
    const wrong of [
      { sessionId: "../s" },
      { sessionDir: "" },
      { staleAfterMs: -1 },
    ]
  ) {
    const error = await assertRejects(
      () => readSidecar({ ...where, ...wrong }),
      TasksError,
    );
    assertEquals(error.code, "invalid_arguments");
  }
});
