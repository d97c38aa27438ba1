// A host that drives a session until it is told to stop, and reports what it is
// answered. Argument: HostInput as JSON.

import { openSession, type SessionOptions } from "../../mod.ts";
import { toldToStop } from "./child.ts";
import { drive } from "./drive.ts";
import { Random } from "./random.ts";
import { reportToParent } from "./report.ts";

/** What a host is told. */
export interface HostInput {
  readonly session: Pick<
    SessionOptions,
    "sessionId" | "durability" | "staleAfterMs"
  >;
  readonly sessionDir: string;
  readonly lane: string;
  readonly seed: number;
  readonly padding?: number;
  readonly plenty?: number;
}

if (import.meta.main) {
  const { session: options, sessionDir, lane, seed, ...how }: HostInput = JSON
    .parse(Deno.args[0] ?? "");
  let isOver = false;
  toldToStop().then(() => isOver = true);
  await using session = await openSession({ ...options, sessionDir });
  const warnings = session.warnings.map(({ message }) => message);
  reportToParent({ kind: "opened", warnings });
  await drive(session, {
    lane,
    mark: seed.toString(36),
    random: new Random(seed),
    report: reportToParent,
    isOver: () => isOver,
    ...how,
  });
}
