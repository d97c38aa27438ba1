import { assertEquals } from "@std/assert";
import { listSessions } from "../../src/sidecar/mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { sidecarText } from "../support/sidecar.ts";

Deno.test("listSessions() lists the sidecars of a directory, the last written first", async () => {
  await using dir = await makeSessionDir();
  const times = { b: 2_000, c: 1_000, a: 1_000 };
  for (const [id, seconds] of Object.entries(times)) {
    await dir.write(`${id}.tasks.json`, sidecarText(1));
    await Deno.utime(dir.at(`${id}.tasks.json`), seconds, seconds);
  }
  const sessions = await listSessions({ sessionDir: dir.path });
  assertEquals(
    sessions,
    (["b", "a", "c"] as const).map((id) => ({
      sessionId: id,
      path: dir.at(`${id}.tasks.json`),
      modifiedAt: times[id] * 1_000,
    })),
  );
});

Deno.test("listSessions() passes over what is no sidecar", async () => {
  await using dir = await makeSessionDir();
  const names = [
    "s.jsonl",
    "s.tasks.json.tmp",
    "s.tasks.json.corrupt-1",
    ".tasks.json",
    "two words.tasks.json",
  ];
  for (const name of names) await dir.write(name, "");
  await Deno.mkdir(dir.at("dir.tasks.json"));
  await Deno.symlink(dir.at("nowhere"), dir.at("link.tasks.json"));
  assertEquals(await listSessions({ sessionDir: dir.path }), []);
});

Deno.test("listSessions() finds none where there is no directory", async () => {
  await using dir = await makeSessionDir();
  assertEquals(await listSessions({ sessionDir: dir.at("none") }), []);
});
