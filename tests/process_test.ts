// What can only be seen from outside: which permissions are enough, that a
// process ends by itself, and what a killed one leaves behind.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path/join";
import { openSession } from "../mod.ts";
import { PACKAGE, permissionsFor, run, start } from "./support/child.ts";
import { makeSessionDir } from "./support/session_dir.ts";
import { parseSidecar } from "./support/sidecar.ts";

const SIDECAR = "s.tasks.json";
const OWN_MODULES = ["mod.ts", "worker.ts", "src"].map((name) =>
  join(PACKAGE, name)
);

Deno.test("a process that only imports the package ends by itself, with no permission at all", async () => {
  for (const script of ["import_only.ts", "import_worker.ts"]) {
    assertEquals(await run({ script }), { code: 0, stdout: "", stderr: "" });
  }
});

Deno.test("a process needs to read the worker and src, and to read and write the session directory, and nothing else", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout, stderr } = await run({
    script: "open_and_close.ts",
    args: [dir.path],
    permissions: [
      `--allow-read=${OWN_MODULES.slice(1)},${dir.path}`,
      `--allow-write=${dir.path}`,
    ],
  });
  assertEquals([code, stdout, stderr], [0, `${dir.at(SIDECAR)}\n`, ""]);
  assertEquals(parseSidecar(await dir.read(SIDECAR)).tasks.length, 1);
});

for (const missing of ["read", "write"] as const) {
  Deno.test(`a process that may not ${missing} the session directory is told so, and ends by itself`, async () => {
    await using dir = await makeSessionDir();
    const { code, stdout, stderr } = await run({
      script: "try_to_add.ts",
      args: [dir.path],
      permissions: [
        `--allow-read=${PACKAGE}${missing === "read" ? "" : `,${dir.path}`}`,
        ...missing === "write" ? [] : [`--allow-write=${dir.path}`],
      ],
    });
    const [error, message = ""] = stdout.split("\n");
    assertEquals([code, error, stderr], [0, "open_failed", ""]);
    assertStringIncludes(message, `--allow-${missing}=${dir.path}`);
    assertEquals(await dir.names(), []);
  });
}

Deno.test("a process that may not read the worker is told so, and ends by itself", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout, stderr } = await run({
    script: "try_to_add.ts",
    args: [dir.path],
    permissions: [`--allow-read=${dir.path}`, `--allow-write=${dir.path}`],
  });
  const [error, message = ""] = stdout.split("\n");
  assertEquals([code, error, stderr], [0, "open_failed", ""]);
  assertStringIncludes(message, "--allow-read");
});

Deno.test("a process that may not read the environment is told to name the directory, and ends by itself", async () => {
  const { code, stdout, stderr } = await run({
    script: "try_to_add.ts",
    permissions: ["--allow-read", "--allow-write"],
  });
  const [error, message = ""] = stdout.split("\n");
  assertEquals([code, error, stderr], [0, "open_failed", ""]);
  assertStringIncludes(message, "sessionDir");
  assertStringIncludes(message, "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE");
});

Deno.test("a process with a relative session directory that may not read its own directory is told so", async () => {
  const { code, stdout, stderr } = await run({
    script: "try_to_add.ts",
    args: ["sessions"],
    permissions: ["--allow-write"],
  });
  assertEquals([code, stdout.split("\n")[0], stderr], [0, "open_failed", ""]);
});

for (
  const [variable, inside] of [
    ["KIN_SESSION_DIR", ""],
    ["HOME", ".kin/sessions"],
    ["USERPROFILE", ".kin/sessions"],
  ] as const
) {
  Deno.test(`a process finds its session directory by ${variable}`, async () => {
    await using dir = await makeSessionDir();
    const nothing = { KIN_SESSION_DIR: "", HOME: "", USERPROFILE: "" };
    // Without a home directory Deno must be told where its cache is.
    const { code, stdout, stderr } = await run({
      script: "open_and_close.ts",
      permissions: [
        ...permissionsFor(dir.path),
        "--allow-env=KIN_SESSION_DIR,HOME,USERPROFILE",
      ],
      env: { ...nothing, [variable]: dir.path, DENO_DIR: await denoDir() },
    });
    assertEquals([code, stderr], [0, ""]);
    assertEquals(stdout, `${join(dir.path, inside, SIDECAR)}\n`);
    assertEquals(
      parseSidecar(await dir.read(join(inside, SIDECAR))).tasks.length,
      1,
    );
  });
}

