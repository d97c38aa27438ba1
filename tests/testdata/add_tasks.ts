// Adds tasks and says the id of each as soon as it is answered.
// Arguments: session directory, how many, what they are called.
import { openSession } from "../../mod.ts";

const [sessionDir = "", count = "0", name = ""] = Deno.args;
await using session = await openSession({ sessionId: "s", sessionDir });
const encoder = new TextEncoder();
for (let i = 0; i < Number(count); i++) {
  const { task } = await session.tasks({
    action: "add",
    content: `${name} ${i}`,
  });
  Deno.stdout.writeSync(encoder.encode(task.id + "\n"));
}
