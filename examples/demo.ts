/**
 * Plays a small plan on a real session, then kills a process in the middle of
 * its work and lets another one carry on.
 *
 *   deno task demo
 */

import { openSession, type Task, TasksError } from "@kin/tasks-dag";

const sessionId = "demo";

/** The worked example: three tasks, each waiting for the one before. */
async function playWorkedExample(sessionDir: string): Promise<void> {
  await using session = await openSession({ sessionId, sessionDir });
  session.addEventListener("tasks_changed", ({ detail }) => {
    const statuses = detail.snapshot.tasks.map((task) => task.status).join(
      ", ",
    );
    console.log(
      `  event   tasks_changed, revision ${detail.revision}: ${statuses}`,
    );
  });
  const call = async (input: Record<string, unknown>): Promise<void> => {
    console.log(`\ntasks(${JSON.stringify(input)})`);
    const { isError, content } = await session.handleToolCall(input);
    console.log(`  ${isError ? "refused" : "result "} ${content}`);
  };
  const idOf = (content: string): string =>
    session.snapshot.tasks.find((task) => task.content === content)!.id;

  console.log("— Turn 1: plan");
  await call({ action: "add", content: "Provision the dev DB" });
  const setupDb = idOf("Provision the dev DB");
  await call({ action: "add", content: "Seed fixtures", blockedBy: [setupDb] });
  const seed = idOf("Seed fixtures");
  await call({ action: "add", content: "Smoke test", blockedBy: [seed] });
  const smoke = idOf("Smoke test");
  await call({ action: "blocked" });
  await call({ action: "update", id: setupDb, blockedBy: [smoke] });

  console.log("\n— Turn 2: the database is there");
  await call({ action: "complete", id: setupDb });
  await call({
    action: "update",
    id: seed,
    status: "in_progress",
    active_form: "Seeding fixtures",
  });

  console.log("\n— Turn 3: the fixtures are in, the smoke test is dropped");
  await call({ action: "complete", id: seed });
  await call({ action: "blocked" });
  await call({ action: "remove", id: smoke });
  await call({ action: "list" });

  console.log(`\nThe sidecar, ${session.sidecarPath}:\n`);
  console.log(await Deno.readTextFile(session.sidecarPath));
}

/** Starts a task and never finishes it. Runs in a process of its own, which is killed. */
async function startAndHang(sessionDir: string): Promise<void> {
  const session = await openSession({ sessionId: "crash", sessionDir });
  const { task } = await session.tasks({
    action: "add",
    content: "Migrate the schema",
  });
  const started = await session.tasks({
    action: "update",
    id: task.id,
    status: "in_progress",
  });
  console.log(describe(started.task));
}

/** Opens what the killed process left behind. */
async function resume(sessionDir: string): Promise<void> {
  // Any sign of life older than this counts as a crash; by default it is five minutes.
  const staleAfterMs = 10;
  await using session = await openSession({
    sessionId: "crash",
    sessionDir,
    staleAfterMs,
  });
  for (const warning of session.warnings) {
    console.log(`warning: ${warning.message}`);
  }
  for (const task of session.snapshot.tasks) console.log(describe(task));
}

function describe({ id, status, content }: Task): string {
  return `${id} · ${status} · ${content}`;
}

function startProcess(role: string, sessionDir: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-read",
      `--allow-write=${sessionDir}`,
      import.meta.url,
      role,
      sessionDir,
    ],
    stdout: "piped",
  }).spawn();
}

async function crashAndResume(sessionDir: string): Promise<void> {
  console.log("— A process starts a task and is killed in the middle of it");
  const first = startProcess("hang", sessionDir);
  for await (const line of first.stdout.pipeThrough(new TextDecoderStream())) {
    console.log(`  first process   ${line.trim()}`);
    break;
  }
  first.kill("SIGKILL");
  await first.status;
  console.log("  killed");

  console.log("— Another process resumes the session");
  const { stdout } = await startProcess("resume", sessionDir).output();
  for (const line of new TextDecoder().decode(stdout).trim().split("\n")) {
    console.log(`  second process  ${line}`);
  }
}

const [role, dir] = Deno.args;
if (role === "hang" && dir !== undefined) {
  await startAndHang(dir);
} else if (role === "resume" && dir !== undefined) {
  await resume(dir);
} else {
  const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_demo_" });
  try {
    await playWorkedExample(sessionDir);
    await crashAndResume(sessionDir);
  } catch (error) {
    if (!(error instanceof TasksError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    Deno.exitCode = 1;
  } finally {
    await Deno.remove(sessionDir, { recursive: true });
  }
}
