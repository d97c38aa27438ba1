// A short version of `deno task torture`, so that no change goes without it.

import { Random } from "./torture/random.ts";
import { TORTURES } from "./torture/tortures.ts";

/** How many rounds of each; those that take long, or wait, are left to the task. */
const SHORT: Readonly<Record<string, number>> = {
  kills: 2,
  hosts: 1,
  faults: 1,
  workers: 1,
  replays: 1,
  hostile: 1,
  soak: 1,
};

for (const { name, shows, run } of TORTURES) {
  const rounds = SHORT[name];
  if (rounds === undefined) continue;
  Deno.test(`torture: ${shows} (${name})`, async () => {
    await run(rounds, new Random(1));
  });
}
