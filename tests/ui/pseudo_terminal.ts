/**
 * A program in a real terminal device, which `script` of util-linux opens for
 * it. Keys go in; what the screen shows is read back.
 *
 * @module
 */

import type { Size } from "../../src/ui/size.ts";
import { ScreenModel } from "./screen_model.ts";

const DEADLINE_MS = 30_000;

/** Whether programs can be run in a terminal here. */
export const hasPseudoTerminals: boolean = await isUtilLinuxScript();

async function isUtilLinuxScript(): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    const { stdout } = await new Deno.Command("script", {
      args: ["--version"],
    }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** How a program is run in a terminal. */
export interface PseudoTerminalOptions {
  readonly size: Size;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** How a program left its terminal. */
export interface Ending {
  readonly code: number;
  /** The modes before and after, as `stty -g` spells them. */
  readonly modes: readonly [before: string, after: string];
}

/** A terminal with a program in it, which is killed when the terminal is disposed of. */
export class PseudoTerminal implements AsyncDisposable {
  /** What the screen shows. */
  readonly model: ScreenModel;
  /** Settles when the program has ended. */
  readonly ending: Promise<Ending>;
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #directory: string;
  #isOver = false;
  #changed = Promise.withResolvers<void>();

  private constructor(child: Deno.ChildProcess, directory: string, size: Size) {
    this.model = new ScreenModel(size);
    this.#child = child;
    this.#input = child.stdin.getWriter();
    this.#directory = directory;
    this.ending = this.#read();
  }

  /** Starts a program in a terminal of its own. */
  static async open(options: PseudoTerminalOptions): Promise<PseudoTerminal> {
    const { size, command, env = {} } = options;
    const directory = await Deno.makeTempDir({ prefix: "pseudo_terminal_" });
    const words = [Deno.cwd(), ...command]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
    const shell = [
      `stty cols ${size.columns} rows ${size.rows}`,
      "tty > tty",
      "stty -g > before",
      `sh -c 'echo $$ > program; cd "$0"; exec "$@"' ${words}`,
      "code=$?",
      "stty -g > after",
      "exit $code",
    ].join("; ");
    const child = new Deno.Command("script", {
      args: ["--quiet", "--return", "--flush", "--command", shell, "/dev/null"],
      cwd: directory,
      env: { ...env, SHELL: "/bin/sh", TERM: "xterm-256color" },
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    return new PseudoTerminal(child, directory, size);
  }

  /** Presses keys, spelt as the bytes that a terminal sends. */
  async type(keys: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(keys));
  }

  /** Gives the window another size; the program is told by the system. */
  async resize(size: Size): Promise<void> {
    const device = await this.#note("tty");
    this.model.resize(size);
    await new Deno.Command("stty", {
      args: ["-F", device, "cols", `${size.columns}`, "rows", `${size.rows}`],
    }).output();
  }

  /** Sends the program a signal. */
  async kill(signal: Deno.Signal): Promise<void> {
    Deno.kill(Number(await this.#note("program")), signal);
  }

  /**
   * Waits until the screen satisfies the condition. Fails when the program ends
   * before, or when so much time passes that it never will.
   */
  async until(condition: (model: ScreenModel) => boolean): Promise<void> {
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      this.#announce();
    }, DEADLINE_MS);
    try {
      while (!condition(this.model)) {
        if (this.#isOver || isLate) {
          const why = isLate ? "still shows" : "ended, showing";
          throw new Error(`The program ${why}:\n${this.model.text}`);
        }
        await this.#changed.promise;
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Waits until the screen shows all of these texts. */
  async shows(...texts: readonly string[]): Promise<void> {
    await this.until((model) =>
      texts.every((text) => model.text.includes(text))
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) this.#child.kill("SIGKILL");
    await this.ending;
  }

  async #read(): Promise<Ending> {
    const decoder = new TextDecoderStream();
    for await (const text of this.#child.stdout.pipeThrough(decoder)) {
      this.model.write(text);
      this.#announce();
    }
    await this.#input.close().catch(() => {});
    const { code } = await this.#child.status;
    const before = await this.#note("before");
    const after = await this.#note("after");
    await Deno.remove(this.#directory, { recursive: true });
    this.#isOver = true;
    this.#announce();
    return { code, modes: [before, after] };
  }

  #announce(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #note(name: string): Promise<string> {
    try {
      const text = await Deno.readTextFile(`${this.#directory}/${name}`);
      return text.trim();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "";
      throw error;
    }
  }
}
