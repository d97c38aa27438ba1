import { fromFileUrl } from "@std/path/from-file-url";
import { PACKAGE } from "../support/child.ts";

/** How a child process ended. */
export interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stderr: string;
}

/** How a child process is started. */
export interface ChildOptions {
  /** The script, in this directory. */
  readonly script: string;
  /** What the script is told, as JSON. */
  readonly input: unknown;
  /** The directory that it may use; every permission when there is none. */
  readonly sessionDir?: string;
  /** Flags of Deno itself. */
  readonly flags?: readonly string[];
  /** Called with each line that it says. */
  readonly onLine?: (line: string) => void;
}

/** A script in a process of its own, which stops when its input ends. */
export class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #onLine: (line: string) => void;
  readonly #ended: Promise<Ended>;
  readonly #waiting = new Map<() => void, number>();
  #lines = 0;
  #isOver = false;

  /** Starts the script. */
  constructor({ script, input, sessionDir, flags = [], onLine }: ChildOptions) {
    const permissions = sessionDir === undefined ? ["--allow-all"] : [
      `--allow-read=${PACKAGE},${sessionDir}`,
      `--allow-write=${sessionDir}`,
    ];
    this.#onLine = onLine ?? (() => {});
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        "--no-prompt",
        ...permissions,
        ...flags,
        fromFileUrl(new URL(script, import.meta.url)),
        JSON.stringify(input),
      ],
      env: { NO_COLOR: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#ended = this.#follow();
    this.#ended.catch(() => {});
  }

  /** Resolves when it has said so many lines, or has ended. */
  async says(count: number): Promise<void> {
    if (this.#isOver || this.#lines >= count) return;
    await new Promise<void>((resolve) => this.#waiting.set(resolve, count));
  }

  /** How many lines it has said. */
  get lines(): number {
    return this.#lines;
  }

  /** Sends it a signal. */
  signal(signal: Deno.Signal): void {
    if (!this.#isOver) this.#process.kill(signal);
  }

  /** Kills it, and resolves when everything it has said was heard. */
  async kill(): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
    await this.#ended;
    await this.#process.stdin.close().catch(() => {});
  }

  /** Tells it to stop, and waits until it has ended by itself and without complaint. */
  async finish(): Promise<void> {
    await this.#process.stdin.close();
    const { code, signal, stderr } = await this.#ended;
    if (code === 0 && stderr === "") return;
    throw new Error(`A host ended with ${signal ?? code}: ${stderr}`);
  }

  /** Waits until it ends, whatever it ends with. */
  async end(): Promise<Ended> {
    await this.#process.stdin.close();
    return await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  async #follow(): Promise<Ended> {
    const [stderr, { code, signal }] = await Promise.all([
      this.#process.stderr.text(),
      this.#process.status,
      this.#listen(),
    ]);
    this.#isOver = true;
    for (const resolve of this.#waiting.keys()) resolve();
    return { code, signal, stderr };
  }

  async #listen(): Promise<void> {
    let rest = "";
    for await (
      const text of this.#process.stdout.pipeThrough(new TextDecoderStream())
    ) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(line);
    }
  }

  #hear(line: string): void {
    this.#lines++;
    this.#onLine(line);
    for (const [resolve, count] of this.#waiting) {
      if (count > this.#lines) continue;
      this.#waiting.delete(resolve);
      resolve();
    }
  }
}

/** Resolves when the process that started this one wants it to stop. */
export async function toldToStop(): Promise<void> {
  for await (const _ of Deno.stdin.readable);
}
