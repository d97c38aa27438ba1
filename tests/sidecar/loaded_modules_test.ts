import { assert, assertEquals } from "@std/assert";
import { PACKAGE } from "../support/child.ts";

interface Info {
  readonly modules: readonly { readonly specifier: string }[];
}

Deno.test("@kin/tasks-dag/sidecar loads neither xstate nor anything that draws", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "src/sidecar/mod.ts"],
    cwd: PACKAGE,
  }).output();
  const info: Info = JSON.parse(new TextDecoder().decode(stdout));
  const loaded = info.modules.map(({ specifier }) => specifier);
  assert(loaded.some((specifier) => specifier.endsWith("/src/decode.ts")));
  const unwanted = /xstate|nanoid|string-width|\/src\/(ui|machine|file_store)/;
  assertEquals(loaded.filter((specifier) => unwanted.test(specifier)), []);
});
