import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeSessionDir, type SessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";
import { hasPseudoTerminals, PseudoTerminal } from "../ui/pseudo_terminal.ts";
import { commandLine, tasks } from "./cli.ts";
import { EXAMPLE, writeExample } from "./example.ts";

const ignore = !hasPseudoTerminals;
const NEEDS = ignore ? " (ignored: needs script of util-linux)" : "";
const ESCAPE = "\x1b";

/** What the program writes to a terminal of 60 columns, byte for byte. */
async function written(
  dir: SessionDir,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const words = commandLine(args, { dir: dir.path })
    .map((word) => `'${word}'`).join(" ");
  const { stdout } = await new Deno.Command("script", {
    args: [
      "--quiet",
      "--return",
      "--command",
      `stty cols 60 rows 20; ${words}`,
      "/dev/null",
    ],
    env: { ...env, SHELL: "/bin/sh" },
    stdin: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

Deno.test({
  name: `a terminal is given rows as wide as it is${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await dir.write(
      "s.tasks.json",
      sidecarText(1, [row("t_1_aaaa", { content: "long ".repeat(30) })]),
    );
    await using terminal = await PseudoTerminal.open({
      size: { columns: 60, rows: 10 },
      command: commandLine(["list"], { dir: dir.path }),
    });
    const { code } = await terminal.ending;
    assertEquals(code, 0);
    const [first = "", second = ""] = terminal.model.text.split("\n");
    assertStringIncludes(first, "t_1_aaaa · ○ pending     · long long");
    assertStringIncludes(first, "…");
    assertEquals(second.trim(), "");
  },
});

Deno.test({
  name:
    `a terminal is given colour, unless the person does not want it${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    const colored: readonly (readonly [
      args: readonly string[],
      noColor: string,
      isColored: boolean,
    ])[] = [
      [["list"], "", true],
      [["list"], "1", false],
      [["list", "--no-color"], "", false],
      [["list", "--color"], "1", true],
    ];
    for (const [args, NO_COLOR, isColored] of colored) {
      const output = await written(dir, args, { NO_COLOR });
      assertStringIncludes(output, "Seed fixtures");
      assertEquals(output.includes(ESCAPE), isColored, `${args} ${NO_COLOR}`);
    }
  },
});

Deno.test({
  name:
    `a link out of what may be used is refused, and nobody is asked${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await using elsewhere = await makeSessionDir();
    await writeExample(elsewhere);
    await Deno.symlink(elsewhere.at("s.tasks.json"), dir.at("s.tasks.json"));
    const command = commandLine(["complete", "aaaa"], {
      dir: dir.path,
      mayWrite: true,
    });
    await using terminal = await PseudoTerminal.open({
      size: { columns: 120, rows: 10 },
      command: command.filter((word) => word !== "--no-prompt"),
    });
    assertEquals((await terminal.ending).code, 1);
    assertStringIncludes(terminal.model.text, "--allow-read");
    assertEquals(await elsewhere.read("s.tasks.json"), EXAMPLE);
  },
});

Deno.test("a pipe is given no colour, even if it is asked for", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  for (const command of [["list"], ["blocked"], ["graph"], ["show", "1"]]) {
    const { stdout } = await tasks([...command, "--color"], { dir: dir.path });
    assertEquals(stdout.includes(ESCAPE), false);
  }
});

Deno.test("a pipe is given the whole text, however long", async () => {
  await using dir = await makeSessionDir();
  const content = "long ".repeat(3_000) + "end";
  await dir.write(
    "s.tasks.json",
    sidecarText(1, [row("t_1_aaaa", { content })]),
  );
  for (const command of [["list"], ["graph"], ["show", "1"]]) {
    const { stdout } = await tasks(command, { dir: dir.path });
    assertStringIncludes(stdout, content);
  }
});

Deno.test("a reader that has enough ends the program quietly", async () => {
  await using dir = await makeSessionDir();
  const rows = Array.from(
    { length: 2_000 },
    (_, i) => row(`t_${i}`, { content: "long ".repeat(40) }),
  );
  await dir.write("s.tasks.json", sidecarText(1, rows));
  for (const command of [["list"], ["list", "--json"], ["graph"]]) {
    const [program, ...args] = commandLine(command, { dir: dir.path });
    await using child = new Deno.Command(program, {
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    const [{ code }, said] = await Promise.all([
      child.status,
      child.stderr.text(),
    ]);
    assertEquals([code, said], [0, ""], command.join(" "));
  }
});

Deno.test({
  name: "a result that cannot be written is a failure, told in one line",
  ignore: Deno.build.os !== "linux",
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await writeExample(dir);
    for (const args of [["list"], ["list", "--json"], ["watch"], ["--help"]]) {
      const command = commandLine(args, { dir: dir.path });
      const { code, stderr } = await new Deno.Command("sh", {
        args: ["-c", '"$@" >/dev/full', "sh", ...command],
        stdin: "null",
      }).output();
      assertEquals(code, 1, args.join(" "));
      assertMatch(
        new TextDecoder().decode(stderr),
        /^tasks: The output cannot be written: .*\n$/,
      );
    }
  },
});

Deno.test("a refusal is one even if nobody reads what is said of it", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  for (const [args, code] of [[["show", "zz"], 1], [["dance"], 2]] as const) {
    const [program, ...rest] = commandLine(args, { dir: dir.path });
    await using child = new Deno.Command(program, {
      args: rest,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    await child.stderr.cancel();
    assertEquals((await child.status).code, code);
  }
});