async function denoDir(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json"],
  }).output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

Deno.test("a process whose worker is in an endless loop lives on, and its session gets another worker and closes", async () => {
  await using dir = await makeSessionDir();
  // Deno cannot end such a worker, so the process would never end by itself.
  await using child = start({
    script: "hang.ts",
    args: [dir.path],
    permissions: permissionsFor(dir.path),
  });
  const said: string[] = [];
  while (said.at(-1) !== "closed") {
    const { value, done } = await child.lines.next();
    assert(!done, "It ended too early.");
    said.push(value);
  }
  assertEquals(said, ["added", "timeout", "added", "timeout", "closed"]);
  const { tasks } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(tasks.map(({ content }) => content), ["before", "after"]);
});

Deno.test("a process whose sessions cannot be opened lives on, and ends by itself", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout } = await run({
    script: "fail_to_open.ts",
    args: [dir.path],
    permissions: permissionsFor(dir.path),
  });
  assertEquals([code, stdout], [0, "refused\n".repeat(6)]);
});

Deno.test("a process that loses one worker after the other lives on, and ends by itself", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout } = await run({
    script: "lose_worker.ts",
    args: [dir.path],
    permissions: permissionsFor(dir.path),
  });
  assertEquals([code, stdout], [0, "worker_crashed\n".repeat(5)]);
});

for (const answers of [1, 7, 20]) {
  Deno.test(`a process that is killed after ${answers} answers leaves a sidecar that holds all of them`, async () => {
    await using dir = await makeSessionDir();
    await using child = start({
      script: "add_tasks.ts",
      args: [dir.path, "100000", "task"],
      permissions: permissionsFor(dir.path),
    });
    const answered: string[] = [];
    while (answered.length < answers) {
      const { value, done } = await child.lines.next();
      assert(!done, "It ended too early.");
      answered.push(value);
    }
    child.process.kill("SIGKILL");
    await child.process.status;
    for (;;) {
      const { value, done } = await child.lines.next();
      if (done) break;
      answered.push(value);
    }
    const kept = parseSidecar(await dir.read(SIDECAR)).tasks.map(({ id }) =>
      id
    );
    assertEquals(kept.slice(0, answered.length), answered);
    // At most the one that was under way is there without an answer.
    assert(kept.length <= answered.length + 1);

    await using session = await openSession({
      sessionId: "s",
      sessionDir: dir.path,
    });
    assertEquals(session.warnings, []);
    await session.tasks({ action: "add", content: "after" });
    assertEquals(await dir.names(), [SIDECAR]);
    assertEquals(session.snapshot.tasks.length, kept.length + 1);
  });
}

Deno.test(
  "a process that is stopped in the middle of its work loses nothing and adds nothing twice, though another took over",
  {
    // Processes cannot be stopped there.
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await using dir = await makeSessionDir();
    await using child = start({
      script: "add_tasks.ts",
      args: [dir.path, "200", "stopped"],
      permissions: permissionsFor(dir.path),
    });
    const answered: string[] = [];
    const next = async () => {
      const { value, done } = await child.lines.next();
      if (!done) answered.push(value);
      return !done;
    };
    for (let i = 0; i < 10; i++) await next();
    child.process.kill("SIGSTOP");
    {
      // A leftover of the stopped process keeps this waiting for as long as it must.
      await using session = await openSession({
        sessionId: "s",
        sessionDir: dir.path,
      });
      for (let i = 0; i < 10; i++) {
        await session.tasks({ action: "add", content: `other ${i}` });
      }
    }
    child.process.kill("SIGCONT");
    while (await next());
    const { tasks } = parseSidecar(await dir.read(SIDECAR));
    const contents = tasks.map(({ content }) => content);
    assertEquals(new Set(contents).size, contents.length);
    assertEquals(contents.length, 210);
    assertEquals(answered.length, 200);
    const kept = new Set(tasks.map(({ id }) => id));
    assertEquals(answered.filter((id) => !kept.has(id)), []);
    assertEquals(await dir.names(), [SIDECAR]);
  },
);
