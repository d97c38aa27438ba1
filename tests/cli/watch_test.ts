import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openSession, type TasksChanged } from "../../mod.ts";
import { linesOf } from "../support/child.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";
import type { SessionDir } from "../support/session_dir.ts";
import { hasPseudoTerminals, PseudoTerminal } from "../ui/pseudo_terminal.ts";
import { commandLine, tasks } from "./cli.ts";
import { EXAMPLE, writeExample } from "./example.ts";

const ignore = !hasPseudoTerminals;
const NEEDS = ignore ? " (ignored: needs script of util-linux)" : "";
const CTRL_C = "\x03";
const DOWN = "\x1b[B";
const RESTORED = new Set(["7", "25"]);

function watchInTerminal(
  dir: SessionDir,
  ...options: readonly string[]
): Promise<PseudoTerminal> {
  return PseudoTerminal.open({
    size: { columns: 80, rows: 20 },
    command: commandLine(["watch", ...options], { dir: dir.path }),
  });
}

async function leave(terminal: PseudoTerminal, key: string): Promise<void> {
  await terminal.type(key);
  const { code, modes: [before, after] } = await terminal.ending;
  assertEquals([code, after], [0, before]);
  assertEquals(terminal.model.modes, RESTORED);
}

Deno.test({
  name: `watch in a terminal shows what another process changes${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    await using terminal = await watchInTerminal(dir);
    await terminal.shows("s · revision 7", "1 in_progress · 2 pending");
    const { code } = await tasks(["complete", "aaaa"], {
      dir: dir.path,
      mayWrite: true,
    });
    assertEquals(code, 0);
    await terminal.shows("s · revision 8", "✓ completed   · Provision");
    await leave(terminal, "q");
  },
});

Deno.test({
  name: `watch in a terminal moves with the arrows and opens tasks${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    await using terminal = await watchInTerminal(dir);
    await terminal.until(({ text }) => /❯ t_1_aaaa/.test(text));
    await terminal.type(DOWN);
    await terminal.until(({ text }) => /❯ t_2_bbbb/.test(text));
    await terminal.type("\r");
    await terminal.shows("waits for Provision the dev DB", "Blocks");
    await terminal.type("q");
    await terminal.until(({ text }) => /❯ t_2_bbbb/.test(text));
    await leave(terminal, CTRL_C);
  },
});

Deno.test({
  name:
    `watch --pinned keeps the panel small, and opens the other from it${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    await using terminal = await watchInTerminal(dir, "--pinned");
    await terminal.shows("1 done · 3 open", "⊘ Seed fixtures (blocked)");
    assert(!terminal.model.modes.has("1049"));
    await terminal.type("o");
    await terminal.shows("↑↓ move");
    await terminal.type("q");
    await terminal.shows("1 done · 3 open");
    await leave(terminal, "q");
  },
});

Deno.test({
  name:
    `watch in a terminal waits for a session that does not exist yet${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    // Not even the directory does.
    const sessionDir = dir.at("later");
    await using terminal = await PseudoTerminal.open({
      size: { columns: 120, rows: 20 },
      command: commandLine(["watch", "--session", "s"], { dir: sessionDir }),
    });
    await terminal.shows("does not exist.");
    await using session = await openSession({ sessionId: "s", sessionDir });
    await session.tasks({ action: "add", content: "The first" });
    await terminal.shows("The first", "s · revision 1");
    await session.tasks({ action: "add", content: "The second" });
    await terminal.shows("The second", "s · revision 2");
    await leave(terminal, "q");
  },
});

Deno.test({
  name: `watch in a terminal goes on through a damaged file${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    await using terminal = await watchInTerminal(dir);
    await terminal.shows("s · revision 7");
    await dir.write("s.tasks.json", "{torn");
    await terminal.shows("cannot be used", "Seed fixtures");
    await dir.write(
      "s.tasks.json",
      EXAMPLE.replace('"revision":7', '"revision":9'),
    );
    await terminal.shows("s · revision 9");
    await leave(terminal, "q");
  },
});

/** A watch in a pipe, which is stopped when the test is over. */
function watchInPipe(
  dir: SessionDir,
  ...options: readonly string[]
): AsyncDisposable & { next(): Promise<string> } {
  const [program, ...args] = commandLine(["watch", ...options], {
    dir: dir.path,
  });
  const child = new Deno.Command(program, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = linesOf(child.stdout);
  return {
    async next(): Promise<string> {
      const { done, value } = await lines.next();
      assert(!done, "watch has ended");
      return value;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill("SIGTERM");
      await child.status;
      while (!(await lines.next()).done);
    },
  };
}

Deno.test("watch in a pipe prints every task, then each as it changes", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
    staleAfterMs: Infinity,
  });
  await using watch = watchInPipe(dir);
  assertEquals(
    await watch.next(),
    "7\tt_1_aaaa\tin_progress\t-\tProvision the dev DB",
  );
  for (const id of ["t_2_bbbb", "t_3_abbb", "t_4_cccc"]) {
    assertStringIncludes(await watch.next(), `7\t${id}\t`);
  }
  await session.tasks({ action: "complete", id: "t_1_aaaa" });
  // What waited for it waits no longer.
  assertEquals([await watch.next(), await watch.next(), await watch.next()], [
    "8\tt_1_aaaa\tcompleted\t-\tProvision the dev DB",
    "8\tt_2_bbbb\tpending\t-\tSeed fixtures",
    "8\tt_3_abbb\tpending\tt_2_bbbb\tSmoke test",
  ]);
});

Deno.test("watch --json prints the snapshot with every change", async () => {
  await using dir = await makeSessionDir();
  await dir.write("s.tasks.json", sidecarText(1, [row("t_1_aaaa")]));
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
  });
  await using watch = watchInPipe(dir, "--json");
  const first: TasksChanged = JSON.parse(await watch.next());
  assertEquals([first.sessionId, first.revision], ["s", 1]);
  await session.tasks({ action: "add", content: "Another" });
  const second: TasksChanged = JSON.parse(await watch.next());
  assertEquals(second.revision, 2);
  assertEquals(second.snapshot, session.snapshot);
});

Deno.test("watch ends quietly when nobody reads it any more", async () => {
  await using dir = await makeSessionDir();
  await dir.write("s.tasks.json", sidecarText(1, [row("t_1_aaaa")]));
  const [program, ...args] = commandLine(["watch"], { dir: dir.path });
  await using child = new Deno.Command(program, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  await dir.write("next", sidecarText(2, [row("t_2_bbbb")]));
  await Deno.rename(dir.at("next"), dir.at("s.tasks.json"));
  const [{ code }, said] = await Promise.all([
    child.status,
    child.stderr.text(),
  ]);
  assertEquals([code, said], [0, ""]);
});
