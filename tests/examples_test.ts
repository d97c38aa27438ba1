import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

const FLAGS = ["--no-prompt", "--allow-read", "--allow-write", "--allow-run"];

async function run(example: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...FLAGS,
      new URL(`../examples/${example}`, import.meta.url).href,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  assertEquals({ code, stderr: errorsIn(decoder.decode(stderr)) }, {
    code: 0,
    stderr: "",
  });
  return decoder.decode(stdout);
}

/** What was printed to standard error, without what Deno says while it loads. */
function errorsIn(stderr: string): string {
  return stderr.split("\n")
    .filter((line) => !/^(Check|Download|Initialize) |^$/.test(line))
    .join("\n");
}

Deno.test("the demo plays the worked example and resumes after a kill", async () => {
  const output = await run("demo.ts");
  assertStringIncludes(output, '"code":"cycle"');
  assertStringIncludes(
    output,
    "tasks_changed, revision 7: completed, completed, deleted",
  );
  assertMatch(output, /\{"version":1,"session_id":"demo","revision":7,/);
  assertMatch(
    output,
    /first process +t_\S+ · in_progress · Migrate the schema/,
  );
  assertMatch(output, /second process +t_\S+ · pending · Migrate the schema/);
});

Deno.test("the demo's sidecar shows no task of the refused call", async () => {
  const output = await run("demo.ts");
  const sidecar = output.slice(output.indexOf('{"version":1,'));
  const { tasks } = JSON.parse(sidecar.slice(0, sidecar.indexOf("\n]}") + 3));
  assertEquals(
    tasks.map(({ content, status, blockedBy = [] }: {
      content: string;
      status: string;
      blockedBy?: string[];
    }) => [content, status, blockedBy.length]),
    [
      ["Provision the dev DB", "completed", 0],
      ["Seed fixtures", "completed", 1],
      ["Smoke test", "deleted", 1],
    ],
  );
});

Deno.test("the agent loop ends with every task completed", async () => {
  const output = await run("agent_loop.ts");
  assertStringIncludes(output, '"code":"unknown_blocker"');
  assertMatch(
    output,
    /completed {2}Read the failing test\ncompleted {2}Fix the parser\n$/,
  );
});

Deno.test("many sessions keep their tasks apart", async () => {
  const lines = (await run("many_sessions.ts")).trim().split("\n");
  assertEquals(
    lines,
    Array.from(
      { length: 20 },
      (_, i) =>
        `agent-${i + 1}: 10 of 10 tasks are its own, 5 completed, 4 blocked`,
    ),
  );
});
