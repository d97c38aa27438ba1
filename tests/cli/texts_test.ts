import { assertEquals, assertMatch } from "@std/assert";
import { jsonLine, oneLine, tabbed, timeText } from "../../src/cli/texts.ts";

const HOSTILE = "a\tb\nc\x1b[31m\u009b31m\u202e\u200bé👩‍🚀";

Deno.test("oneLine() keeps the whole text, and nothing that steers a terminal", () => {
  assertEquals(oneLine("word ".repeat(5_000)), "word ".repeat(5_000));
  assertEquals(oneLine("日本語".repeat(2_000)), "日本語".repeat(2_000));
  assertMatch(oneLine(HOSTILE), /^a b c␛\[31m\ufffd31mé👩‍🚀$/u);
});

Deno.test("tabbed() puts tabs between the values only", () => {
  assertEquals(tabbed(["a\tb", 1, ""]), "a b\t1\t");
});

Deno.test("jsonLine() escapes what steers a terminal, and changes no data", () => {
  const line = jsonLine({ HOSTILE });
  assertEquals(line.match(/[\p{Cc}\p{Cf}]/u), null);
  assertEquals(JSON.parse(line), { HOSTILE });
});

Deno.test("timeText() takes any number for a time", () => {
  assertEquals(timeText(0), "1970-01-01T00:00:00Z");
  assertEquals(timeText(1e300), "-");
  assertEquals(timeText(NaN), "-");
});
