// Our worker without the disk: a store in memory, filled from the sidecar.
import { customAlphabet } from "nanoid/non-secure";
import type { Port } from "../../src/protocol.ts";
import { serve } from "../../src/worker/server.ts";
import { MemoryStore } from "../../src/store/store.ts";

serve(globalThis as unknown as Port, {
  createStore: ({ sessionDir, sessionId }) =>
    new MemoryStore(
      Deno.readTextFileSync(`${sessionDir}/${sessionId}.tasks.json`),
    ),
  now: Date.now,
  randomSuffix: customAlphabet("0123456789abcdef", 4),
});
