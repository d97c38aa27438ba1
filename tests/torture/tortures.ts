import { faults } from "./faults.ts";
import { hostile } from "./hostile.ts";
import { hosts } from "./hosts.ts";
import { huge } from "./huge.ts";
import { kills } from "./kills.ts";
import { replays } from "./replays.ts";
import type { Torture } from "./round.ts";
import { soak } from "./soak.ts";
import { stops } from "./stops.ts";
import { workers } from "./workers.ts";

/** All of them, in the order in which they are run. */
export const TORTURES: readonly Torture[] = [
  kills,
  hosts,
  stops,
  faults,
  workers,
  replays,
  hostile,
  huge,
  soak,
];
