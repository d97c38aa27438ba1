import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeSessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";
import { tasks, tasksWith } from "./cli.ts";
import { EXAMPLE, writeExample } from "./example.ts";

Deno.test("list prints the tasks of the only session, with tabs between the values", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stdout, stderr } = await tasks(["list"], { dir: dir.path });
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertEquals(
    stdout,
    "t_1_aaaa\tin_progress\t-\tProvision the dev DB\n" +
      "t_2_bbbb\tpending\tt_1_aaaa\tSeed fixtures\n" +
      "t_3_abbb\tpending\tt_1_aaaa,t_2_bbbb\tSmoke test\n" +
      "t_4_cccc\tcompleted\t-\tRead the docs\n",
  );
});

Deno.test("list --status prints the tasks of one status", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { stdout } = await tasks(["list", "--status", "in-progress"], {
    dir: dir.path,
  });
  assertEquals(stdout, "t_1_aaaa\tin_progress\t-\tProvision the dev DB\n");
});

Deno.test("list --json prints the tasks as the tool answers them", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { stdout } = await tasks(["list", "--json", "--status", "completed"], {
    dir: dir.path,
  });
  assertEquals(JSON.parse(stdout), {
    sessionId: "s",
    revision: 7,
    tasks: [{
      id: "t_4_cccc",
      content: "Read the docs",
      status: "completed",
      completed_at: 1_000,
    }],
  });
});

Deno.test("blocked prints the tasks that cannot start yet", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { stdout } = await tasks(["blocked"], { dir: dir.path });
  assertEquals(
    stdout.split("\n").map((line) => line.split("\t")[0]),
    ["t_2_bbbb", "t_3_abbb", ""],
  );
  const json = await tasks(["blocked", "--json"], { dir: dir.path });
  assertEquals(
    JSON.parse(json.stdout).tasks.map((task: { id: string }) => task.id),
    ["t_2_bbbb", "t_3_abbb"],
  );
});

Deno.test("show prints a task that is named by the end of its id", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stdout } = await tasks(["show", "2_bbbb"], { dir: dir.path });
  assertEquals(code, 0);
  assertEquals(
    stdout,
    "id\tt_2_bbbb\nstatus\tpending\ncontent\tSeed fixtures\n" +
      "blocked_by\tt_1_aaaa\tin_progress\t-\tProvision the dev DB\n" +
      "blocks\tt_3_abbb\tpending\tt_1_aaaa,t_2_bbbb\tSmoke test\n",
  );
  const json = await tasks(["show", "cc", "--json"], { dir: dir.path });
  const { task, activeBlockers } = JSON.parse(json.stdout);
  assertEquals([task.id, activeBlockers], ["t_4_cccc", []]);
});

Deno.test("a part of an id that several have is refused, and they are named", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stdout, stderr } = await tasks(["show", "bbb"], {
    dir: dir.path,
  });
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, "t_2_bbbb, t_3_abbb");
  const json = await tasks(["show", "bbb", "--json"], { dir: dir.path });
  const { error } = JSON.parse(json.stdout);
  assertEquals([json.code, error.code], [1, "unknown_task"]);
  assertEquals(error.taskIds, ["t_2_bbbb", "t_3_abbb"]);
});

Deno.test("graph prints a tree, with what comes first below what waits for it", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { stdout } = await tasks(["graph"], { dir: dir.path });
  assertEquals(
    stdout,
    "⊘ t_3_abbb Smoke test (blocked)\n" +
      "├─ ◐ t_1_aaaa Provision the dev DB\n" +
      "└─ ⊘ t_2_bbbb Seed fixtures (blocked)\n" +
      "   └─ ◐ t_1_aaaa Provision the dev DB\n" +
      "✓ t_4_cccc Read the docs\n",
  );
});

Deno.test("graph prints pictures for mermaid and Graphviz", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const mermaid = await tasks(["graph", "--format", "mermaid"], {
    dir: dir.path,
  });
  assertStringIncludes(mermaid.stdout, "flowchart");
  const dot = await tasks(["graph", "--format=dot", "--json"], {
    dir: dir.path,
  });
  const { format, graph } = JSON.parse(dot.stdout);
  assertEquals(format, "dot");
  assertStringIncludes(graph, "digraph");
});

