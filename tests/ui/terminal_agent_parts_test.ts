import { assertEquals } from "@std/assert";
import stringWidth from "string-width";
import { parseCommand } from "../../examples/terminal_agent/command.ts";
import {
  type Composer,
  composerKey,
  EMPTY_COMPOSER,
  renderComposer,
} from "../../examples/terminal_agent/composer.ts";
import { parsePlan } from "../../examples/terminal_agent/plan.ts";

function type(text: string, composer: Composer = EMPTY_COMPOSER): Composer {
  return Array.from(text).reduce(
    (composer, sequence) => composerKey(composer, { sequence }),
    composer,
  );
}

function press(composer: Composer, ...names: readonly string[]): Composer {
  return names.reduce(
    (composer, name) => composerKey(composer, { name }),
    composer,
  );
}

Deno.test("composerKey() types and takes back whole graphemes", () => {
  const family = type("a👨‍👩‍👧‍👦");
  assertEquals(press(family, "backspace"), { before: "a", after: "" });
  assertEquals(press(family, "left"), { before: "a", after: "👨‍👩‍👧‍👦" });
  assertEquals(press(family, "home", "delete"), { before: "", after: "👨‍👩‍👧‍👦" });
  assertEquals(press(EMPTY_COMPOSER, "backspace", "delete"), EMPTY_COMPOSER);
});

Deno.test("composerKey() ignores keys that are no text", () => {
  const composer = type("abc");
  for (
    const key of [{ name: "f1", sequence: "\x1bOP" }, { sequence: "\x00" }]
  ) {
    assertEquals(composerKey(composer, key), composer);
  }
  const alt = { name: "x", meta: true, sequence: "\x1bx" };
  assertEquals(composerKey(composer, alt), composer);
});

Deno.test("composerKey() clears a word or all", () => {
  const composer = type("add two words");
  const ctrl = (name: string) => composerKey(composer, { name, ctrl: true });
  assertEquals(ctrl("w").before, "add two ");
  assertEquals(ctrl("u").before, "");
  assertEquals(ctrl("a"), { before: "", after: "add two words" });
});

Deno.test("renderComposer() keeps the cursor in view at any size", () => {
  const pasted = composerKey(type("起きる".repeat(30)), {
    name: "paste",
    sequence: "\r- one\r\n- two\r" + "x".repeat(200),
  });
  for (const composer of [EMPTY_COMPOSER, pasted, press(pasted, "home")]) {
    for (const columns of [1, 2, 5, 20, 80]) {
      for (const rows of [1, 3, 24]) {
        const { lines, cursor } = renderComposer(composer, { columns, rows });
        assertEquals(lines.length <= Math.max(rows, 1), true);
        assertEquals(lines.every((line) => stringWidth(line) <= columns), true);
        assertEquals(cursor!.row < lines.length, true);
        assertEquals(cursor!.column < columns, true);
      }
    }
  }
});

Deno.test("parsePlan() puts a step after those indented below it", () => {
  assertEquals(parsePlan("- Ship\n\n  1. Build\n  2. [x] Plan\n* Party"), [
    { content: "Build", done: false, after: [] },
    { content: "Plan", done: true, after: [] },
    { content: "Ship", done: false, after: [0, 1] },
    { content: "Party", done: false, after: [] },
  ]);
});

Deno.test("parsePlan() takes any indentation", () => {
  assertEquals(
    parsePlan("a\n\tb\n      c\n  d").map((
      { content, after },
    ) => [content, after]),
    [["c", []], ["b", [0]], ["d", []], ["a", [1, 2]]],
  );
  assertEquals(parsePlan("\n \n"), []);
});

Deno.test("parseCommand() understands what help lists", () => {
  assertEquals(parseCommand("add Seed fixtures after 1, 2"), {
    name: "add",
    content: "Seed fixtures",
    after: ["1", "2"],
  });
  assertEquals(parseCommand("add Call after lunch"), {
    name: "add",
    content: "Call after lunch",
    after: [],
  });
  assertEquals(parseCommand("start 2 as Seeding"), {
    name: "start",
    task: "2",
    activeForm: "Seeding",
  });
  assertEquals(parseCommand("done 2 3"), { name: "done", tasks: ["2", "3"] });
  assertEquals(parseCommand("block 3 by 1"), {
    name: "block",
    task: "3",
    by: ["1"],
  });
  assertEquals(parseCommand(" Help "), { name: "help" });
  assertEquals(parseCommand("block 3"), { name: "unknown", text: "block 3" });
  assertEquals(parseCommand("- a\n- b").name, "plan");
});
