import type { TasksCall, UpdateCall } from "../../mod.ts";
import { Child } from "./child.ts";
import type { Random } from "./random.ts";
import { READY } from "./race.ts";
import { expect, type Torture, within } from "./round.ts";
import { expectSame, Scene, SESSION, SIDECAR } from "./scene.ts";
import { Watch } from "./watch.ts";

const HOSTS = ["a", "b", "c", "d"];
const ADDS = 50;
const PAIRS = 20;

type Edge = UpdateCall & { readonly blockedBy: readonly string[] };

/** Several hosts on one session. */
export const hosts: Torture = {
  name: "hosts",
  shows: "several processes on one session lose nothing of each other",
  rounds: 20,
  async run(rounds: number, random: Random): Promise<string> {
    let answered = 0;
    let refused = 0;
    let reads = 0;
    for (let i = 1; i <= rounds; i++) {
      const where = `hosts, round ${i}`;
      reads += await within(120, where, Scene.play(random, addAtOnce));
      await within(
        120,
        where,
        Scene.play(random, (scene) => closeCircles(scene, random)),
      );
      refused += PAIRS;
      answered += await within(
        120,
        where,
        Scene.play(random, (scene) => mix(scene, random, where)),
      );
    }
    return `${rounds} times ${HOSTS.length} × ${ADDS} adds left exactly ` +
      `${HOSTS.length * ADDS} tasks, a reader saw ${reads} whole files and ` +
      `none twice, of ${refused} circles each was refused to whoever came ` +
      `late, and none of ${answered} mixed changes is missing`;
  },
};

/** As many tasks as were added, each once. */
async function addAtOnce(scene: Scene): Promise<number> {
  await using watch = new Watch(scene);
  const answers = await race(
    scene,
    HOSTS.map((host) =>
      Array.from({ length: ADDS }, (_, i) => ({
        action: "add",
        content: `${host} ${i}`,
      }))
    ),
  );
  const { tasks, revision } = await scene.sidecar();
  expectSame(
    tasks.map(({ id }) => id).sort(),
    answers.flat().sort(),
    "the tasks that were added at once",
  );
  expectSame(revision, HOSTS.length * ADDS, "the revision");
  expectSame(await scene.names(), [SIDECAR], "the directory");
  return await watch.end("adds at once");
}

/** Two hosts add the two halves of many circles: one half of each gets in. */
async function closeCircles(scene: Scene, random: Random): Promise<void> {
  const pairs: [string, string][] = [];
  {
    await using session = await scene.open();
    const add = async (content: string) =>
      (await session.tasks({ action: "add", content })).task.id;
    for (let i = 0; i < PAIRS; i++) {
      pairs.push([await add(`left ${i}`), await add(`right ${i}`)]);
    }
  }
  const edges = (side: 0 | 1) =>
    random.shuffle(pairs).map((pair): Edge => ({
      action: "update",
      id: pair[side],
      blockedBy: [pair[1 - side]!],
    }));
  const calls = [edges(0), edges(1)];
  const answers = await race(scene, calls);
  const { tasks } = await scene.sidecar();
  const stored = new Map(tasks.map(({ id, blockedBy }) => [id, blockedBy]));
  for (const [host, made] of calls.entries()) {
    for (const [i, call] of made.entries()) {
      const { id, blockedBy } = call;
      const isIn = answers[host]?.[i] === id;
      expect(
        isIn || answers[host]?.[i] === "cycle",
        `An edge was answered ${answers[host]?.[i]}`,
      );
      expectSame(stored.get(id), isIn ? blockedBy : undefined, "an edge");
    }
  }
  expectSame(
    answers.flat().filter((answer) => answer === "cycle").length,
    PAIRS,
    "the number of refused edges",
  );
}

/** Mixed calls of three processes and two sessions of this one. */
async function mix(
  scene: Scene,
  random: Random,
  where: string,
): Promise<number> {
  const started = ["a", "b", "c"].map((lane) => scene.startHost(lane));
  try {
    let isOver = false;
    const here = ["here", "there"].map(async (lane) => {
      await using session = await scene.open();
      await scene.drive(session, lane, { isOver: () => isOver });
    });
    await Promise.all(
      started.map(({ child }) => child.says(random.between(30, 100))),
    );
    isOver = true;
    await Promise.all([...here, ...started.map(({ child }) => child.finish())]);
  } finally {
    await Promise.all(started.map(({ child }) => child.kill()));
  }
  await scene.check(where);
  await scene.resume(where);
  return scene.ledger.answered;
}

/** What each host was answered, all of which make their calls at the same time. */
async function race(
  scene: Scene,
  calls: readonly (readonly TasksCall[])[],
): Promise<string[][]> {
  const said = calls.map((): string[] => []);
  const racers = calls.map((own, i) =>
    new Child({
      script: "race.ts",
      input: { sessionId: SESSION, sessionDir: scene.sessionDir, calls: own },
      sessionDir: scene.sessionDir,
      onLine: (line) => said[i]!.push(line),
    })
  );
  try {
    await Promise.all(racers.map((racer) => racer.says(1)));
    await Promise.all(racers.map((racer) => racer.finish()));
  } finally {
    await Promise.all(racers.map((racer) => racer.kill()));
  }
  return said.map((lines) => lines.filter((line) => line !== READY));
}
