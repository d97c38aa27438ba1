// What every store must do. A store on another engine passes when it is added to `STORES`.

import {
  assertEquals,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { FileStore } from "../../src/store/file_store.ts";
import { MemoryStore, type Store } from "../../src/store/store.ts";
import { makeSessionDir } from "../support/session_dir.ts";
import { row, sidecarText } from "../support/sidecar.ts";

const STORES: readonly {
  readonly name: string;
  /** Makes a store that keeps nothing yet. */
  readonly make: (sessionDir: string) => Store;
}[] = [
  { name: "MemoryStore", make: () => new MemoryStore() },
  ...(["process", "power"] as const).map((durability) => ({
    name: `FileStore with durability "${durability}"`,
    make: (sessionDir: string) =>
      new FileStore({ sessionDir, sessionId: "s", durability }),
  })),
];

function test(
  behaviour: string,
  body: (store: Store) => Promise<void>,
): void {
  for (const { name, make } of STORES) {
    Deno.test(`${name} ${behaviour}`, async () => {
      await using dir = await makeSessionDir();
      await body(make(dir.path));
    });
  }
}

async function textIn(store: Store): Promise<string | undefined> {
  const bytes = await store.load();
  return bytes && new TextDecoder().decode(bytes);
}

test("loads nothing when nothing was saved", async (store) => {
  assertEquals(await store.load(), undefined);
});

test("loads what was saved last", async (store) => {
  await store.load();
  for (let revision = 1; revision <= 3; revision++) {
    const text = sidecarText(revision, [row("t_1_aaaa", { content: "ä☃𝄞" })]);
    assertEquals(await store.save(text, revision - 1), "saved");
    assertEquals(await textIn(store), text);
  }
});

test("saves again and again without loading in between", async (store) => {
  await store.load();
  for (let revision = 1; revision <= 5; revision++) {
    assertEquals(
      await store.save(sidecarText(revision), revision - 1),
      "saved",
    );
  }
  assertEquals(await textIn(store), sidecarText(5));
});

test("changes nothing when another revision was seen than the one kept", async (store) => {
  await store.load();
  await store.save(sidecarText(1), 0);
  await store.save(sidecarText(2), 1);
  for (const seen of [0, 1, 3]) {
    assertEquals(
      await store.save(sidecarText(seen + 1, [row("t_1_aaaa")]), seen),
      "moved",
    );
    assertEquals(await textIn(store), sidecarText(2));
  }
  assertEquals(await store.save(sidecarText(3), 2), "saved");
});

test("saves whatever was seen when nothing is kept", async (store) => {
  await store.load();
  assertEquals(await store.save(sidecarText(8), 7), "saved");
  assertEquals(await textIn(store), sidecarText(8));
});

test("keeps nothing once what it kept was moved aside", async (store) => {
  await store.load();
  await store.save(sidecarText(1), 0);
  await store.load();
  await store.setAside("move", 1_000);
  assertEquals(await store.load(), undefined);
  assertEquals(await store.save(sidecarText(1), 0), "saved");
  assertEquals(await textIn(store), sidecarText(1));
});

test("still keeps what a copy was set aside of", async (store) => {
  await store.load();
  await store.save(sidecarText(1), 0);
  await store.load();
  const name = await store.setAside("copy", 1_000);
  assertStringIncludes(name ?? "", "1000");
  assertEquals(await textIn(store), sidecarText(1));
  assertEquals(await store.save(sidecarText(2), 1), "saved");
});

test("sets aside twice at the same time under two names", async (store) => {
  await store.load();
  await store.save(sidecarText(1), 0);
  await store.load();
  const first = await store.setAside("copy", 1_000);
  const second = await store.setAside("copy", 1_000);
  assertNotEquals(first, second);
});

test("keeps a text of a megabyte", async (store) => {
  await store.load();
  const text = sidecarText(1, [
    row("t_1_aaaa", { content: "☃".repeat(350_000) }),
  ]);
  assertEquals(await store.save(text, 0), "saved");
  assertEquals(await textIn(store), text);
});
