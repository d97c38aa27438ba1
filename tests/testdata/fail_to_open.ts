// Fails to open sessions in all kinds of ways, and does nothing more. Argument: session directory.
import { openSession, type SessionOptions } from "../../mod.ts";

const [sessionDir = ""] = Deno.args;
const worker = (file: string) => new URL(`../workers/${file}`, import.meta.url);
const attempts: SessionOptions[] = [
  { sessionId: "../s" },
  { sessionId: "s", workerUrl: worker("missing.js") },
  { sessionId: "s", workerUrl: worker("throws_at_load.js") },
  { sessionId: "s", workerUrl: worker("never_ready.js"), requestTimeoutMs: 1 },
  { sessionId: "s", workerUrl: worker("talks_nonsense.js") },
  { sessionId: "s", signal: AbortSignal.abort() },
];
for (const options of attempts) {
  await openSession({ sessionDir, ...options }).then(
    () => console.log("opened"),
    () => console.log("refused"),
  );
}
