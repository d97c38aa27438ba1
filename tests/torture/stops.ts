import type { Random } from "./random.ts";
import { pause, type Torture, within } from "./round.ts";
import { type Host, Scene, TEMP } from "./scene.ts";
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
    const total = { reads: 0, caught: 0, answered: 0 };
    for (let i = 1; i <= rounds; i++) {
      const where = `stops, round ${i}`;
      await Scene.play(random, async (scene) => {
        const round = await within(180, where, stop(scene, random, where));
        total.reads += round.reads;
        total.caught += round.isCaught ? 1 : 0;
        total.answered += scene.ledger.answered;
      });
    }
    return `${rounds * STOPPED.length} hosts stopped, of which ` +
      `${total.caught} had their temp file written and not renamed, and ` +
      `continued while ${WRITING.length} others wrote: a reader saw ` +
      `${total.reads} whole files, each newer than the one before, and none ` +
      `of ${total.answered} answered changes is missing or there twice`;
  },
};

interface Stopped {
  readonly reads: number;
  /** Whether one of the hosts was stopped in the middle of a save. */
  readonly isCaught: boolean;
}

async function stop(
  scene: Scene,
  random: Random,
  where: string,
): Promise<Stopped> {
  await using watch = new Watch(scene);
  const padding = random.pick([0, 20_000]);
  const start = (lane: string) => scene.startHost(lane, { padding });
  const stopped = STOPPED.map(start);
  const writing = WRITING.map(start);
  const hosts = [...writing, ...stopped];
  let isCaught: boolean;
  try {
    await Promise.all(hosts.map(({ child }) => child.says(10)));
    isCaught = await stopAll(scene, stopped, random);
    await Promise.all(stopped.map(async ({ child }) => {
      await pause(TAKEN_FOR_DEAD_MS + random.below(1_500));
      child.signal("SIGCONT");
      await child.says(child.lines + 5);
    }));
    await Promise.all(hosts.map(({ child }) => child.finish()));
  } finally {
    await Promise.all(hosts.map(({ child }) => child.kill()));
  }
  await scene.check(where);
  await scene.resume(where);
  return { reads: await watch.end(where), isCaught };
}

/** Stops hosts, most often while there is a temp file, until one of them is caught with its own. */
async function stopAll(
  scene: Scene,
  hosts: readonly Host[],
  random: Random,
): Promise<boolean> {
  const attempts = random.pick([1, 20, 20]);
  for (let attempt = 1;; attempt++) {
    await pause(random.below(100));
    if (attempts > 1) await temp(scene);
    for (const { child } of hosts) child.signal("SIGSTOP");
    const before = lookAtTemp(scene);
    await pause(100);
    const isCaught = before !== undefined && before === lookAtTemp(scene);
    if (isCaught || attempt >= attempts) return isCaught;
    for (const { child } of hosts) child.signal("SIGCONT");
  }
}

/** Resolves as soon as there is a temp file, which is not for long. */
async function temp(scene: Scene): Promise<void> {
  for (;;) {
    for (let look = 0; look < 1_000; look++) {
      if (lookAtTemp(scene) !== undefined) return;
    }
    await pause(0);
  }
}

/** What tells one temp file from the next, where there is one. */
function lookAtTemp(scene: Scene): string | undefined {
  try {
    const { ino, mtime } = Deno.lstatSync(scene.at(TEMP));
    return `${ino} ${mtime?.getTime()}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
