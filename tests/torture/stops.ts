import type { Random } from "./random.ts";
import { pause, type Torture, within } from "./round.ts";
import { type Host, Scene, TEMP } from "./scene.ts";
import { Watch } from "./watch.ts";

const STOPPED = ["a", "b", "c", "d"];
const WRITING = ["w", "x"];
/** How often the hosts of one round are stopped. */
const WAVES = 3;
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
        total.caught += round.caught;
        total.answered += scene.ledger.answered;
      });
    }
    return `${
      rounds * WAVES * STOPPED.length
    } hosts stopped, ${total.caught} of ` +
      "them seen to be in the middle of a save, and " +
      `continued while ${WRITING.length} others wrote: a reader saw ` +
      `${total.reads} whole files, each newer than the one before, and none ` +
      `of ${total.answered} answered changes is missing or there twice`;
  },
};

interface Stopped {
  readonly reads: number;
  /** How often one of the hosts was seen to be stopped in the middle of a save. */
  readonly caught: number;
}

async function stop(
  scene: Scene,
  random: Random,
  where: string,
): Promise<Stopped> {
  await using watch = new Watch(scene);
  const padding = random.pick([0, 20_000]);
  const start = (lane: string) =>
    scene.startHost(lane, { padding, plenty: 300 });
  const stopped = STOPPED.map(start);
  const hosts = [...WRITING.map(start), ...stopped];
  let caught = 0;
  try {
    await Promise.all(hosts.map(({ child }) => child.says(10)));
    for (let wave = 0; wave < WAVES; wave++) {
      if (await stopAll(scene, stopped, random)) caught++;
      await Promise.all(
        stopped.map((host) => goOn(scene, host, random)),
      );
    }
    await Promise.all(hosts.map(({ child }) => child.finish()));
  } finally {
    await Promise.all(hosts.map(({ child }) => child.kill()));
  }
  await scene.check(where);
  await scene.resume(where);
  return { reads: await watch.end(where), caught };
}

/**
 * Stops hosts: at any moment, or while there is a temp file, until one of them is
 * caught with its own, or when the temp file has just been renamed.
 */
async function stopAll(
  scene: Scene,
  hosts: readonly Host[],
  random: Random,
): Promise<boolean> {
  const moment = random.pick(["any", "saving", "saving", "saved"]);
  for (let attempt = 1;; attempt++) {
    await pause(random.below(100));
    if (moment !== "any") await temp(scene);
    if (moment === "saving") spin(random.below(400));
    while (moment === "saved" && lookAtTemp(scene) !== undefined);
    for (const { child } of hosts) child.signal("SIGSTOP");
    const before = lookAtTemp(scene);
    await pause(100);
    const isCaught = before !== undefined && before === lookAtTemp(scene);
    if (isCaught || moment !== "saving" || attempt >= 20) return isCaught;
    for (const { child } of hosts) child.signal("SIGCONT");
  }
}

/** Lets a host go on once others have taken over, most often when they have a temp file. */
async function goOn(
  scene: Scene,
  { child }: Host,
  random: Random,
): Promise<void> {
  await pause(TAKEN_FOR_DEAD_MS + 200 + random.below(1_300));
  if (random.chance(0.7)) await temp(scene);
  child.signal("SIGCONT");
  await child.says(child.lines + 5);
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

/** Takes so long, without letting go: a pause would be far longer. */
function spin(microseconds: number): void {
  const end = performance.now() + microseconds / 1_000;
  while (performance.now() < end);
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
