import {
  assert,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { explainDiskFault } from "../../src/store/disk_fault.ts";

function fault(code: string): Error {
  return Object.assign(new Error(`os error: ${code}`), { code });
}

Deno.test("explainDiskFault() says what to do, and what the system said", () => {
  const advice: Record<string, string> = {
    ENOSPC: "free some space",
    EDQUOT: "free some space",
    EROFS: "another session directory",
    EACCES: "permissions",
    EPERM: "permissions",
    EISDIR: "remove it",
    ENOTEMPTY: "remove it",
    ENOTDIR: "remove it",
    ENOENT: "create it again",
    ENAMETOOLONG: "shorter",
    EXDEV: "another file system",
    EBUSY: "another program",
  };
  for (const [code, words] of Object.entries(advice)) {
    const text = explainDiskFault(fault(code), "/s/demo.tasks.json");
    assertStringIncludes(text, "/s/demo.tasks.json: ");
    assertStringIncludes(text, words);
    assertStringIncludes(text, `(os error: ${code})`);
  }
});

Deno.test("explainDiskFault() names the flags when Deno does not permit it", () => {
  const text = explainDiskFault(
    new Deno.errors.NotCapable("Requires write access"),
    "/s",
  );
  assertStringIncludes(text, "--allow-write");
  assertStringIncludes(text, "Requires write access");
});

Deno.test("explainDiskFault() knows the codes that Deno gives its errors", () => {
  const missing = new URL("./no_such_directory/file", import.meta.url);
  const thrown = assertThrows(() => Deno.readTextFileSync(missing));
  assertStringIncludes(explainDiskFault(thrown, "/s"), "create it again");
});

Deno.test("explainDiskFault() hands on what it does not know", () => {
  const unknown: [unknown, string][] = [
    [fault("EWHAT"), "/s: os error: EWHAT"],
    [new Error("odd"), "/s: odd"],
    ["a string", "/s: a string"],
    [undefined, "/s: undefined"],
    [Object.assign(new Error("odd"), { code: 5 }), "/s: odd"],
  ];
  for (const [thrown, text] of unknown) {
    assertEquals(explainDiskFault(thrown, "/s"), text);
  }
});

Deno.test("explainDiskFault() stays printable and short", () => {
  const text = explainDiskFault(
    new Error(`\x1b]0;${"e".repeat(10_000)}`),
    `/\n\ud800${"d".repeat(10_000)}`,
  );
  assert(text.length < 1_000);
  assert(text.isWellFormed());
  assertEquals(/\p{Cc}/u.test(text), false);
});
