// The examples for the providers' SDKs, each in a process of its own against a
// provider on this machine, which takes no message that a real one would refuse.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { tasksTool } from "@kin/tasks-dag";
import { run, start } from "../support/child.ts";
import { makeSessionDir, type SessionDir } from "../support/session_dir.ts";
import { parseSidecar } from "../support/sidecar.ts";
import type { Conversation } from "./conversation.ts";
import { type Loop, LOOPS, runOf } from "./loops.ts";
import { type ProviderServer, startProvider } from "./provider_server.ts";
import {
  CHECKS,
  FINISH,
  NOTES,
  PLAN,
  resultsOf,
  TAG,
} from "./release_script.ts";

/** Runs a loop until it ends, and gives what it printed. */
async function play(
  loop: Loop,
  provider: ProviderServer,
  ...args: [directory: string, prompt?: string]
): Promise<string> {
  const { code, stdout, stderr } = await run(runOf(loop, provider, args));
  assertEquals({ code, problems: provider.problems }, {
    code: 0,
    problems: [],
  }, stderr);
  return stdout;
}

/** The tasks of the sidecar: status, content, and what each waits for. */
async function graphIn(dir: SessionDir): Promise<unknown[]> {
  const { tasks } = parseSidecar(await dir.read("agent.tasks.json"));
  const contents = new Map(tasks.map(({ id, content }) => [id, content]));
  return tasks.map(({ status, content, blockedBy = [] }) => [
    status,
    content,
    ...blockedBy.map((id) => contents.get(id)),
  ]);
}

/** What the model reads when it is asked for the `nth` time, from 0. */
function readings(asked: readonly Conversation[], nth: number): unknown[] {
  const conversation = asked[nth];
  assert(conversation !== undefined);
  return resultsOf(conversation).map(({ text }) => JSON.parse(text));
}

for (const loop of LOOPS) {
  Deno.test(`${loop.name} offers the tool with its schema, and instructions`, async () => {
    await using dir = await makeSessionDir();
    await using provider = startProvider(loop.wire, [() => ({ text: "Hi." })]);
    await play(loop, provider, dir.path, "Hello");
    const [first] = provider.asked;
    assertEquals(first?.model, "scripted");
    assertStringIncludes(first?.instructions ?? "", "tasks tool");
    const { name, description, inputSchema: schema } = tasksTool;
    assertEquals(first?.tools, [{ name, description, schema }]);
    assertEquals(first?.turns, [{ by: "user", text: "Hello" }]);
  });

  Deno.test(`${loop.name} answers several calls of one message in their order`, async () => {
    await using dir = await makeSessionDir();
    await using provider = startProvider(loop.wire, PLAN);
    await play(loop, provider, dir.path, "Plan the release");
    const contents = readings(provider.asked, 1).map((reading) =>
      Object(reading).task.content
    );
    assertEquals(contents, [NOTES, CHECKS, TAG]);
    const { tasks } = parseSidecar(await dir.read("agent.tasks.json"));
    assertEquals(tasks.map(({ content }) => content), contents);
  });

  Deno.test(`${loop.name} tells the model of a refused cycle, which it corrects`, async () => {
    await using dir = await makeSessionDir();
    await using provider = startProvider(loop.wire, PLAN);
    const output = await play(loop, provider, dir.path, "Plan the release");

    const [refused, completed] = readings(provider.asked, 3).map(Object);
    assertEquals(refused.error.code, "cycle");
    assertEquals(completed.task.status, "completed");
    if (loop.marksErrors) {
      const marks = provider.asked.slice(1).map((conversation) =>
        resultsOf(conversation).map(({ isError }) => isError)
      );
      assertEquals(marks, [
        [false, false, false],
        [false, false],
        [true, false],
        [false],
      ]);
    }
    assertEquals(await graphIn(dir), [
      ["pending", NOTES, CHECKS],
      ["completed", CHECKS],
      ["pending", TAG, NOTES, CHECKS],
    ]);
    assertStringIncludes(
      output,
      `pending  ${NOTES}\ncompleted  ${CHECKS}\npending  ${TAG}\n`,
    );
  });

  Deno.test(`${loop.name} goes on in a second run with the same conversation and graph`, async () => {
    await using dir = await makeSessionDir();
    await using provider = startProvider(loop.wire, [...PLAN, ...FINISH]);
    await play(loop, provider, dir.path, "Plan the release");
    const before = parseSidecar(await dir.read("agent.tasks.json"));
    const output = await play(loop, provider, dir.path);

    const resumed = provider.asked[PLAN.length];
    assertEquals(resumed?.turns[0], { by: "user", text: "Plan the release" });
    assertEquals(resumed?.turns.at(-1), { by: "user", text: "Go on." });
    const ids = before.tasks.map(({ id }) => id);
    const [listed] = readings(provider.asked, PLAN.length + 1).map(Object);
    assertEquals(listed.tasks.map((task: { id: string }) => task.id), ids);
    assertEquals(await graphIn(dir), [
      ["completed", NOTES, CHECKS],
      ["completed", CHECKS],
      ["completed", TAG, NOTES, CHECKS],
    ]);
    assertEquals(provider.asked.length, PLAN.length + FINISH.length);
    assertStringIncludes(output, "The release is out.");
  });

  Deno.test(`${loop.name} goes on after it was killed while the model was thinking`, async () => {
    await using dir = await makeSessionDir();
    const thinking = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<void>();
    await using provider = startProvider(loop.wire, [
      ...PLAN.slice(0, 3),
      async () => {
        thinking.resolve();
        await killed.promise;
        return { text: "Nobody hears this." };
      },
      ...PLAN.slice(3),
      ...FINISH,
    ]);
    {
      await using running = start(
        runOf(loop, provider, [dir.path, "Plan the release"]),
      );
      const ended = running.process.status.then(({ code }) => code);
      assertEquals(await Promise.race([thinking.promise, ended]), undefined);
    }
    killed.resolve();
    await play(loop, provider, dir.path);
    await play(loop, provider, dir.path);
    assertEquals((await graphIn(dir)).map((task) => Object(task)[0]), [
      "completed",
      "completed",
      "completed",
    ]);
  });
}

for (const loop of LOOPS.filter(({ keepsCalls }) => keepsCalls)) {
  Deno.test(`${loop.name} answers calls that a killed run has left, and does nothing twice`, async () => {
    await using dir = await makeSessionDir();
    await using provider = startProvider(loop.wire, [
      PLAN[0]!,
      () => ({ text: "Planned." }),
      () => ({ text: "Still planned." }),
    ]);
    await play(loop, provider, dir.path, "Plan the release");
    const saved = await dir.read("agent.tasks.json");
    // As if it had been killed while it wrote the results.
    const lines = (await dir.read("agent.jsonl")).split("\n");
    const [prompt, calls, results = ""] = lines;
    const half = results.slice(0, results.length / 2);
    await dir.write("agent.jsonl", `${prompt}\n${calls}\n${half}`);

    await play(loop, provider, dir.path);
    assertEquals(await dir.read("agent.tasks.json"), saved);
    const turns = provider.asked.at(-1)?.turns;
    assertEquals(turns?.map(({ by }) => by), [
      "user",
      "model",
      "tools",
      "user",
    ]);
    const before = readings(provider.asked, 1).map(Object);
    const turn = turns?.[2];
    assert(turn?.by === "tools");
    assertEquals(
      turn.results.map(({ text }) => JSON.parse(text).task),
      before.map(({ task }) => task),
    );
  });
}
