import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { Encoder } from "../../src/format/encode.ts";
import { emptyDocument } from "../../src/graph/document.ts";
import { TasksError } from "../../src/model/errors.ts";
import { loadDocument } from "../../src/store/load.ts";
import { MemoryStore, type Store } from "../../src/store/store.ts";
import { DECODE_OPTIONS, graphOf, NOW } from "../support/graph.ts";
import { encodeWith } from "../support/texts.ts";

const ROW = {
  id: "A",
  content: "x",
  status: "pending",
  created_at: NOW,
  updated_at: NOW,
};

function fileOf(
  tasks: readonly unknown[],
  fields: Record<string, unknown> = {},
): string {
  return JSON.stringify({
    version: 1,
    session_id: "demo",
    revision: 3,
    ...fields,
    tasks,
  });
}

Deno.test("loadDocument() starts empty where nothing is kept", async () => {
  const store = new MemoryStore();
  const loaded = await loadDocument(store, DECODE_OPTIONS);
  assertEquals(loaded, {
    document: emptyDocument("demo"),
    warnings: [],
    needsSave: false,
    isFound: false,
  });
  assertEquals(store.text, undefined);
});

Deno.test("loadDocument() gives back what was saved", async () => {
  const document = {
    ...emptyDocument("demo"),
    revision: 9,
    graph: graphOf({ A: [], B: ["A"] }),
  };
  const { sidecar } = encodeWith(new Encoder(), document);
  const store = new MemoryStore(sidecar);
  const loaded = await loadDocument(store, DECODE_OPTIONS);
  assertEquals(new Encoder().sidecar(loaded.document), sidecar);
  assertEquals([loaded.warnings, loaded.needsSave, loaded.isFound], [
    [],
    false,
    true,
  ]);
  assertEquals(store.text, sidecar);
  assertEquals(store.aside.size, 0);
});

Deno.test("loadDocument() moves what is no sidecar aside, and says where to", async () => {
  for (
    const text of [
      "",
      "\0".repeat(2_048),
      fileOf([ROW]).slice(0, -9),
      "null",
      "[]",
      "{}",
    ]
  ) {
    const store = new MemoryStore(text);
    const { document, warnings, needsSave, isFound } = await loadDocument(
      store,
      DECODE_OPTIONS,
    );
    assertEquals(document, emptyDocument("demo"));
    assertEquals([needsSave, isFound], [false, false]);
    const [name, kept] = [...store.aside][0] ?? [];
    assert(name !== undefined);
    assertStringIncludes(name, `.corrupt-${NOW}`);
    assertEquals(kept, text);
    assertEquals(store.text, undefined);
    assertEquals(warnings.map(({ code, taskIds }) => [code, taskIds]), [[
      "moved_aside",
      [],
    ]]);
    assertStringIncludes(warnings[0]?.message ?? "", name);
  }
});

Deno.test("loadDocument() keeps a copy of what it cannot keep whole, and says where", async () => {
  const text = fileOf([null, ROW, { ...ROW, id: "B", status: "done" }]);
  const store = new MemoryStore(text);
  const { document, warnings, needsSave, isFound } = await loadDocument(
    store,
    DECODE_OPTIONS,
  );
  assertEquals(document.graph.tasks.map((task) => task.id), ["A", "B"]);
  assertEquals([needsSave, isFound], [true, true]);
  assertEquals(store.text, text);
  assertEquals([...store.aside.values()], [text]);
  const [name] = [...store.aside.keys()];
  assertEquals(warnings.map((warning) => warning.code), [
    "rows_dropped",
    "rows_repaired",
  ]);
  for (const { message } of warnings) {
    assertStringIncludes(message, name ?? "-");
  }
});

Deno.test("loadDocument() makes no copy when nothing is lost", async () => {
  const files = [
    fileOf([{ ...ROW, status: "in_progress", updated_at: 0 }]),
    fileOf([ROW], { session_id: "other" }),
    fileOf([{ ...ROW, blockedBy: ["ghost", "A"] }]),
  ];
  for (const text of files) {
    const store = new MemoryStore(text);
    const { warnings } = await loadDocument(store, DECODE_OPTIONS);
    assert(warnings.length > 0);
    assertEquals(store.aside.size, 0);
    assertEquals(store.text, text);
  }
});

Deno.test("loadDocument() refuses the file of a newer version and leaves it as it is", async () => {
  for (
    const text of [
      fileOf([ROW], { version: 999 }),
      fileOf([], { session_id: "DEMO" }),
    ]
  ) {
    const store = new MemoryStore(text);
    await assertRejects(() => loadDocument(store, DECODE_OPTIONS), TasksError);
    assertEquals(store.text, text);
    assertEquals(store.aside.size, 0);
  }
});

/** A store that cannot do what is asked of it. */
class BrokenStore extends MemoryStore implements Store {
  readonly #broken: "load" | "setAside";

  constructor(text: string, broken: "load" | "setAside") {
    super(text);
    this.#broken = broken;
  }

  override load(): Promise<Uint8Array | undefined> {
    if (this.#broken === "load") return Promise.reject(new Error("EIO"));
    return super.load();
  }

  override setAside(
    how: "move" | "copy",
    now: number,
  ): Promise<string | undefined> {
    if (this.#broken === "setAside") return Promise.reject(new Error("EIO"));
    return super.setAside(how, now);
  }
}

Deno.test("loadDocument() rejects when the store cannot be read or cannot set a file aside", async () => {
  const stores = [
    new BrokenStore(fileOf([ROW]), "load"),
    new BrokenStore("torn", "setAside"),
    new BrokenStore(fileOf([null]), "setAside"),
  ];
  for (const store of stores) {
    const before = store.text;
    await assertRejects(
      () => loadDocument(store, DECODE_OPTIONS),
      Error,
      "EIO",
    );
    assertEquals(store.text, before);
  }
});

Deno.test("loadDocument() loads again when the file was replaced before it could be set aside", async () => {
  class ReplacedStore extends MemoryStore {
    override setAside(): Promise<string | undefined> {
      this.text = fileOf([ROW]);
      return Promise.resolve(undefined);
    }
  }
  for (const text of ["torn", fileOf([null])]) {
    const store = new ReplacedStore(text);
    const { document, warnings } = await loadDocument(store, DECODE_OPTIONS);
    assertEquals(document.graph.tasks.map((task) => task.id), ["A"]);
    assertEquals(warnings, []);
    assertEquals(store.text, fileOf([ROW]));
  }
});
