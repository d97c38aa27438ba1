import { join } from "@std/path/join";
import { type Snapshot, TasksError, type TaskSession } from "../../mod.ts";
import { snapshotOf } from "../support/sidecar.ts";
import type { Random } from "./random.ts";
import { expect, pause, type Torture, within } from "./round.ts";
import { expectSame, Scene, SIDECAR, TEMP } from "./scene.ts";
import { Tmpfs } from "./tmpfs.ts";

/** A fault of the disk, made and mended by other means than the package's own. */
interface Fault {
  readonly name: string;
  /** What its message must tell. */
  readonly advice: RegExp;
  /** Whether it needs a file system of its own. */
  readonly needsTmpfs?: boolean;
  /** Whether a save that was under way may leave room, so that it has to be made again. */
  readonly isLoose?: boolean;
  /** Whether there is no sidecar to look at while it lasts. */
  readonly hidesSidecar?: boolean;
  /** How another session fares that is opened while it lasts; nothing is opened by default. */
  readonly opens?: "well" | "refused";
  make(dir: string, tmpfs: Tmpfs | undefined): Promise<void>;
  mend(dir: string, tmpfs: Tmpfs | undefined): Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    name: "a full disk",
    isLoose: true,
    opens: "well",
    advice: /disk is full; free some space/,
    needsTmpfs: true,
    make: (_, tmpfs) => tmpfs!.fill(),
    mend: (_, tmpfs) => tmpfs!.free(),
  },
  {
    name: "a disk that fills up half way through a save",
    isLoose: true,
    opens: "well",
    advice: /disk is full; free some space/,
    needsTmpfs: true,
    make: (_, tmpfs) => tmpfs!.fill(4_096),
    mend: (_, tmpfs) => tmpfs!.free(),
  },
  {
    name: "a disk without a free inode",
    isLoose: true,
    opens: "well",
    advice: /disk is full; free some space/,
    needsTmpfs: true,
    make: async (dir) => {
      await Deno.mkdir(join(dir, "inodes"), { recursive: true });
      try {
        for (;;) await Deno.makeTempFile({ dir: join(dir, "inodes") });
      } catch {
        // There is none left.
      }
    },
    mend: (dir) => Deno.remove(join(dir, "inodes"), { recursive: true }),
  },
  {
    name: "a volume that became read-only",
    opens: "well",
    advice: /read-only/i,
    needsTmpfs: true,
    make: (_, tmpfs) => tmpfs!.remount("ro"),
    mend: (_, tmpfs) => tmpfs!.remount("rw"),
  },
  {
    name: "a session directory that was moved away",
    advice: /directory is gone; create it again/,
    hidesSidecar: true,
    make: (dir) => Deno.rename(dir, `${dir}-away`),
    mend: (dir) => Deno.rename(`${dir}-away`, dir),
  },
  {
    name: "a session directory that was removed and made again",
    advice: /directory is gone; create it again/,
    hidesSidecar: true,
    make: async (dir) => {
      await Deno.rename(dir, `${dir}-gone`);
      await Deno.remove(`${dir}-gone`, { recursive: true });
    },
    mend: (dir) => Deno.mkdir(dir),
  },
  {
    name: "a file in the place of the session directory",
    advice: /file stands where the directory should be; remove it/,
    hidesSidecar: true,
    opens: "refused",
    make: async (dir) => {
      await Deno.rename(dir, `${dir}-away`);
      await Deno.writeTextFile(dir, "");
    },
    mend: async (dir) => {
      await Deno.remove(dir);
      await Deno.rename(`${dir}-away`, dir);
    },
  },
  {
    name: "a directory at the temp file's path",
    opens: "well",
    advice: /in the way.*Remove it; then the next call works/,
    make: (dir) => untilDone(() => Deno.mkdir(join(dir, TEMP))),
    mend: (dir) => Deno.remove(join(dir, TEMP)),
  },
  {
    name: "a directory that is not empty at the sidecar's path",
    advice: /directory is in the way; remove it/,
    hidesSidecar: true,
    opens: "refused",
    make: async (dir) => {
      await Deno.mkdir(join(dir, "new", "inside"), { recursive: true });
      await untilDone(async () => {
        // A session that is quicker writes its sidecar anew in between.
        await Deno.rename(join(dir, SIDECAR), join(dir, "kept"));
        await Deno.rename(join(dir, "new"), join(dir, SIDECAR));
      });
    },
    mend: async (dir) => {
      await Deno.remove(join(dir, SIDECAR), { recursive: true });
      await Deno.rename(join(dir, "kept"), join(dir, SIDECAR));
    },
  },
];

/** Does it again until nothing that the session does comes in between. */
async function untilDone(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt === 1_000) throw error;
    }
  }
}

