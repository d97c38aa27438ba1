import { assertEquals, assertStringIncludes } from "@std/assert";
import { makeSessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";
import { tasks } from "./cli.ts";
import { EXAMPLE } from "./example.ts";

interface Case {
  readonly file: string;
  readonly code: number;
  /** What is to be said of it. */
  readonly says: readonly string[];
  /** What is in the JSON. */
  readonly kind: string;
}

const CASES: Readonly<Record<string, Case>> = {
  "a sound file": {
    file: sidecarText(3, [row("t_1")]),
    code: 0,
    says: ["Nothing is wrong", "1 task, at revision 3"],
    kind: "sidecar",
  },
  "tasks that a dead run left in progress": {
    file: EXAMPLE,
    code: 0,
    says: ["Nothing is wrong", "stale_reset", '"t_1_aaaa"'],
    kind: "sidecar",
  },
  "a torn file": {
    file: EXAMPLE.slice(0, -20),
    code: 1,
    says: ["no sidecar", "not JSON", ".corrupt-"],
    kind: "corrupt",
  },
  "a file of a newer version": {
    file: '{"version":2,"everything":"new"}',
    code: 1,
    says: ["cannot be opened", "version 2"],
    kind: "refused",
  },
  "rows that are no tasks": {
    file: EXAMPLE.replace("[{", "[3,{"),
    code: 1,
    says: ["damaged", "rows_dropped", "4 tasks"],
    kind: "sidecar",
  },
  "a loop": {
    file: sidecarText(1, [
      row("t_1", { blockedBy: ["t_2"] }),
      row("t_2", { blockedBy: ["t_1"] }),
    ]),
    code: 1,
    says: ["damaged", "loops"],
    kind: "sidecar",
  },
};

for (const [name, { file, code, says, kind }] of Object.entries(CASES)) {
  Deno.test(`check tells of ${name}, and leaves it byte for byte`, async () => {
    await using dir = await makeSessionDir();
    await dir.write("s.tasks.json", file);
    const checked = await tasks(["check"], { dir: dir.path });
    assertEquals([checked.code, checked.stderr], [code, ""]);
    for (const text of says) assertStringIncludes(checked.stdout, text);
    const json = await tasks(["check", "--json"], { dir: dir.path });
    const result = JSON.parse(json.stdout);
    assertEquals([json.code, result.kind, result.ok], [code, kind, code === 0]);
    assertEquals(await dir.read("s.tasks.json"), file);
    assertEquals(await dir.names(), ["s.tasks.json"]);
  });
}

Deno.test("check tells of a file that is not there", async () => {
  await using dir = await makeSessionDir();
  const { code, stdout } = await tasks(["check", "--session", "s"], {
    dir: dir.path,
  });
  assertEquals(code, 1);
  assertStringIncludes(stdout, "There is no file");
});

Deno.test("the other commands show what can be read of a damaged file, and say so", async () => {
  await using dir = await makeSessionDir();
  const file = EXAMPLE.replace("[{", "[3,{");
  await dir.write("s.tasks.json", file);
  const { code, stdout, stderr } = await tasks(["list"], { dir: dir.path });
  assertEquals([code, stdout.split("\n").length], [0, 5]);
  assertStringIncludes(stderr, "tasks check");
  assertEquals(await dir.read("s.tasks.json"), file);
});

Deno.test("changes to a file that is no sidecar, or a newer one, are refused and leave it", async () => {
  for (const file of ["{torn", '{"version":2}']) {
    await using dir = await makeSessionDir();
    await dir.write("s.tasks.json", file);
    const { code, stdout } = await tasks(["add", "x", "--json"], {
      dir: dir.path,
      mayWrite: true,
    });
    assertEquals(code, 1);
    assertStringIncludes(stdout, '"error"');
    assertEquals(await dir.read("s.tasks.json"), file);
    assertEquals(await dir.names(), ["s.tasks.json"]);
  }
});
