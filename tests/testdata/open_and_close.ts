// Arguments: session directory, or nothing.
import { openSession } from "../../mod.ts";

const [sessionDir] = Deno.args;
const session = await openSession(
  sessionDir === undefined
    ? { sessionId: "s" }
    : { sessionId: "s", sessionDir },
);
await session.tasks({ action: "add", content: "x" });
await session.close();
console.log(session.sidecarPath);
