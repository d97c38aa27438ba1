// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { fromFileUrl } from "@std/path/from-file-url";
import { join } from "@std/path/join";
import { PACKAGE } from "../support/child.ts";
import { Recorder } from "../support/recorder.ts";

const ENTRY = fromFileUrl(new URL("../../src/mcp/mod.ts", import.meta.url));
const MODULES = ["worker.ts", "src"].map((name) => join(PACKAGE, name));

/** How the server is started: with these arguments, and allowed to use this directory only. */
export interface ServerOptions {
  readonly dir: string;
  /** By default session `s` in the directory. */
  readonly args?: readonly string[];
  /** From when on its output is read; by default from the start. */
  readonly reading?: Promise<void>;
}

function denoArguments({ dir, args }: ServerOptions): string[] {
  return [
    "run",
    "--no-check",
    "--no-prompt",
    `--allow-read=${MODULES},${dir}`,
    `--allow-write=${dir}`,
    ENTRY,
    ...args ?? ["--session", "s", "--dir", dir],
  ];
}

/** What the official client starts a server with. */
export function serverTransport(options: ServerOptions): StdioClientTransport {
  return transportOf([Deno.execPath(), ...denoArguments(options)]);
}

/** The same, with a shell that notes how the server ended by itself. */
export function notingTransport(
  options: ServerOptions,
  note: string,
): StdioClientTransport {
  const script = 'note="$1"; shift; "$@"; echo $? > "$note"';
  const server = [Deno.execPath(), ...denoArguments(options)];
  return transportOf(["sh", "-c", script, "sh", note, ...server]);
}

function transportOf(
  [command = "", ...args]: readonly string[],
): StdioClientTransport {
  return new StdioClientTransport({
    command,
    args,
    // The transport would hand on but a few variables, and none of Deno's own.
    env: { ...Deno.env.toObject(), NO_COLOR: "1" },
    stderr: "ignore",
  });
}

/** Ends the server that a client talks to, without a warning. */
export async function killServer(
  transport: StdioClientTransport,
): Promise<void> {
  if (transport.pid === null) throw new Error("It is not running.");
  const ended = Promise.withResolvers<void>();
  const told = transport.onclose;
  transport.onclose = () => {
    told?.();
    ended.resolve();
  };
  Deno.kill(transport.pid, "SIGKILL");
  await ended.promise;
}

/** How a server ended. */
export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly stderr: string;
}

/** A server with nothing between it and the test. */
export interface ServerProcess extends AsyncDisposable {
  readonly process: Deno.ChildProcess;
  /** What it has written to standard output, line by line. */
  readonly lines: Recorder<string>;
  readonly ended: Promise<Ended>;
  /** Writes one message. */
  send(message: unknown): Promise<void>;
  /** Closes its standard input. */
  end(): Promise<void>;
  /** Closes the other end of its standard output. */
  stopReading(): Promise<void>;
}

/** Starts a server; it is killed when the test is over. */
export function startServer(options: ServerOptions): ServerProcess {
  const process = new Deno.Command(Deno.execPath(), {
    args: denoArguments(options),
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines = new Recorder<string>();
  const output = process.stdout.pipeThrough(new TextDecoderStream())
    .getReader();
  const read = (options.reading ?? Promise.resolve())
    .then(() => readLines(output, lines));
  const stderr = new Response(process.stderr).text();
  const ended = Promise.all([process.status, stderr, read]).then(
    ([{ code, signal }, stderr]) => ({ code, signal, stderr }),
  );
  const writer = process.stdin.getWriter();
  const encoder = new TextEncoder();
  return {
    process,
    lines,
    ended,
    send: (message) =>
      writer.write(encoder.encode(JSON.stringify(message) + "\n")),
    end: () => writer.close(),
    stopReading: () => output.cancel(),
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended by itself.
      }
      await ended;
      await writer.close().catch(() => {});
    },
  };
}

async function readLines(
  output: ReadableStreamDefaultReader<string>,
  lines: Recorder<string>,
): Promise<void> {
  let rest = "";
  for (;;) {
    const { value, done } = await output.read();
    if (done) break;
    const complete = (rest + value).split("\n");
    rest = complete.pop() ?? "";
    complete.forEach(lines.add);
  }
  if (rest !== "") lines.add(rest);
}
