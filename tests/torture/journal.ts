// A host whose calls have ids, and that keeps a journal of them on its output:
// each call before it is sent, and its task when it is answered.
// Argument: JournalInput as JSON.

import { openSession, type SessionOptions, type TasksCall } from "../../mod.ts";
import { toldToStop } from "./child.ts";
import { Random } from "./random.ts";

/** What a host with a journal is told. */
export interface JournalInput {
  readonly session: SessionOptions;
  readonly generation: number;
  readonly seed: number;
}

/** One entry of a journal. */
export interface Journaled {
  readonly callId: string;
  readonly call: TasksCall;
  /** The task that it changed, once that was answered. */
  readonly taskId?: string;
}

function note(entry: Journaled): void {
  const line = new TextEncoder().encode(JSON.stringify(entry) + "\n");
  Deno.stdout.writeSync(line);
}

if (import.meta.main) {
  const { session: options, generation, seed }: JournalInput = JSON.parse(
    Deno.args[0] ?? "",
  );
  const random = new Random(seed);
  let isOver = false;
  toldToStop().then(() => isOver = true);
  await using session = await openSession(options);
  let sent = 0;
  while (!isOver) {
    await Promise.all(
      Array.from({ length: random.between(1, 4) }, async () => {
        const callId = `call_${generation}_${sent++}`;
        const id = random.pick(session.snapshot.tasks)?.id;
        // The first word tells one add from another; updates keep it.
        const call: TasksCall = id === undefined || random.chance(0.4)
          ? { action: "add", content: `${callId} as added` }
          : { action: "update", id, active_form: `Doing ${callId}` };
        note({ callId, call });
        const { result } = await session.handleToolCall(call, { callId });
        if (!("task" in result)) throw new Error(JSON.stringify(result));
        note({ callId, call, taskId: result.task.id });
      }),
    );
  }
}
