// A host that waits for its turn, makes the calls it was given all at once, and
// says how each of them went. Argument: RaceInput as JSON.

import { openSession, type TasksCall } from "../../mod.ts";
import { toldToStop } from "./child.ts";

/** What a racing host is told. */
export interface RaceInput {
  readonly sessionId: string;
  readonly sessionDir: string;
  readonly calls: readonly TasksCall[];
}

/** What it says first; then one answer per line. */
export const READY = "ready";

if (import.meta.main) {
  const { calls, ...options }: RaceInput = JSON.parse(Deno.args[0] ?? "");
  await using session = await openSession(options);
  console.log(READY);
  await toldToStop();
  const answers = await Promise.all(
    calls.map(async (call) => {
      const { result } = await session.handleToolCall(call);
      return "error" in result
        ? result.error.code
        : "task" in result && result.task.id;
    }),
  );
  console.log(answers.join("\n"));
}
