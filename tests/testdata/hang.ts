// Says how a session fares whose worker falls into an endless loop, and after.
// Argument: session directory.
import { openSession, type TaskSession } from "../../mod.ts";

const [sessionDir = ""] = Deno.args;
const workerUrl = new URL("../workers/trapped.ts", import.meta.url);
const session = await openSession({
  sessionId: "s",
  sessionDir,
  workerUrl,
  requestTimeoutMs: 3_000,
});

async function say(session: TaskSession, content: string): Promise<void> {
  const { result } = await session.handleToolCall({ action: "add", content });
  console.log("error" in result ? result.error.code : "added");
}

await say(session, "before");
await say(session, "loops for ever");
await say(session, "after");
const last = say(session, "loops for ever");
await session.close();
await last;
console.log("closed");
