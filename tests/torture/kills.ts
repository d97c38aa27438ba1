import { Random } from "./random.ts";
import { pause, type Torture, within } from "./round.ts";
import { type Host, Scene, TEMP } from "./scene.ts";

const ROUNDS_PER_SESSION = 20;
/** Sessions at a time, since some have to wait until what was left is taken over. */
const SESSIONS = 3;

/** Hosts that are killed at random moments, alone or among others. */
export const kills: Torture = {
  name: "kills",
  shows: "SIGKILL at a random moment loses nothing that was answered",
  rounds: 60,
  async run(rounds: number, random: Random): Promise<string> {
    const total = { rounds: 0, killed: 0, answered: 0, leftovers: 0 };
    let started = 0;
    const play = (random: Random) =>
      Scene.play(random, async (scene) => {
        for (let i = 0; i < ROUNDS_PER_SESSION && started < rounds; i++) {
          const where = `kills, round ${++started}`;
          const round = await within(120, where, kill(scene, random, where));
          total.rounds++;
          total.killed += round.killed;
          total.leftovers += round.leftovers;
        }
        total.answered += scene.ledger.answered;
      });
    await Promise.all(Array.from({ length: SESSIONS }, async () => {
      const own = new Random(random.seed());
      while (started < rounds) await play(own);
    }));
    return `${total.rounds} good loads after ${total.killed} kills, none of ` +
      `${total.answered} answered changes missing, ` +
      `${total.leftovers} temp files left and taken over`;
  },
};

interface Killed {
  readonly killed: number;
  readonly leftovers: number;
}

async function kill(
  scene: Scene,
  random: Random,
  where: string,
): Promise<Killed> {
  const lanes = random.pick([["a"], ["a"], ["a", "b", "c"]]);
  let killed = 0;
  let hosts = lanes.map((lane) => startHost(scene, random, lane));
  try {
    if (hosts.length > 1 && random.chance(0.3)) {
      // The others wait for what the killed one may have left.
      const victim = hosts[0]!;
      await killAtRandom(victim, random);
      killed++;
      const { tasks } = await scene.check(where, [victim.lane]);
      scene.ledger.settle(victim.lane, tasks);
      hosts = [...hosts.slice(1), startHost(scene, random, victim.lane)];
    }
    await Promise.all(hosts.map((host) => killAtRandom(host, random)));
    killed += hosts.length;
  } finally {
    await Promise.all(hosts.map(({ child }) => child.kill()));
  }
  const { tasks } = await scene.check(where);
  for (const lane of lanes) scene.ledger.settle(lane, tasks);
  const isLeft = (await scene.names()).includes(TEMP);
  await scene.resume(where);
  return { killed, leftovers: isLeft ? 1 : 0 };
}

function startHost(scene: Scene, random: Random, lane: string): Host {
  return scene.startHost(lane, { padding: random.pick([0, 0, 10_000]) });
}

async function killAtRandom(
  { child }: Host,
  random: Random,
): Promise<void> {
  // Some do not get as far as to open the session.
  const lines = random.chance(0.1) ? 0 : random.between(1, 120);
  const delay = lines === 0 ? random.below(300) : random.below(20) / 4;
  await child.says(lines);
  await pause(delay);
  await child.kill();
}
