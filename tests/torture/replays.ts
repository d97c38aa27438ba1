import { snapshotOf } from "../support/sidecar.ts";
import { Child } from "./child.ts";
import type { Journaled } from "./journal.ts";
import type { Random } from "./random.ts";
import { expect, pause, type Torture, within } from "./round.ts";
import { expectSame, NOTHING_IS_STALE, Scene, SESSION } from "./scene.ts";

/** How many calls a sidecar remembers. */
const REMEMBERED = 256;

/** Journals that are replayed after a kill. */
export const replays: Torture = {
  name: "replays",
  shows:
    "calls that are sent again with their ids change nothing, also after a kill",
  rounds: 20,
  async run(rounds: number, random: Random): Promise<string> {
    const total = { replayed: 0, made: 0 };
    for (let i = 1; i <= rounds; i++) {
      const where = `replays, round ${i}`;
      await Scene.play(random, async (scene) => {
        const { replayed, made } = await within(
          120,
          where,
          replay(scene, random, where),
        );
        total.replayed += replayed;
        total.made += made;
      });
    }
    return `${rounds} kills, ${total.replayed} calls sent again: none of ` +
      `${total.made} was carried out twice, and every answer named the same task`;
  },
};

/** A host keeps a journal, is killed, and is succeeded by one that replays it. */
async function replay(
  scene: Scene,
  random: Random,
  where: string,
): Promise<{ readonly replayed: number; readonly made: number }> {
  const journal = new Map<string, Journaled>();
  const generations = random.between(1, 2);
  for (let generation = 0; generation < generations; generation++) {
    const host = new Child({
      script: "journal.ts",
      input: {
        session: {
          sessionId: SESSION,
          sessionDir: scene.sessionDir,
          ...NOTHING_IS_STALE,
        },
        generation,
        seed: random.seed(),
      },
      sessionDir: scene.sessionDir,
      onLine: (line) => {
        const entry: Journaled = JSON.parse(line);
        journal.set(entry.callId, { ...journal.get(entry.callId), ...entry });
      },
    });
    try {
      await host.says(random.between(1, 150));
      await pause(random.below(20) / 4);
    } finally {
      await host.kill();
    }
  }
  return await replayJournal(scene, [...journal.values()], random, where);
}

async function replayJournal(
  scene: Scene,
  journal: readonly Journaled[],
  random: Random,
  where: string,
): Promise<{ readonly replayed: number; readonly made: number }> {
  await using session = await scene.open();
  const before = await scene.sidecar();
  const recent = journal.slice(-REMEMBERED);
  // What was never answered is carried out now, unless it had been.
  const send = async ({ callId, call, taskId }: Journaled) => {
    const { result } = await session.handleToolCall(call, { callId });
    expect(
      "task" in result,
      `${where}: ${callId} was answered ${
        JSON.stringify(result).slice(0, 300)
      }`,
    );
    const { task } = result;
    if (taskId !== undefined) {
      expectSame(task.id, taskId, `${where}: the task that ${callId} made`);
    }
    expectSame(
      task,
      session.snapshot.tasks.find(({ id }) => id === task.id),
      `${where}: the answer to ${callId}`,
    );
    return [callId, task.id] as const;
  };
  const answered = recent.filter(({ taskId }) => taskId !== undefined);
  const known = answered.filter(() => random.chance(0.6));
  await Promise.all(random.shuffle(known).map(send));
  expectSame(await scene.sidecar(), before, `${where}: the replayed sidecar`);
  const made = new Map(await Promise.all(recent.map(send)));
  await session.close();

  // Another restart, and all of them once more.
  const after = await scene.sidecar();
  await using next = await scene.open();
  await Promise.all(
    random.shuffle(recent).map(async ({ callId, call }) => {
      const { result } = await next.handleToolCall(call, { callId });
      expect(
        "task" in result && result.task.id === made.get(callId),
        `${where}: ${callId} was answered ${
          JSON.stringify(result).slice(0, 300)
        }`,
      );
    }),
  );
  expectSame(await scene.sidecar(), after, `${where}: the sidecar after all`);
  expectSame(next.snapshot, snapshotOf(after), `${where}: the snapshot`);
  const adds = after.tasks.map(({ content }) => content.split(" ")[0]);
  expectSame(new Set(adds).size, adds.length, `${where}: the number of tasks`);
  return { replayed: known.length + 2 * recent.length, made: journal.length };
}
