import { assertEquals } from "@std/assert";
import { drawFrames, frameFile } from "./golden_frames.ts";
import { GRAPHS } from "./graphs.ts";

for (const name of Object.keys(GRAPHS)) {
  for (const color of [false, true]) {
    Deno.test({
      name: `views draw ${name}${color ? " in colour" : ""} as recorded`,
      permissions: { read: true },
      async fn(): Promise<void> {
        const recorded = await Deno.readTextFile(frameFile(name, color));
        assertEquals(drawFrames(name, color), recorded);
      },
    });
  }
}
