import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseRequest } from "../../src/cli/arguments.ts";
import { UsageError } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { commandHelp, programHelp } from "../../src/cli/help.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { tasksWith } from "./cli.ts";

const NAMES = [
  "list",
  "blocked",
  "show",
  "watch",
  "graph",
  "sessions",
  "check",
  "add",
  "update",
  "complete",
  "remove",
];

Deno.test("the help names every command, and fits into 80 columns", () => {
  const help = programHelp(COMMANDS);
  assertEquals(COMMANDS.map(({ name }) => name), NAMES);
  for (const name of NAMES) assertStringIncludes(help.join("\n"), `  ${name}`);
  for (const line of [...help, ...COMMANDS.flatMap(commandHelp)]) {
    assertEquals(line.slice(80), "", line);
  }
});

Deno.test("the help of every command names its options and what JSON it prints", () => {
  for (const command of COMMANDS) {
    const help = commandHelp(command).join("\n");
    for (const name of [...Object.keys(command.options), "session", "json"]) {
      assertStringIncludes(help, `--${name}`);
    }
    assertStringIncludes(help, "JSON: {");
  }
});

Deno.test("--help, -h and help are answered on standard output, without permissions", async () => {
  for (
    const args of [["--help"], ["-h"], ["help"], ["list", "--help"], [
      "help",
      "list",
    ]]
  ) {
    const { code, stdout, stderr } = await tasksWith([], args);
    assertEquals([code, stderr], [0, ""]);
    assertStringIncludes(stdout, "Usage: tasks ");
  }
});

Deno.test("wrong usage exits with 2 and says on standard error where there is help", async () => {
  await using dir = await makeSessionDir();
  const read = [`--allow-read=${dir.path}`];
  const wrong: readonly (readonly [args: readonly string[], hint: string])[] = [
    [[], "tasks --help"],
    [["dance"], "tasks --help"],
    [["list", "--colour"], "tasks list --help"],
    [["list", "more"], "tasks list --help"],
    [["show"], "tasks show --help"],
    [["show", "a", "b"], "tasks show --help"],
    [["list", "--status", "open"], "tasks list --help"],
    [["graph", "--format", "png"], "tasks graph --help"],
    [["update", "a"], "tasks update --help"],
    [["list", "--dir"], "tasks list --help"],
    [["list", "--dir", ""], "tasks list --help"],
    [["list", "--no-session"], "tasks list --help"],
    [["list", "--no-json"], "tasks list --help"],
    [["list", "--dir", dir.path], "tasks list --help"],
  ];
  for (const [args, hint] of wrong) {
    const { code, stdout, stderr } = await tasksWith(read, args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertStringIncludes(stderr, `Run ${hint}`);
  }
});

Deno.test("a session id that can be no file name is wrong usage", async () => {
  await using dir = await makeSessionDir();
  const { code, stderr } = await tasksWith(
    [`--allow-read=${dir.path}`],
    ["list", "--dir", dir.path, "--session", "../s"],
  );
  assertEquals(code, 2);
  assertStringIncludes(stderr, '"../s"');
});

Deno.test("options may stand before the command and after it", () => {
  for (
    const args of [
      ["--dir", "list", "list", "--status", "pending"],
      ["list", "--dir=list", "--status=pending"],
      ["--status", "pending", "--dir", "list", "list"],
    ]
  ) {
    const request = parseRequest(args, COMMANDS);
    assertEquals(request.kind, "run");
    if (request.kind !== "run") continue;
    assertEquals(request.command.name, "list");
    assertEquals(request.text("dir"), "list");
    assertEquals(request.text("status"), "pending");
  }
});

Deno.test("what follows -- is no option", () => {
  const request = parseRequest(["add", "--json", "--", "--json"], COMMANDS);
  assertEquals(request.kind === "run" && request.positionals, ["--json"]);
});

Deno.test("an option of another command is refused", () => {
  assertThrows(
    () => parseRequest(["list", "--blocked-by", "a"], COMMANDS),
    UsageError,
    "--blocked-by",
  );
});