/** Disks that fail, and work again. */
export const faults: Torture = {
  name: "faults",
  shows: "a disk that fails changes nothing, and the next call works",
  rounds: 10,
  async run(rounds: number, random: Random): Promise<string> {
    const total = { faults: 0, refused: 0, answered: 0 };
    const leftOut = new Set<string>();
    for (let i = 1; i <= rounds; i++) {
      for (const fault of random.shuffle(FAULTS)) {
        const where = `faults, round ${i}, ${fault.name}`;
        await Scene.play(random, async (scene) => {
          const mounted = fault.needsTmpfs && await Tmpfs.mount(scene.root);
          if (typeof mounted === "string") {
            leftOut.add(`${fault.name} (${mounted})`);
            return;
          }
          await using tmpfs = mounted || undefined;
          await within(60, where, suffer(scene, fault, tmpfs, random, where));
          total.faults++;
          total.refused += scene.ledger.refusals.get("persist_failed") ?? 0;
          total.answered += scene.ledger.answered;
        });
      }
    }
    return `${total.faults} faults, made and mended: ${total.refused} ` +
      "changes refused with advice and nothing changed, none of " +
      `${total.answered} answered ones missing, the next call worked` +
      [...leftOut].map((what) => `; left out: ${what}`).join("");
  },
};

/** Makes the fault while calls are under way, looks at what it does, and mends it. */
async function suffer(
  scene: Scene,
  fault: Fault,
  tmpfs: Tmpfs | undefined,
  random: Random,
  where: string,
): Promise<void> {
  const { ledger, sessionDir } = scene;
  await using session = await scene.open();
  // Large enough for no save to fit into what little space a fault leaves.
  await session.tasks({ action: "add", content: "x".repeat(8_000) });
  let isOver = false;
  const padding = random.pick([0, 8_000]);
  const driving = scene.drive(session, "a", { isOver: () => isOver, padding });
  // Whatever it complains about is heard below.
  driving.catch(() => {});
  await pause(random.below(50));
  await fault.make(sessionDir, tmpfs);
  try {
    while (!ledger.refusals.has("persist_failed")) {
      await pause(5);
      if (fault.isLoose) await fault.make(sessionDir, tmpfs);
    }
    isOver = true;
    await driving;
    if (fault.isLoose) await fault.make(sessionDir, tmpfs);
    for (const code of ledger.refusals.keys()) {
      expect(
        ["persist_failed", "task_deleted"].includes(code),
        `${where}: ${code}`,
      );
    }
    await refuse(session, fault, scene, where);
  } finally {
    isOver = true;
    await fault.mend(sessionDir, tmpfs);
  }
  const { task } = await session.tasks({ action: "add", content: "next" });
  expect(
    session.snapshot.tasks.at(-1)?.id === task.id,
    `${where}: the next call`,
  );
  const sidecar = await scene.check(where);
  expectSame(session.snapshot, snapshotOf(sidecar), `${where}: the snapshot`);
  expectSame(await scene.names(), [SIDECAR], `${where}: the directory`);
}

/** While the fault lasts, a call changes nothing and says what to do. */
async function refuse(
  session: TaskSession,
  fault: Fault,
  scene: Scene,
  where: string,
): Promise<void> {
  const { snapshot } = session;
  const look = async () => ({
    text: fault.hidesSidecar || await Deno.readTextFile(scene.at(SIDECAR)),
    names: fault.hidesSidecar || await scene.names(),
  });
  const before = await look();
  let events = 0;
  const count = () => events++;
  session.addEventListener("tasks_changed", count);
  for (
    const call of [
      { action: "add", content: "x".repeat(5_000) },
      { action: "update", id: snapshot.tasks[0]!.id, status: "in_progress" },
      { action: "complete", id: snapshot.tasks[0]!.id },
    ]
  ) {
    const { result } = await session.handleToolCall(call);
    const { code, message = "" } = "error" in result
      ? result.error
      : { code: "done" };
    expect(code === "persist_failed", `${where}: ${code}`);
    expect(fault.advice.test(message), `${where}: ${message}`);
  }
  const list = await session.tasks({ action: "list" });
  session.removeEventListener("tasks_changed", count);
  expectSame(list.snapshot, snapshot, `${where}: the memory`);
  expectSame(events, 0, `${where}: the number of events`);
  expectSame(await look(), before, `${where}: the files`);
  await openMeanwhile(fault, scene, snapshot, where);
}

/** Another session that is opened while the fault lasts. */
async function openMeanwhile(
  { opens, advice }: Fault,
  scene: Scene,
  snapshot: Snapshot,
  where: string,
): Promise<void> {
  if (opens === undefined) return;
  try {
    await using other = await scene.open();
    expectSame(opens, "well", `${where}: opening`);
    expectSame(other.snapshot, snapshot, `${where}: what another opened`);
  } catch (error) {
    if (!(error instanceof TasksError)) throw error;
    expectSame(opens, "refused", `${where}: opening`);
    expectSame(error.code, "open_failed", `${where}: the code`);
    expect(advice.test(error.message), `${where}: ${error.message}`);
  }
}
