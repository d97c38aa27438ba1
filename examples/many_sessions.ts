/**
 * Hosts twenty sessions at once, each with a graph, a worker and a sidecar of its
 * own, and shows that none of them saw another's tasks.
 *
 *   deno run --allow-read --allow-write examples/many_sessions.ts
 */

import { openSession, type TaskSession } from "@kin/tasks-dag";

const SESSIONS = 20;
const TASKS = 10;

/** A chain of tasks, half of which get done. */
async function work(session: TaskSession): Promise<void> {
  let before: string | undefined;
  for (let i = 1; i <= TASKS; i++) {
    const { task } = await session.tasks({
      action: "add",
      content: `Step ${i} of ${session.sessionId}`,
      blockedBy: before === undefined ? [] : [before],
    });
    if (i <= TASKS / 2) {
      await session.tasks({ action: "complete", id: task.id });
    }
    before = task.id;
  }
}

const sessionDir = await Deno.makeTempDir({ prefix: "tasks_dag_many_" });
try {
  await using stack = new AsyncDisposableStack();
  const ids = Array.from({ length: SESSIONS }, (_, i) => `agent-${i + 1}`);
  const sessions = await Promise.all(
    ids.map(async (sessionId) =>
      stack.use(await openSession({ sessionId, sessionDir }))
    ),
  );
  await Promise.all(sessions.map(work));

  for (const session of sessions) {
    const { tasks } = session.snapshot;
    const own = tasks.filter((task) =>
      task.content.endsWith(` of ${session.sessionId}`)
    );
    const done = tasks.filter((task) => task.status === "completed");
    const blocked = await session.tasks({ action: "blocked" });
    console.log(
      `${session.sessionId}: ${own.length} of ${tasks.length} tasks are its own, ` +
        `${done.length} completed, ${blocked.tasks.length} blocked`,
    );
  }
} finally {
  await Deno.remove(sessionDir, { recursive: true });
}
