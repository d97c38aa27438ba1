import { fromFileUrl } from "@std/path/from-file-url";
import { type Ended, PACKAGE, permissionsFor } from "../support/child.ts";

const MAIN = fromFileUrl(new URL("../../src/cli/main.ts", import.meta.url));

/** How the program is run. */
export interface CliOptions {
  /** The directory of the sessions. */
  readonly dir: string;
  /** Whether it may write there. */
  readonly mayWrite?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** The command line of the program, with no more permissions than it needs. */
export function commandLine(
  args: readonly string[],
  { dir, mayWrite = false }: CliOptions,
): [program: string, ...args: string[]] {
  // Read from local files, the package's worker has to be readable too.
  const permissions = mayWrite ? permissionsFor(dir) : [`--allow-read=${dir}`];
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-check",
    "--no-prompt",
    ...permissions,
    MAIN,
    "--dir",
    dir,
    ...args,
  ];
}

/** Runs the program to its end, in pipes. */
export async function tasks(
  args: readonly string[],
  options: CliOptions,
): Promise<Ended> {
  const [program, ...rest] = commandLine(args, options);
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: rest,
    env: { ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}

/** Runs the program with exactly these flags and arguments. */
export async function tasksWith(
  flags: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--no-prompt",
      ...flags,
      MAIN,
      ...args,
    ],
    env,
    stdin: "null",
    cwd: PACKAGE,
  }).output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}
