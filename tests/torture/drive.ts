import { type Task, TasksError, type TaskSession } from "../../mod.ts";
import { laneOf } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Reporter } from "./report.ts";
import { type Change, type Row, rowAfter } from "./row.ts";

/** How a session is driven. */
export interface DriveOptions {
  /** The name that the contents of this host's tasks begin with; it changes no others. */
  readonly lane: string;
  /** What tells this host's contents from those of others in its lane. */
  readonly mark: string;
  readonly random: Random;
  readonly report: Reporter;
  /** Whether to stop making calls. */
  readonly isOver: () => boolean;
  /** Number of tasks beyond which few are added. @default {60} */
  readonly plenty?: number;
  /** Length of some of the contents. @default {0} */
  readonly padding?: number;
}

/**
 * Makes calls of all kinds on a session, some awaited and some not, and reports
 * each change before it is sent and as soon as it is answered.
 */
export async function drive(
  session: TaskSession,
  options: DriveOptions,
): Promise<void> {
  const { random, isOver } = options;
  const driver = new Driver(session, options);
  while (!isOver()) {
    const burst = Array.from(
      { length: random.between(1, 6) },
      () => random.chance(0.2) ? driver.ask() : driver.change(),
    );
    await Promise.all(burst);
  }
}

const STATUSES = ["pending", "in_progress", "completed"] as const;

class Driver {
  readonly #session: TaskSession;
  readonly #options: DriveOptions;
  /** This lane's tasks, as they are once everything sent is carried out. */
  readonly #own: Map<string, Row>;
  #sent = 0;

  constructor(session: TaskSession, options: DriveOptions) {
    this.#session = session;
    this.#options = options;
    this.#own = new Map(
      session.snapshot.tasks
        .filter((task) => laneOf(task) === options.lane)
        .map((task) => [task.id, task]),
    );
  }

  /** Makes a call that changes something. */
  async change(): Promise<void> {
    const { report } = this.#options;
    const n = this.#sent++;
    const call = this.#makeChange(n);
    if (call.action !== "add") {
      this.#own.set(call.id, rowAfter(this.#own.get(call.id), call)!);
    }
    report({ kind: "sent", n, call });
    try {
      const { task } = await this.#session.tasks(call);
      report({ kind: "answered", n, task });
      // What was sent since is known better here.
      if (call.action === "add") this.#own.set(task.id, task);
    } catch (error) {
      if (!(error instanceof TasksError)) throw error;
      const { code, message } = error;
      report({ kind: "refused", n, code, message });
      this.#forgetGuesses();
    }
  }

  /** Makes a call that changes nothing: one that only asks, or one to be refused. */
  async ask(): Promise<void> {
    const { random } = this.#options;
    const id = random.pick([...this.#own.keys()]) ?? "nobody";
    const isWrong = random.chance(0.6);
    const call: unknown = isWrong
      ? random.pick([
        { action: "update", id: "nobody", content: "x" },
        { action: "update", id, blockedBy: [id] },
        { action: "add", content: "x", blockedBy: ["nobody"] },
        { action: "add", content: " " },
      ])
      : { action: random.pick(["list", "blocked"]) };
    const { isError, content } = await this.#session.handleToolCall(call);
    const isLost = /"code":"(timeout|worker_crashed)"/.test(content);
    if (isError !== isWrong && !isLost) {
      throw new Error(`${JSON.stringify(call)} was answered ${content}`);
    }
  }

  #makeChange(n: number): Change {
    const { lane, mark, random, plenty = 60, padding = 0 } = this.#options;
    const length = padding > 0 && random.chance(0.3)
      ? random.below(padding)
      : 0;
    const content = `${lane} ${mark}.${n}${" .".repeat(length / 2)}`;
    const ids = [...this.#own.keys()];
    const id = random.pick(ids);
    if (id === undefined || random.chance(ids.length < plenty ? 0.4 : 0.02)) {
      const blockedBy = this.#blockers(this.#session.snapshot.tasks);
      return blockedBy.length > 0
        ? { action: "add", content, blockedBy }
        : { action: "add", content };
    }
    const isDeleted = this.#own.get(id)?.status === "deleted";
    if (!isDeleted && random.chance(0.4)) {
      return { action: random.pick(["complete", "remove"]), id };
    }
    const status = random.pick(STATUSES);
    // Blockers that are older than what waits for them never make a circle.
    const { tasks } = this.#session.snapshot;
    const position = tasks.findIndex((task) => task.id === id);
    const older = tasks.slice(0, Math.max(0, position));
    return {
      action: "update",
      id,
      content,
      status,
      ...(random.chance(0.3) && { blockedBy: this.#blockers(older) }),
      ...(random.chance(0.3) && { active_form: `Doing ${n}` }),
    };
  }

  #blockers(tasks: readonly Task[]): string[] {
    const { random } = this.#options;
    const count = random.pick([0, 0, 1, 2]);
    const picked = Array.from({ length: count }, () => random.pick(tasks));
    return [...new Set(picked.flatMap((task) => task?.id ?? []))];
  }

  /** After a call that came to nothing, only the session knows what is so. */
  #forgetGuesses(): void {
    for (const task of this.#session.snapshot.tasks) {
      if (this.#own.has(task.id)) this.#own.set(task.id, task);
    }
  }
}
