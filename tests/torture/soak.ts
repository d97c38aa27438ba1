import { Child } from "./child.ts";
import type { Random } from "./random.ts";
import { expect, type Torture, within } from "./round.ts";
import { expectSame, Scene } from "./scene.ts";
import type { Soaked } from "./soak_host.ts";

const CALLS_PER_ROUND = 1_000;
const SESSIONS = 100;
/** How much more memory the second half may take than the first. */
const GROWTH = 1.3;
/** How much more in any case: what a short run has not yet taken up, in bytes. */
const SLACK = 200e6;

/** Many sessions in one process, for long. */
export const soak: Torture = {
  name: "soak",
  shows:
    `${SESSIONS} sessions in one process leave neither memory nor handles behind`,
  rounds: 100,
  run(rounds: number, random: Random): Promise<string> {
    return Scene.play(random, (scene) => run(scene, rounds, random));
  },
};

async function run(
  scene: Scene,
  rounds: number,
  random: Random,
): Promise<string> {
  const calls = rounds * CALLS_PER_ROUND;
  // A short run opens fewer, or it would do nothing but open them.
  const sessions = Math.min(SESSIONS, 10 * rounds);
  const said: string[] = [];
  await using child = new Child({
    script: "soak_host.ts",
    input: {
      sessionDir: scene.sessionDir,
      sessions,
      calls,
      seed: random.seed(),
    },
    onLine: (line) => said.push(line),
  });
  // It must end by itself.
  await within(60 + rounds * 30, "the soak", child.finish());
  const { changes, refused, wrong, resident, handles }: Soaked = JSON.parse(
    said.join(""),
  );
  const [first, second] = resident;
  const [before, between, after] = handles;
  expectSame(refused, [], "what was refused");
  expectSame(wrong, [], "the sessions whose sidecar is wrong");
  expectSame((await scene.names()).length, sessions + 1, "the number of files");
  const megabytes = resident.map((bytes) => Math.round(bytes / 1e6));
  expect(
    second < Math.max(GROWTH * first, first + SLACK),
    `Memory grew: ${megabytes[0]} MB in the first half, ${
      megabytes[1]
    } MB in the second`,
  );
  expect(
    after <= before,
    `${after} handles are open, and ${before} were before`,
  );
  return `${calls} calls (${changes} changes) on ${sessions} sessions: every ` +
    `sidecar is its last snapshot; at most ${megabytes[0]} MB in the first ` +
    `half, ${megabytes[1]} MB in the second; ${before} handles before, ` +
    `${between} between, ${after} after; it ended by itself`;
}
