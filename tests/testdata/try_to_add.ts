// Says how opening a session and adding a task goes. Arguments: session directory, or nothing.
import { openSession, TasksError } from "../../mod.ts";

const [sessionDir] = Deno.args;
try {
  const session = await openSession(
    sessionDir === undefined
      ? { sessionId: "s" }
      : { sessionId: "s", sessionDir },
  );
  try {
    await session.tasks({ action: "add", content: "x" });
    console.log("added");
  } finally {
    await session.close();
  }
} catch (error) {
  if (!(error instanceof TasksError)) throw error;
  console.log(error.code);
  console.log(error.message);
}
