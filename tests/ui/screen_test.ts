import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Frame,
  type Key,
  openScreen,
  type Screen,
} from "@kin/tasks-dag/ui";
import { FakeTerminal } from "./fake_terminal.ts";

const RESTORED = new Set(["7", "25"]);

interface SetUp {
  readonly terminal: FakeTerminal;
  readonly state: { frame: Frame; readonly keys: Key[] };
  readonly screen: Screen;
  show(frame: Frame, expected: string): Promise<void>;
}

/** A screen on a fake terminal, and the frame that it draws. */
function setUp(lines: readonly string[]): SetUp {
  const terminal = new FakeTerminal();
  const state: SetUp["state"] = { frame: { lines }, keys: [] };
  const screen = openScreen({
    terminal,
    render: () => state.frame,
    onKey: (key) => state.keys.push(key),
    frameIntervalMs: 0,
  });
  const show = async (frame: Frame, expected: string) => {
    state.frame = frame;
    screen.refresh();
    await terminal.until((model) => model.text === expected);
  };
  return { terminal, state, screen, show };
}

Deno.test("openScreen() draws the first frame at once", () => {
  const { terminal, screen } = setUp(["a", "b"]);
  assertEquals(terminal.model.text, "a\nb");
  screen.close();
});

Deno.test("a frame changes only the lines that differ", async () => {
  const { terminal, screen, show } = setUp(["a", "b", "c"]);
  await show({ lines: ["a", "B", "c"] }, "a\nB\nc");
  const update = terminal.writes.at(-1)!;
  assert(update.includes("B"));
  assert(!update.includes("a") && !update.includes("c"));
  assert(update.startsWith("\x1b[?2026h") && update.endsWith("\x1b[?2026l"));
  screen.close();
});

Deno.test("an unchanged frame writes nothing", async () => {
  const { terminal, state, screen, show } = setUp(["a"]);
  const before = terminal.writes.length;
  const drawn = Promise.withResolvers<void>();
  const lines = ["a"];
  state.frame = {
    get lines() {
      drawn.resolve();
      return lines;
    },
  };
  screen.refresh();
  await drawn.promise;
  await show({ lines: ["b"] }, "b");
  assertEquals(terminal.writes.length, before + 1);
  screen.close();
});

Deno.test("a region grows, shrinks and disappears without leaving lines behind", async () => {
  const { terminal, screen, show } = setUp(["a"]);
  const many = Array.from({ length: 10 }, (_, i) => `line ${i}`);
  await show({ lines: many }, many.join("\n"));
  await show({ lines: ["x", "y"] }, "x\ny");
  await show({ lines: [] }, "");
  await show({ lines: ["z"] }, "z");
  assertEquals(terminal.model.scrollback, []);
  screen.close();
  assertEquals(terminal.model.text, "");
});

Deno.test("a frame with more lines than the window is cut off at the top", async () => {
  const { terminal, screen, show } = setUp(["a"]);
  const many = Array.from({ length: 14 }, (_, i) => `line ${i}`);
  const cursor = { row: 13, column: 2 };
  await show({ lines: many, cursor }, many.slice(4).join("\n"));
  assertEquals(terminal.model.cursor, { row: 9, column: 2 });
  screen.close();
});

Deno.test("the cursor is where the frame puts it, or hidden", async () => {
  const { terminal, screen, show } = setUp(["a"]);
  assert(!terminal.model.modes.has("25"));
  await show({ lines: ["ab", "cd"], cursor: { row: 0, column: 1 } }, "ab\ncd");
  assertEquals(terminal.model.cursor, { row: 0, column: 1 });
  assert(terminal.model.modes.has("25"));
  screen.close();
});

