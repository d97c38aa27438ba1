import { assert, assertEquals } from "@std/assert";
import { makeSessionDir } from "../support/session_dir.ts";
import { hasPseudoTerminals, PseudoTerminal } from "../ui/pseudo_terminal.ts";
import { commandLine } from "./cli.ts";

const PAGE = new URL("../../docs/cli.md", import.meta.url);
const DEMO = new URL("../testdata/demo.tasks.json", import.meta.url);
const ignore = !hasPseudoTerminals;
const NEEDS = ignore ? " (ignored: needs script of util-linux)" : "";

/** The commands in the page's console blocks, each with what it prints there. */
async function examples(): Promise<[command: string, output: string][]> {
  const page = await Deno.readTextFile(PAGE);
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)];
  return blocks.flatMap(([, block = ""]) =>
    block.split(/^\$ tasks /m).slice(1).map((example) => {
      const end = example.indexOf("\n");
      return [
        example.slice(0, end),
        example.slice(end + 1).trimEnd(),
      ] satisfies [
        string,
        string,
      ];
    })
  );
}

Deno.test({
  name: `the guide shows what the program prints${NEEDS}`,
  ignore,
  async fn(): Promise<void> {
    await using dir = await makeSessionDir();
    await Deno.copyFile(DEMO, dir.at("demo.tasks.json"));
    const found = await examples();
    assert(found.length >= 6);
    for (const [command, output] of found) {
      await using terminal = await PseudoTerminal.open({
        size: { columns: 110, rows: 30 },
        command: commandLine(command.split(" "), { dir: dir.path }),
      });
      await terminal.ending;
      assertEquals(terminal.model.text.trimEnd(), output, command);
    }
  },
});
