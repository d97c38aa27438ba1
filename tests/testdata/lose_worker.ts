// Lets a session lose one worker after the other until it gives up, and does not close it.
// Argument: session directory.
import { openSession } from "../../mod.ts";

const [sessionDir = ""] = Deno.args;
const session = await openSession({
  sessionId: "s",
  sessionDir,
  workerUrl: new URL("../workers/trapped.ts", import.meta.url),
});
for (let i = 0; i < 5; i++) {
  const { result } = await session.handleToolCall({
    action: "add",
    content: "throws",
  });
  console.log("error" in result && result.error.code);
}
