// Tries for as long as one likes to make a session lose something.
//
//   deno task torture [--seed=N] [--rounds=N] [--only=name,name]
//
// Moments of kills and stops also depend on the machine, so a seed repeats what
// is done, not exactly when.

import { Random } from "./random.ts";
import { Broken, type Torture } from "./round.ts";
import { TORTURES } from "./tortures.ts";

interface Arguments {
  readonly seed: number;
  readonly rounds: number | undefined;
  readonly chosen: readonly Torture[];
}

function parse(args: readonly string[]): Arguments | undefined {
  let seed = Date.now() % 2 ** 32;
  let rounds: number | undefined;
  let chosen = TORTURES;
  for (const arg of args) {
    const [name, value = ""] = arg.split("=");
    const number = Number(value === "" ? NaN : value);
    const named = value.split(",").map((wanted) =>
      TORTURES.find(({ name }) => name === wanted)
    ).filter((torture) => torture !== undefined);
    if (name === "--seed" && Number.isInteger(number)) seed = number;
    else if (name === "--rounds" && number >= 1) rounds = Math.round(number);
    else if (name === "--only" && named.length === value.split(",").length) {
      chosen = named;
    } else return undefined;
  }
  return { seed, rounds, chosen };
}

function usage(): string {
  const list = TORTURES.map(({ name, rounds, shows }) =>
    `  ${name.padEnd(8)} ${String(rounds).padStart(4)} rounds: ${shows}`
  );
  return "deno task torture [--seed=N] [--rounds=N] [--only=name,name]\n" +
    list.join("\n");
}

/** Whether it was kept to what is promised. */
async function run(
  { name, rounds: usual, run }: Torture,
  { seed, rounds = usual }: Arguments,
): Promise<boolean> {
  const startedAt = performance.now();
  const [isKept, said] = await run(rounds, new Random(seed)).then(
    (checked) => [true, checked] as const,
    (error) => [false, explain(error)] as const,
  );
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(
    `${isKept ? "ok    " : "BROKEN"} ${name.padEnd(8)} ${said} (${seconds} s)`,
  );
  return isKept;
}

function explain(error: unknown): string {
  if (!(error instanceof Broken)) return Deno.inspect(error);
  const { message, cause } = error;
  return cause === undefined ? message : `${message}\n  ${explain(cause)}`;
}

if (import.meta.main) {
  const args = parse(Deno.args);
  if (args === undefined) {
    console.log(usage());
    Deno.exit(2);
  }
  const { seed, chosen } = args;
  console.log(`seed ${seed}`);
  let broken = 0;
  for (const torture of chosen) {
    if (!await run(torture, args)) broken++;
  }
  console.log(
    broken === 0 ? "Everything was kept." : `${broken} promises were broken.`,
  );
  // Not Deno.exit(), since that this process ends by itself is a promise too.
  Deno.exitCode = broken === 0 ? 0 : 1;
}
