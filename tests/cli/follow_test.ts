import { assertEquals } from "@std/assert";
import { followSession } from "../../src/cli/follow.ts";
import type { SidecarReading } from "../../src/sidecar/mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";

function revisionOf(reading: SidecarReading | undefined): unknown {
  return reading?.kind === "sidecar" ? reading.revision : reading?.kind;
}

Deno.test("followSession() reads at once, and again after each change", async () => {
  await using dir = await makeSessionDir();
  const stop = new AbortController();
  const readings = followSession(
    { sessionId: "s", sessionDir: dir.path },
    stop.signal,
  );
  assertEquals(
    revisionOf((await readings.next()).value ?? undefined),
    "missing",
  );
  for (const revision of [1, 2]) {
    await dir.write("next", sidecarText(revision, [row("t_1")]));
    await Deno.rename(dir.at("next"), dir.at("s.tasks.json"));
    const { value } = await readings.next();
    assertEquals(revisionOf(value ?? undefined), revision);
  }
  await Deno.remove(dir.at("s.tasks.json"));
  assertEquals(
    revisionOf((await readings.next()).value ?? undefined),
    "missing",
  );
  stop.abort();
  assertEquals((await readings.next()).done, true);
});

Deno.test("followSession() goes for the newest when changes come faster than it is asked", async () => {
  await using dir = await makeSessionDir();
  const stop = new AbortController();
  const readings = followSession(
    { sessionId: "s", sessionDir: dir.path },
    stop.signal,
  );
  await readings.next();
  for (let revision = 1; revision <= 20; revision++) {
    await dir.write("next", sidecarText(revision, [row("t_1")]));
    await Deno.rename(dir.at("next"), dir.at("s.tasks.json"));
  }
  assertEquals(revisionOf((await readings.next()).value ?? undefined), 20);
  stop.abort();
  await readings.next();
});

Deno.test("followSession() finds what the system does not tell of, such as a change behind a link", async () => {
  await using dir = await makeSessionDir();
  await using elsewhere = await makeSessionDir();
  await elsewhere.write("real", sidecarText(1, [row("t_1")]));
  await Deno.symlink(elsewhere.at("real"), dir.at("s.tasks.json"));
  const stop = new AbortController();
  const readings = followSession(
    { sessionId: "s", sessionDir: dir.path },
    stop.signal,
  );
  assertEquals(revisionOf((await readings.next()).value ?? undefined), 1);
  await elsewhere.write("next", sidecarText(2, [row("t_1"), row("t_2")]));
  await Deno.rename(elsewhere.at("next"), elsewhere.at("real"));
  assertEquals(revisionOf((await readings.next()).value ?? undefined), 2);
  stop.abort();
  await readings.next();
});
