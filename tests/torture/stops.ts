import type { Random } from "./random.ts";
import { pause, type Torture, within } from "./round.ts";
import { Scene } from "./scene.ts";
import { Watch } from "./watch.ts";

const STOPPED = ["a", "b", "c", "d"];
const WRITING = ["w", "x"];
/** A host that is stopped for longer is taken for dead, in milliseconds. */
const TAKEN_FOR_DEAD_MS = 3_000;

/** Hosts that are stopped in the middle of their work, and go on after another took over. */
export const stops: Torture = {
  name: "stops",
  shows: "SIGSTOP for longer than 3 s, then SIGCONT, tears and loses nothing",
  rounds: 4,
  async run(rounds: number, random: Random): Promise<string> {
    if (Deno.build.os === "windows") return "left out: nothing can be stopped";
    let answered = 0;
    let reads = 0;
    for (let i = 1; i <= rounds; i++) {
      const where = `stops, round ${i}`;
      await Scene.play(random, async (scene) => {
        reads += await within(180, where, stop(scene, random, where));
        answered += scene.ledger.answered;
      });
    }
    return `${rounds * STOPPED.length} hosts stopped and continued while ` +
      `${WRITING.length} others wrote: a reader saw ${reads} whole files, ` +
      `each newer than the one before, and none of ${answered} answered ` +
      "changes is missing or there twice";
  },
};

async function stop(
  scene: Scene,
  random: Random,
  where: string,
): Promise<number> {
  await using watch = new Watch(scene);
  const padding = random.pick([0, 20_000]);
  const writing = WRITING.map((lane) => scene.startHost(lane, { padding }));
  const stopped = STOPPED.map((lane) => scene.startHost(lane, { padding }));
  try {
    await Promise.all(
      [...writing, ...stopped].map(({ child }) => child.says(10)),
    );
    await Promise.all(stopped.map(async ({ child }) => {
      await pause(random.below(4_000) / 10);
      child.signal("SIGSTOP");
      await pause(TAKEN_FOR_DEAD_MS + random.below(1_500));
      child.signal("SIGCONT");
      await child.says(child.lines + 5);
    }));
    await Promise.all(
      [...writing, ...stopped].map(({ child }) => child.finish()),
    );
  } finally {
    await Promise.all(
      [...writing, ...stopped].map(({ child }) => child.kill()),
    );
  }
  await scene.check(where);
  await scene.resume(where);
  return await watch.end(where);
}
