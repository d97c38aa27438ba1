import { snapshotOf } from "../support/sidecar.ts";
import type { TaskSession } from "../../mod.ts";
import type { Random } from "./random.ts";
import { expect, type Torture, within } from "./round.ts";
import { expectSame, Scene, SESSION, SIDECAR, TEMP } from "./scene.ts";
import { type Fate, fatesOf } from "./workers/mortal.ts";

const WORKER = new URL("./workers/mortal.ts", import.meta.url);
/** How many workers a session may lose within a minute. */
const MAX_LOSSES = 3;

/** Workers that die or fall silent at random moments. */
export const workers: Torture = {
  name: "workers",
  shows:
    "a worker that dies or hangs settles every call, and the session goes on",
  rounds: 20,
  async run(rounds: number, random: Random): Promise<string> {
    const total = { lost: 0, unknown: 0, answered: 0, ended: 0 };
    for (let i = 1; i <= rounds; i++) {
      const where = `workers, round ${i}`;
      const losses = random.between(1, MAX_LOSSES + 1);
      await Scene.play(random, async (scene) => {
        await within(120, where, lose(scene, losses, random, where));
        total.lost += losses;
        total.ended += losses > MAX_LOSSES ? 1 : 0;
        total.answered += scene.ledger.answered;
        for (const count of scene.ledger.refusals.values()) {
          total.unknown += count;
        }
      });
    }
    return `${total.lost} workers lost: ${total.unknown} pending calls ` +
      `refused, none left pending, none of ${total.answered} answered changes ` +
      `missing, ${total.ended} sessions ended after too many losses`;
  },
};

async function lose(
  scene: Scene,
  losses: number,
  random: Random,
  where: string,
): Promise<void> {
  const { ledger } = scene;
  const fates = Array.from({ length: losses }, () => fate(random));
  const fatesFile = scene.at(fatesOf(SESSION));
  await Deno.writeTextFile(fatesFile, JSON.stringify(fates));
  await using session = await scene.open({
    workerUrl: WORKER,
    requestTimeoutMs: 1_500,
  });
  const told: unknown[] = [];
  session.addEventListener("error", ({ error }) => told.push(error?.code));
  let rest = random.between(5, 20);
  await scene.drive(session, "a", {
    // Until all are lost, and for some time after.
    isOver: () => told.length >= losses && rest-- <= 0,
  });
  const expected = fates.map(({ how }) =>
    how === "throws" || how === "rejects" ? "worker_crashed" : "timeout"
  );
  expectSame(told, expected, `${where}: the error events`);
  for (const code of ledger.refusals.keys()) {
    expect(
      /^(worker_crashed|timeout|task_deleted)$/.test(code),
      `${where}: ${code}`,
    );
  }
  const sidecar = await scene.check(where);
  if (losses > MAX_LOSSES) await refuseAll(session, where);
  else {expectSame(
      session.snapshot,
      snapshotOf(sidecar),
      `${where}: the snapshot`,
    );}
  await session.close();
  await Deno.remove(fatesFile);
  // A worker may have been ended in the middle of a save.
  const names = (await scene.names()).filter((name) => name !== TEMP);
  expectSame(
    names,
    sidecar.tasks.length > 0 ? [SIDECAR] : [],
    `${where}: the directory`,
  );
  ledger.settle("a", sidecar.tasks);
  await scene.resume(where);
}

function fate(random: Random): Fate {
  return {
    saves: random.below(20),
    when: random.pick(["before the save", "after the save"]),
    how: random.pick([
      "throws",
      "rejects",
      "throws",
      "rejects",
      "closes",
      "falls silent",
      "hangs",
    ]),
  };
}

/** A session that lost too many workers refuses at once, and says why. */
async function refuseAll(session: TaskSession, where: string): Promise<void> {
  const { content } = await session.handleToolCall({ action: "list" });
  expect(
    content.includes("worker_crashed") && content.includes("is closed"),
    `${where}: after too many losses: ${content}`,
  );
}
