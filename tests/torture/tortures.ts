import { faults } from "./faults.ts";
import { hosts } from "./hosts.ts";
import { kills } from "./kills.ts";
import type { Torture } from "./round.ts";
import { stops } from "./stops.ts";

/** All of them, in the order in which they are run. */
export const TORTURES: readonly Torture[] = [kills, hosts, stops, faults];
