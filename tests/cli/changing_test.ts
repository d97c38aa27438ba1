import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { TasksResults } from "../../mod.ts";
import { openSession } from "../../mod.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { contentsOf } from "../support/sessions.ts";
import { parseSidecar } from "../support/sidecar.ts";
import { tasks, tasksWith } from "./cli.ts";
import { EXAMPLE, writeExample } from "./example.ts";

Deno.test("add starts a session, and prints the task", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout, stderr } = await tasks(
    ["add", "Fix the parser", "--session", "s", "--active-form", "Fixing it"],
    { dir: dir.path, mayWrite: true },
  );
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^t_\d+_\w+\tpending\t-\tFix the parser\n$/);
  const [task] = parseSidecar(await dir.read("s.tasks.json")).tasks;
  assertEquals(task?.id, stdout.split("\t")[0]);
});

Deno.test("add takes parts of ids as blockers, and answers JSON as the tool does", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stdout } = await tasks(
    ["add", "--json", "--blocked-by", "aaaa, cccc", "--", "-v"],
    { dir: dir.path, mayWrite: true },
  );
  assertEquals(code, 0);
  const result: TasksResults["add"] = JSON.parse(stdout);
  assertEquals(result.action, "add");
  assertEquals(result.task.content, "-v");
  assertEquals(result.task.blockedBy, ["t_1_aaaa", "t_4_cccc"]);
  assertEquals(result.snapshot.tasks.length, 5);
});

Deno.test("update changes what is given and keeps the rest", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const options = { dir: dir.path, mayWrite: true };
  const started = await tasks(
    ["update", "2_b", "--status", "in-progress"],
    options,
  );
  assertEquals(
    started.stdout,
    "t_2_bbbb\tin_progress\tt_1_aaaa\tSeed fixtures\n",
  );
  const freed = await tasks(["update", "2_b", "--blocked-by", ""], options);
  assertEquals(freed.stdout, "t_2_bbbb\tin_progress\t-\tSeed fixtures\n");
});

Deno.test("--blocked-by adds up when it is given again", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { stdout } = await tasks(
    ["add", "x", "--json", "--blocked-by", "aaaa", "--blocked-by=cccc"],
    { dir: dir.path, mayWrite: true },
  );
  const { task }: TasksResults["add"] = JSON.parse(stdout);
  assertEquals(task.blockedBy, ["t_1_aaaa", "t_4_cccc"]);
});

Deno.test("what is empty where it cannot be is refused, and clears nothing", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const options = { dir: dir.path, mayWrite: true };
  for (
    const [args, code] of [
      [["update", "2_b", "--content", ""], 2],
      [["update", "2_b", "--active-form", " "], 2],
      [["update", "2_b", "--blocked-by", ","], 1],
      [["add", "x", "--active-form", ""], 2],
      [["add", ""], 2],
    ] as const
  ) {
    const { code: actual, stdout } = await tasks(args, options);
    assertEquals([actual, stdout], [code, ""], args.join(" "));
  }
  assertEquals(await dir.read("s.tasks.json"), EXAMPLE);
});

Deno.test("complete and remove change one task", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const options = { dir: dir.path, mayWrite: true };
  const completed = await tasks(["complete", "aaaa"], options);
  assertEquals(
    completed.stdout,
    "t_1_aaaa\tcompleted\t-\tProvision the dev DB\n",
  );
  const removed = await tasks(["remove", "t_2"], options);
  assertEquals(removed.stdout, "t_2_bbbb\tdeleted\t-\tSeed fixtures\n");
});

Deno.test("a refused change exits with 1 and leaves the file", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const options = { dir: dir.path, mayWrite: true };
  const cycle = ["update", "aaaa", "--blocked-by", "t_3"];
  const { code, stdout, stderr } = await tasks(cycle, options);
  assertEquals([code, stdout], [1, ""]);
  assertStringIncludes(stderr, "wait for itself");
  const json = await tasks([...cycle, "--json"], options);
  assertEquals(json.code, 1);
  const { action, error } = JSON.parse(json.stdout);
  assertEquals([action, error.code], ["update", "cycle"]);
  for (const args of [["complete", "zzzz"], ["complete", "bbb"]]) {
    assertEquals((await tasks(args, options)).code, 1);
  }
  assertEquals(await dir.read("s.tasks.json"), EXAMPLE);
});

Deno.test("what is changed must exist, so a misspelt session is not made", async () => {
  await using dir = await makeSessionDir();
  const { code } = await tasks(["complete", "a", "--session", "typo"], {
    dir: dir.path,
    mayWrite: true,
  });
  assertEquals(code, 1);
  assertEquals(await dir.names(), []);
});

Deno.test("a change without the permission to write is refused", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  const { code, stderr } = await tasksWith(
    [`--allow-read=${dir.path}`],
    ["complete", "aaaa", "--dir", dir.path],
  );
  assertEquals(code, 1);
  assertStringIncludes(stderr, "--allow-write");
  assertEquals(await dir.read("s.tasks.json"), EXAMPLE);
});

Deno.test("a change leaves the tasks in progress to the agent that is at work on them", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  await tasks(["add", "Another"], { dir: dir.path, mayWrite: true });
  const [first] = parseSidecar(await dir.read("s.tasks.json")).tasks;
  assertEquals(first?.status, "in_progress");
});

Deno.test("an agent and the command line change one session, and nothing is lost", async () => {
  await using dir = await makeSessionDir();
  await writeExample(dir);
  await using session = await openSession({
    sessionId: "s",
    sessionDir: dir.path,
    staleAfterMs: Infinity,
  });
  const byHand = ["A", "B", "C"];
  let isOver = false;
  const atTheShell = Promise.all([
    ...byHand.map((content) =>
      tasks(["add", content, "--session", "s"], {
        dir: dir.path,
        mayWrite: true,
      })
    ),
    tasks(["list", "--session", "s"], { dir: dir.path }),
  ]).finally(() => isOver = true);
  const byAgent: string[] = [];
  // At least one change comes after all of theirs, and finds them.
  for (let i = 0; !isOver || i === 0; i++) {
    const content = `Agent ${i}`;
    await session.tasks({ action: "add", content });
    byAgent.push(content);
  }
  for (const { code, stderr } of await atTheShell) {
    assertEquals([code, stderr], [0, ""]);
  }
  await session.tasks({ action: "complete", id: "t_2_bbbb" });

  const contents = contentsOf(session);
  for (const content of [...byHand, ...byAgent]) {
    assertEquals(contents.filter((other) => other === content), [content]);
  }
  assertEquals(contents.length, 4 + byHand.length + byAgent.length);
  assertEquals(session.snapshot.tasks[0]?.status, "in_progress");
  assert(byAgent.length > 0);
});
