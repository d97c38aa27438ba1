import { join } from "@std/path/join";
import {
  openSession,
  type SessionOptions,
  type TaskSession,
} from "../../mod.ts";
import { parseSidecar, type Sidecar, snapshotOf } from "../support/sidecar.ts";
import { Child } from "./child.ts";
import { drive, type DriveOptions } from "./drive.ts";
import type { HostInput } from "./host.ts";
import { Ledger } from "./ledger.ts";
import { Random } from "./random.ts";
import type { Report } from "./report.ts";
import { Broken, expectNone } from "./round.ts";

/** The name of every scene's session. */
export const SESSION = "s";
/** The file that it is kept in. */
export const SIDECAR = "s.tasks.json";
/** The file that is renamed over it. */
export const TEMP = "s.tasks.json.tmp";

/** A host in a process of its own. */
export interface Host {
  readonly lane: string;
  readonly child: Child;
}

/** One session, the hosts that share it, and what they were answered. */
export class Scene {
  readonly ledger: Ledger = new Ledger();
  /** The directory that everything is in. */
  readonly root: string;
  /** The session directory. */
  readonly sessionDir: string;
  readonly #random: Random;

  private constructor(root: string, random: Random) {
    this.root = root;
    this.sessionDir = join(root, "sessions");
    this.#random = random;
  }

  /** Plays in a new directory, which is kept for people to look at when something is wrong. */
  static async play<T>(
    random: Random,
    play: (scene: Scene) => Promise<T>,
  ): Promise<T> {
    const root = await Deno.realPath(
      await Deno.makeTempDir({ prefix: "torture-" }),
    );
    const scene = new Scene(root, random);
    await Deno.mkdir(scene.sessionDir);
    let result: T;
    try {
      result = await play(scene);
    } catch (error) {
      throw new Broken(`See ${root}`, { cause: error });
    }
    await Deno.remove(root, { recursive: true });
    return result;
  }

  /** The path of a file in the session directory. */
  at(name: string): string {
    return join(this.sessionDir, name);
  }

  /** The names of what is in the session directory, sorted. */
  async names(): Promise<string[]> {
    const entries = await Array.fromAsync(Deno.readDir(this.sessionDir));
    return entries.map(({ name }) => name).sort();
  }

  /** Starts a host that makes calls until it is stopped or killed. */
  startHost(
    lane: string,
    input: Partial<Pick<HostInput, "session" | "padding" | "plenty">> = {},
  ): Host {
    const child = new Child({
      script: "host.ts",
      input: {
        session: { sessionId: SESSION, ...NOTHING_IS_STALE },
        sessionDir: this.sessionDir,
        lane,
        seed: this.#random.seed(),
        ...input,
      },
      sessionDir: this.sessionDir,
      onLine: (line) => this.ledger.take(lane, JSON.parse(line) as Report),
    });
    return { lane, child };
  }

  /** Opens the session in this process. */
  open(options: Partial<SessionOptions> = {}): Promise<TaskSession> {
    return openSession({
      sessionId: SESSION,
      sessionDir: this.sessionDir,
      ...NOTHING_IS_STALE,
      ...options,
    });
  }

  /** Makes calls on a session of this process. */
  async drive(
    session: TaskSession,
    lane: string,
    options: Pick<DriveOptions, "isOver" | "padding">,
  ): Promise<void> {
    const seed = this.#random.seed();
    await drive(session, {
      lane,
      mark: seed.toString(36),
      random: new Random(seed),
      report: (report) => this.ledger.take(lane, report),
      ...options,
    });
  }

  /** The sidecar as it is now; an empty one when there is none. */
  async sidecar(): Promise<Sidecar> {
    try {
      return parseSidecar(await Deno.readTextFile(this.at(SIDECAR)));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return { version: 1, session_id: SESSION, revision: 0, tasks: [] };
    }
  }

  /** Sees to it that the sidecar holds what was answered. */
  async check(where: string, lanes?: readonly string[]): Promise<Sidecar> {
    const sidecar = await this.sidecar();
    expectNone(this.ledger.problems(sidecar.tasks, lanes), where);
    return sidecar;
  }

  /**
   * Opens the session as the next host does, changes something, and sees to it
   * that everything is there and nothing is left behind.
   */
  async resume(where: string): Promise<void> {
    const before = await this.sidecar();
    await using session = await this.open();
    expectNone(session.warnings.map(({ message }) => message), where);
    expectSame(session.snapshot, snapshotOf(before), `${where}: the snapshot`);
    let changes = 0;
    await this.drive(session, "resumed", { isOver: () => changes++ > 0 });
    await session.tasks({
      action: "add",
      content: `last ${this.#random.seed()}`,
    });
    const after = await this.check(where);
    expectSame(
      session.snapshot,
      snapshotOf(after),
      `${where}: the last snapshot`,
    );
    expectSame(await this.names(), [SIDECAR], `${where}: the directory`);
  }
}

/** Rounds may take longer than a task may be in progress. */
export const NOTHING_IS_STALE = { staleAfterMs: Number.MAX_SAFE_INTEGER };

/** Sees to it that two values are the same, as far as JSON goes. */
export function expectSame(
  actual: unknown,
  expected: unknown,
  what: string,
): void {
  const is = canonical(actual);
  const should = canonical(expected);
  if (is === should) return;
  let at = 0;
  while (is[at] === should[at]) at++;
  const show = (text: string) =>
    `${at > 40 ? "…" : ""}${text.slice(Math.max(0, at - 40), at + 200)}`;
  throw new Broken(`${what} is ${show(is)}, not ${show(should)}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort())
        : inner,
  );
}
