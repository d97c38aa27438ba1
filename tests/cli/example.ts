import { row, sidecarText } from "../support/sidecar.ts";
import type { SessionDir } from "../support/session_dir.ts";

/** A plan of three tasks, of which the first is in progress for longer than any grace. */
export const EXAMPLE: string = sidecarText(7, [
  row("t_1_aaaa", { content: "Provision the dev DB", status: "in_progress" }),
  row("t_2_bbbb", { content: "Seed fixtures", blockedBy: ["t_1_aaaa"] }),
  row("t_3_abbb", {
    content: "Smoke test",
    blockedBy: ["t_1_aaaa", "t_2_bbbb"],
  }),
  row("t_4_cccc", { content: "Read the docs", status: "completed" }),
]);

/** Puts the plan into a directory, as session `s`. */
export async function writeExample(dir: SessionDir): Promise<void> {
  await dir.write("s.tasks.json", EXAMPLE);
}
