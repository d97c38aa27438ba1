// Keeps many sessions busy at once, and says what that took and left.
// Argument: SoakInput as JSON.

import { openSession, type TaskSession } from "../../mod.ts";
import { parseSidecar, snapshotOf } from "../support/sidecar.ts";
import { drive } from "./drive.ts";
import { Random } from "./random.ts";

/** What a soak is told. */
export interface SoakInput {
  readonly sessionDir: string;
  readonly sessions: number;
  /** How many calls to make in all. */
  readonly calls: number;
  readonly seed: number;
}

/** What a soak says at its end. */
export interface Soaked {
  readonly changes: number;
  /** Codes of refusals, which there should be none of. */
  readonly refused: readonly string[];
  /** The sessions whose sidecar is not their last snapshot. */
  readonly wrong: readonly string[];
  /** The most memory that was resident in each half, in bytes. */
  readonly resident: readonly [number, number];
  /** How many file descriptors were open before, between and after. */
  readonly handles: readonly [number, number, number];
}

async function soak(input: SoakInput): Promise<Soaked> {
  const { sessionDir, sessions: count, calls, seed } = input;
  await warmUp(sessionDir);
  const before = handles();
  const sessions = await Promise.all(
    Array.from(
      { length: count },
      (_, i) => openSession({ sessionId: `s${i}`, sessionDir }),
    ),
  );
  let made = 0;
  let changes = 0;
  const refused: string[] = [];
  const resident: [number, number] = [0, 0];
  await Promise.all(
    sessions.map((session, i) =>
      drive(countingCalls(session, () => made++), {
        lane: "a",
        mark: `${i}`,
        random: new Random(seed + i),
        plenty: 40,
        isOver: () => {
          const half = 2 * made < calls ? 0 : 1;
          resident[half] = Math.max(resident[half], Deno.memoryUsage().rss);
          return made >= calls;
        },
        report: (report) => {
          if (report.kind === "answered") changes++;
          if (report.kind === "refused") refused.push(report.code);
        },
      })
    ),
  );
  const between = handles();
  const wrong: string[] = [];
  for (const { sessionId, sidecarPath, snapshot } of sessions) {
    const stored = snapshotOf(
      parseSidecar(await Deno.readTextFile(sidecarPath)),
    );
    if (canonical(stored) !== canonical(snapshot)) wrong.push(sessionId);
  }
  await Promise.all(sessions.map((session) => session.close()));
  const after = await settled(before);
  return {
    changes,
    refused,
    wrong,
    resident,
    handles: [before, between, after],
  };
}

/** Opens a session and closes it, so that what is made once is there. */
async function warmUp(sessionDir: string): Promise<void> {
  const session = await openSession({ sessionId: "warm", sessionDir });
  await session.tasks({ action: "add", content: "warm" });
  await session.close();
}

function countingCalls(session: TaskSession, count: () => void): TaskSession {
  return new Proxy(session, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      if (key === "tasks" || key === "handleToolCall") count();
      return value.bind(target);
    },
  });
}

function handles(): number {
  if (Deno.build.os !== "linux") return 0;
  return [...Deno.readDirSync("/proc/self/fd")].length;
}

/** The number of handles once it is no higher than before, or has had time enough. */
async function settled(before: number): Promise<number> {
  for (let i = 0; i < 100 && handles() > before; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return handles();
}

function canonical(value: object): string {
  return JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort())
        : inner,
  );
}

if (import.meta.main) {
  console.log(JSON.stringify(await soak(JSON.parse(Deno.args[0] ?? ""))));
}
