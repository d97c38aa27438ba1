import { assert, assertEquals } from "@std/assert";
import { hasPseudoTerminals, PseudoTerminal } from "./pseudo_terminal.ts";

const RESTORED = new Set(["7", "25"]);
const ignore = !hasPseudoTerminals;
const NEEDS = ignore ? " (ignored: needs script of util-linux)" : "";
const CTRL_C = "\x03";
const CTRL_O = "\x0f";
const DOWN = "\x1b[B";
const ESCAPE = "\x1b";

function start(
  sessionDir: string,
  columns: number,
  rows: number,
): Promise<PseudoTerminal> {
  return PseudoTerminal.open({
    size: { columns, rows },
    command: [
      Deno.execPath(),
      "run",
      "--quiet",
      "--allow-read",
      "--allow-write",
      "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE",
      "examples/terminal_agent.ts",
      "test",
    ],
    env: { KIN_SESSION_DIR: sessionDir },
  });
}

async function addThree(terminal: PseudoTerminal): Promise<void> {
  await terminal.until((model) => model.text.includes("›"));
  await terminal.type("add Plan\r");
  await terminal.shows("0 done · 1 open", "○ Plan");
  await terminal.type("add Build after 1\r");
  await terminal.shows("0 done · 2 open");
  await terminal.type("add Ship after 2\r");
  await terminal.shows("0 done · 3 open");
}

async function leave(terminal: PseudoTerminal): Promise<void> {
  await terminal.type(CTRL_C);
  const { code, modes: [before, after] } = await terminal.ending;
  assertEquals(code, 0);
  assertEquals(after, before);
  assertEquals(terminal.model.modes, RESTORED);
}

async function withSessionDir(
  body: (sessionDir: string) => Promise<void>,
): Promise<void> {
  const sessionDir = await Deno.makeTempDir({ prefix: "terminal_agent_test_" });
  try {
    await body(sessionDir);
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
}

Deno.test({
  name:
    `terminal_agent shows tasks, opens them and leaves the terminal as it was${NEEDS}`,
  ignore,
  fn: () =>
    withSessionDir(async (sessionDir) => {
      await using terminal = await start(sessionDir, 80, 24);
      await addThree(terminal);
      await terminal.shows("⊘ Build (blocked)", "⊘ Ship (blocked)");

      await terminal.type(CTRL_O);
      await terminal.shows("3 pending", "↑↓ move · o open · q back");
      assert(terminal.model.modes.has("1049"));
      await terminal.type(DOWN);
      await terminal.until((model) => /❯ t_.*Build/.test(model.text));
      await terminal.type("o");
      await terminal.shows("waits for Plan", "Blocked by", "Blocks");
      await terminal.type(ESCAPE);
      await terminal.until((model) => /❯ t_.*Build/.test(model.text));
      await terminal.type("q");
      await terminal.shows("○ Plan", "⊘ Build (blocked)");
      assert(!terminal.model.modes.has("1049"));

      await terminal.type("done 1\r");
      await terminal.shows("1 done · 2 open", "○ Build", "⊘ Ship (blocked)");
      await leave(terminal);
      assert(terminal.model.text.includes("test.tasks.json"));

      await using again = await start(sessionDir, 80, 24);
      await again.shows("goes on, with 3 tasks", "1 done · 2 open", "○ Build");
      await leave(again);
    }),
});

Deno.test({
  name: `terminal_agent works in a window of 20×6${NEEDS}`,
  ignore,
  fn: () =>
    withSessionDir(async (sessionDir) => {
      await using terminal = await start(sessionDir, 20, 6);
      await addThree(terminal);
      await terminal.type(CTRL_O);
      await terminal.shows("❯ ");
      await terminal.type(DOWN);
      await terminal.until((model) => /❯.*Build/.test(model.text));
      await terminal.type("\r");
      await terminal.shows("⊘ pending · waits");
      await terminal.type(ESCAPE);
      await terminal.until((model) => /❯.*Build/.test(model.text));
      await terminal.type("q");
      await terminal.shows("0 done · 3 open");
      await terminal.type("done 1\r");
      await terminal.shows("1 done · 2 open");
      await leave(terminal);
    }),
});

Deno.test({
  name: `terminal_agent follows its window while it is resized${NEEDS}`,
  ignore,
  fn: () =>
    withSessionDir(async (sessionDir) => {
      await using terminal = await start(sessionDir, 80, 24);
      await addThree(terminal);
      for (const [columns, rows] of [[30, 12], [100, 30], [60, 8]] as const) {
        const rule = "─".repeat(columns);
        await terminal.resize({ columns, rows });
        await terminal.until(({ text }) =>
          text.includes("0 done · 3 open") && text.includes("›") &&
          (rows < 12 ? !text.includes("──") : text.split("\n").includes(rule))
        );
        assertEquals(terminal.model.text.match(/0 done · 3 open/g)?.length, 1);
      }
      await terminal.type(CTRL_O);
      await terminal.shows("3 pending");
      await terminal.resize({ columns: 24, rows: 6 });
      await terminal.until((model) => model.lines[1]!.startsWith("❯ …"));
      await terminal.resize({ columns: 80, rows: 24 });
      await terminal.until((model) => model.lines[2]!.startsWith("❯ t_"));
      await terminal.type("q");
      await terminal.shows("Tasks  0 done · 3 open", "─".repeat(80));
      await leave(terminal);
    }),
});

Deno.test({
  name: `terminal_agent takes a pasted list as a plan${NEEDS}`,
  ignore,
  fn: () =>
    withSessionDir(async (sessionDir) => {
      await using terminal = await start(sessionDir, 80, 24);
      await terminal.shows("›");
      const plan = "- Ship\r  - [x] Plan\r  - Build\r- Party";
      await terminal.type(`\x1b[200~${plan}\x1b[201~`);
      await terminal.shows("› - Ship", "  - Party");
      await terminal.type("\r");
      await terminal.shows("1 done · 3 open", "⊘ Ship (blocked)", "○ Party");
      await leave(terminal);
    }),
});

for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"] as const) {
  Deno.test({
    name: `terminal_agent restores the terminal on ${signal}${NEEDS}`,
    ignore,
    fn: () =>
      withSessionDir(async (sessionDir) => {
        await using terminal = await start(sessionDir, 80, 24);
        await addThree(terminal);
        await terminal.type(CTRL_O);
        await terminal.shows("3 pending");
        await terminal.kill(signal);
        const { modes: [before, after] } = await terminal.ending;
        assertEquals(after, before);
        assertEquals(terminal.model.modes, RESTORED);
      }),
  });
}

Deno.test("terminal_agent plays a script without a terminal", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-read",
      "--allow-write",
      "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE",
      "examples/terminal_agent.ts",
    ],
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 0);
  assert(!text.includes("\x1b"));
  for (
    const part of [
      "Added a plan of 5 steps.",
      "◐ Provisioning the dev DB",
      "Tasks  1 done · 3 open",
      "waits for Seed fixtures",
    ]
  ) assert(text.includes(part), part);
});
