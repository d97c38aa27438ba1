import { fromFileUrl } from "@std/path/from-file-url";

/** A script of `tests/testdata`, run in a process of its own. */
export interface ChildOptions {
  /** The script's name. */
  readonly script: string;
  /** The script's arguments. */
  readonly args?: readonly string[];
  /** Permissions, such as `--allow-read`; prompts are off in any case. */
  readonly permissions?: readonly string[];
  /** Variables on top of the usual ones; an empty one counts as not set. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The root of this package, of which a process must read the modules. */
export const PACKAGE: string = fromFileUrl(new URL("../../", import.meta.url));

/** The permissions that a session in this directory needs. */
export function permissionsFor(sessionDir: string): string[] {
  return [
    `--allow-read=${PACKAGE},${sessionDir}`,
    `--allow-write=${sessionDir}`,
  ];
}

function commandFor(options: ChildOptions, stdout: "piped"): Deno.Command {
  const { script, args = [], permissions = [], env = {} } = options;
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--no-prompt",
      ...permissions,
      fromFileUrl(new URL(`../testdata/${script}`, import.meta.url)),
      ...args,
    ],
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout,
    stderr: "piped",
  });
}

/** How a process ended by itself. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script until it ends by itself. */
export async function run(options: ChildOptions): Promise<Ended> {
  const { code, stdout, stderr } = await commandFor(options, "piped").output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}

/** A running script. */
export interface Running extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  /** Its output, line by line. */
  readonly lines: AsyncIterator<string>;
}

/** Starts a script; it is killed when the test is over. */
export function start(options: ChildOptions): Running {
  const process = commandFor(options, "piped").spawn();
  const stderr = process.stderr.cancel();
  const lines = linesOf(process.stdout);
  return {
    process,
    lines,
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
      await process.status;
      await stderr;
      // What it has still said must be read, or the pipe stays open.
      while (!(await lines.next()).done);
    },
  };
}

/** What a process says, line by line. */
export async function* linesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