Deno.test("sessions prints what the directory holds, the last changed first", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  await dir.write("torn.tasks.json", '{"version":1,"ta');
  await dir.write("notes.json", "{}");
  await Deno.utime(dir.at("s.tasks.json"), 1_000, 1_000);
  await Deno.utime(dir.at("torn.tasks.json"), 2_000, 2_000);
  const { code, stdout } = await tasks(["sessions"], { dir: dir.path });
  assertEquals(code, 0);
  assertEquals(
    stdout,
    `torn\t1970-01-01T00:33:20Z\t-\t-\t${dir.at("torn.tasks.json")}\n` +
      `s\t1970-01-01T00:16:40Z\t3\t1\t${dir.at("s.tasks.json")}\n`,
  );
  const json = await tasks(["sessions", "--json"], { dir: dir.path });
  assertEquals(JSON.parse(json.stdout), {
    sessions: [
      {
        sessionId: "torn",
        path: dir.at("torn.tasks.json"),
        modifiedAt: 2_000_000,
        kind: "corrupt",
      },
      {
        sessionId: "s",
        path: dir.at("s.tasks.json"),
        modifiedAt: 1_000_000,
        kind: "sidecar",
        open: 3,
        completed: 1,
      },
    ],
  });
});

Deno.test("of several sessions one has to be named", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  await dir.write("other.tasks.json", sidecarText(1));
  const unnamed = await tasks(["list"], { dir: dir.path });
  assertEquals([unnamed.code, unnamed.stdout], [2, ""]);
  assertStringIncludes(unnamed.stderr, "--session");
  assertStringIncludes(unnamed.stderr, "other");
  const json = await tasks(["list", "--json"], { dir: dir.path });
  const { error } = JSON.parse(json.stdout);
  assertEquals([json.code, error.code], [2, "invalid_arguments"]);
  assertStringIncludes(json.stderr, "--session");
  const named = await tasks(["list", "--session", "s"], { dir: dir.path });
  assertEquals(named.code, 0);
});

Deno.test("a session that is not there is said to be missing", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stderr } = await tasks(["list", "--session", "t"], {
    dir: dir.path,
  });
  assertEquals(code, 1);
  assertStringIncludes(stderr, "There is no session t");
});

Deno.test("a directory without sessions, or that is not there, has none to choose", async () => {
  await using dir = await makeSessionDir();
  for (const path of [dir.path, dir.at("none")]) {
    const listed = await tasks(["sessions"], { dir: path });
    assertEquals([listed.code, listed.stdout], [0, ""]);
    const { code, stderr } = await tasks(["list"], { dir: path });
    assertEquals(code, 2);
    assertStringIncludes(stderr, `no session in ${path} yet`);
  }
});

Deno.test("reading leaves the file as it is, and needs no permission but to read", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  for (const command of [["list"], ["blocked"], ["show", "1"], ["check"]]) {
    await tasks(command, { dir: dir.path });
  }
  assertEquals(await dir.read("s.tasks.json"), EXAMPLE);
  assertEquals(await dir.names(), ["s.tasks.json"]);
});

Deno.test("a missing permission is named and never asked for", async () => {
  await using dir = await makeSessionDir();
  const { code, stderr } = await tasksWith([], ["list", "--dir", dir.path]);
  assertEquals(code, 1);
  assertStringIncludes(stderr, `--allow-read=${dir.path}`);
});

Deno.test("without --dir the sessions are where KIN_SESSION_DIR says", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stdout } = await tasksWith(
    [
      `--allow-read=${dir.path}`,
      "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE",
    ],
    ["list", "--status", "completed"],
    { KIN_SESSION_DIR: dir.path },
  );
  assertEquals(
    [code, stdout],
    [0, "t_4_cccc\tcompleted\t-\tRead the docs\n"],
  );
});

Deno.test("what a task holds cannot steer the terminal or break a line", async () => {
  await using dir = await makeSessionDir();
  const content = "one\ntwo\tthree \u202e\u009b31m";
  await dir.write("s.tasks.json", sidecarText(1, [row("t_1", { content })]));
  const { stdout } = await tasks(["list"], { dir: dir.path });
  assertEquals(stdout, "t_1\tpending\t-\tone two three 31m\n");
  const json = await tasks(["list", "--json"], { dir: dir.path });
  assertEquals(json.stdout.match(/(?!\n)[\p{Cc}\p{Cf}]/u), null);
  assertEquals(
    JSON.parse(json.stdout).tasks[0].content,
    "one\ntwo\tthree \u202e31m",
  );
});