Deno.test("print() puts lines above the region for good", async () => {
  const { terminal, screen, show } = setUp(["panel", "> "]);
  screen.print(["one", "two"]);
  await show({ lines: ["panel", "> "] }, "one\ntwo\npanel\n>");
  screen.print(Array.from({ length: 12 }, (_, i) => `more ${i}`));
  await terminal.until((model) => model.text.endsWith("more 11\npanel\n>"));
  assertEquals(terminal.model.scrollback.slice(0, 3), ["one", "two", "more 0"]);
  screen.close();
  assert(terminal.model.text.endsWith("more 11"));
});

Deno.test("print() wraps a long line and keeps the region in place", async () => {
  const { terminal, screen } = setUp(["panel"]);
  screen.print(["x".repeat(50)]);
  await terminal.until((model) => model.text.endsWith("x\npanel"));
  assertEquals(terminal.model.lines.slice(0, 3), [
    "x".repeat(40),
    "x".repeat(10),
    "panel",
  ]);
  screen.close();
});

Deno.test("a full screen frame leaves the region and what was printed alone", async () => {
  const { terminal, screen, show } = setUp(["panel", "> "]);
  const region = { lines: ["panel", "> "], cursor: { row: 1, column: 2 } };
  screen.print(["said"]);
  await show(region, "said\npanel\n>");
  await show({ lines: ["list", "row"], fullScreen: true }, "list\nrow");
  assert(terminal.model.modes.has("1049"));
  assert(!terminal.model.modes.has("25"));
  screen.print(["said meanwhile"]);
  await show({ lines: ["list", "ROW"], fullScreen: true }, "list\nROW");
  await show(region, "said\nsaid meanwhile\npanel\n>");
  assert(!terminal.model.modes.has("1049"));
  assert(terminal.model.modes.has("25"));
  screen.close();
  assertEquals(terminal.model.modes, RESTORED);
});

Deno.test("the cursor is shown again when a full screen frame makes way for an unchanged region", async () => {
  const { terminal, screen, show } = setUp([]);
  const region = { lines: ["> "], cursor: { row: 0, column: 2 } };
  await show(region, ">");
  await show({ lines: ["list"], fullScreen: true }, "list");
  await show(region, ">");
  assert(terminal.model.modes.has("25"));
  assertEquals(terminal.model.cursor, { row: 0, column: 2 });
  screen.close();
});

Deno.test("a resized window is drawn anew, with what was printed", async () => {
  const { terminal, state, screen } = setUp(["panel"]);
  screen.print(Array.from({ length: 20 }, (_, i) => `said ${i}`));
  await terminal.until((model) => model.text.endsWith("said 19\npanel"));
  state.frame = { lines: ["PANEL"] };
  terminal.resize({ columns: 20, rows: 4 });
  await terminal.until((model) => model.text.includes("PANEL"));
  assertEquals(terminal.model.text, "said 17\nsaid 18\nsaid 19\nPANEL");
  state.frame = { lines: ["Panel"] };
  terminal.resize({ columns: 7, rows: 5 });
  await terminal.until((model) => model.text.includes("Panel"));
  assertEquals(
    terminal.model.text,
    "said 16\nsaid 17\nsaid 18\nsaid 19\nPanel",
  );
  screen.close();
});

Deno.test("a window that was resized during a full screen frame is drawn anew after it", async () => {
  const { terminal, state, screen, show } = setUp(["panel"]);
  screen.print(["said"]);
  await show({ lines: ["panel"] }, "said\npanel");
  await show({ lines: ["list"], fullScreen: true }, "list");
  state.frame = { lines: ["LIST"], fullScreen: true };
  terminal.resize({ columns: 30, rows: 6 });
  await terminal.until((model) => model.text === "LIST");
  await show({ lines: ["panel"] }, "said\npanel");
  screen.close();
});

Deno.test("a thousand refreshes draw the newest state, not a thousand frames", async () => {
  const terminal = new FakeTerminal();
  let frames = 0;
  let newest = 0;
  const screen = openScreen({
    terminal,
    render: () => {
      frames++;
      return { lines: [`change ${newest}`] };
    },
  });
  for (newest = 1; newest < 1000; newest++) screen.refresh();
  await terminal.until((model) => model.text === "change 1000");
  assertEquals(frames, 2);
  screen.close();
});

