import { assertEquals, assertStringIncludes } from "@std/assert";
import { hasPseudoTerminals, PseudoTerminal } from "./pseudo_terminal.ts";

const RESTORED = new Set(["7", "25"]);
const PROGRAM = new URL("../testdata/ui/failing_screen.ts", import.meta.url);
const ignore = !hasPseudoTerminals;
const NEEDS = ignore ? " (ignored: needs script of util-linux)" : "";
const WAYS: readonly (readonly [way: string, code: number, said: string])[] = [
  ["render", 1, "render failed"],
  ["throw", 1, "throw failed"],
  ["reject", 1, "reject failed"],
  ["exit", 3, ""],
  ["close", 0, ""],
];

for (const [way, code, said] of WAYS) {
  Deno.test({
    name: `a screen restores its terminal on the way out by ${way}${NEEDS}`,
    ignore,
    async fn(): Promise<void> {
      await using terminal = await PseudoTerminal.open({
        size: { columns: 80, rows: 24 },
        command: [Deno.execPath(), "run", "--quiet", PROGRAM.href, way],
      });
      await terminal.shows("shown");
      await terminal.type("x");
      const ending = await terminal.ending;
      assertEquals(ending.code, code);
      assertEquals(ending.modes[1], ending.modes[0]);
      assertEquals(terminal.model.modes, RESTORED);
      assertStringIncludes(terminal.model.text, said);
    },
  });
}