Deno.test("keys are decoded by name", async () => {
  const { terminal, state, screen, show } = setUp(["a"]);
  terminal.type("o\x0f\x1b[A\x1b[6~\rä");
  await show({ lines: ["b"] }, "b");
  assertEquals(
    state.keys.map(({ name, ctrl }) => `${ctrl ? "ctrl+" : ""}${name}`),
    ["o", "ctrl+o", "up", "pagedown", "return", "undefined"],
  );
  assertEquals(state.keys.at(-1)?.sequence, "ä");
  screen.close();
});

Deno.test("a lone Escape is a key", async () => {
  const terminal = new FakeTerminal();
  const pressed = Promise.withResolvers<Key>();
  using _screen = openScreen({
    terminal,
    render: () => ({ lines: [] }),
    onKey: pressed.resolve,
  });
  terminal.type("\x1b");
  assertEquals((await pressed.promise).name, "escape");
});

Deno.test("a paste is one key, however its bytes arrive", async () => {
  const { terminal, state, screen, show } = setUp(["a"]);
  terminal.type("\x1b[200~- one\r  - two\n~\x1b[20");
  terminal.type("1~x");
  await show({ lines: ["b"] }, "b");
  assertEquals(
    state.keys.map(({ name, sequence }) => ({ name, sequence })),
    [
      { name: "paste", sequence: "- one\r  - two\n~" },
      { name: "x", sequence: "x" },
    ],
  );
  screen.close();
});

Deno.test("close() restores the terminal and stops listening", async () => {
  const { terminal, screen, show } = setUp(["a"]);
  await show({ lines: ["list"], fullScreen: true }, "list");
  screen.close();
  assertEquals(terminal.model.modes, RESTORED);
  assertEquals(terminal.model.text, "");
  assertEquals(terminal.events, undefined);
  const writes = terminal.writes.length;
  screen.close();
  screen.refresh();
  assertEquals(terminal.writes.length, writes);
});

Deno.test("close() prints what was waiting", async () => {
  const { terminal, screen, show } = setUp(["a"]);
  await show({ lines: ["list"], fullScreen: true }, "list");
  screen.print(["goodbye"]);
  screen.close();
  assertEquals(terminal.model.text, "goodbye");
});

Deno.test("the terminal is restored when the first frame cannot be drawn", () => {
  const terminal = new FakeTerminal();
  assertThrows(
    () =>
      openScreen({
        terminal,
        render: () => {
          throw new Error("no frame");
        },
      }),
    Error,
    "no frame",
  );
  assertEquals(terminal.model.modes, RESTORED);
  assertEquals(terminal.events, undefined);
});

Deno.test("the terminal is restored before a signal is passed on", () => {
  const terminal = new FakeTerminal();
  const signals: string[] = [];
  openScreen({
    terminal,
    render: () => ({ lines: ["list"], fullScreen: true }),
    onSignal: (signal) => {
      assertEquals(terminal.model.modes, RESTORED);
      signals.push(signal);
    },
  });
  assertEquals(terminal.events?.onSignal("SIGTERM"), true);
  assertEquals(signals, ["SIGTERM"]);
});

Deno.test("a signal that nobody takes is left to the terminal, once restored", () => {
  const { terminal } = setUp(["a"]);
  assertEquals(terminal.events?.onSignal("SIGTERM"), false);
  assertEquals(terminal.model.modes, RESTORED);
});

Deno.test("the terminal is restored when the process ends", () => {
  const { terminal } = setUp(["a"]);
  terminal.events?.onExit();
  assertEquals(terminal.model.modes, RESTORED);
  assertEquals(terminal.events, undefined);
});

Deno.test("closing a screen whose terminal is gone does not throw", () => {
  const { terminal, screen } = setUp(["a"]);
  terminal.write = () => {
    throw new Error("gone");
  };
  screen.close();
  assertEquals(terminal.events, undefined);
});
