import { openSession } from "../../mod.ts";
import { Encoder } from "../../src/format/encode.ts";
import { FileStore } from "../../src/store/file_store.ts";
import { loadDocument } from "../../src/store/load.ts";
import { row, sidecarText } from "../support/sidecar.ts";
import type { Random } from "./random.ts";
import { expect, type Torture, within } from "./round.ts";
import { expectSame, Scene, SESSION, SIDECAR, TEMP } from "./scene.ts";
import { type Visit, visit } from "./visit.ts";

/** Callers, files and links that mean no good. */
export const hostile: Torture = {
  name: "hostile",
  shows: "odd ids, planted links and damaged sidecars are refused or repaired",
  rounds: 5,
  async run(rounds: number, random: Random): Promise<string> {
    let damaged = 0;
    for (let i = 1; i <= rounds; i++) {
      const where = `hostile, round ${i}`;
      await within(120, where, Scene.play(random, refuseIds));
      await within(120, where, Scene.play(random, refuseNamesake));
      await within(120, where, Scene.play(random, plantLinks));
      for (const file of FILES) {
        await within(
          120,
          `${where}, ${file.name}`,
          Scene.play(random, (scene) => openFile(scene, file)),
        );
      }
      damaged += await within(
        120,
        where,
        Scene.play(random, (scene) => damage(scene, random)),
      );
    }
    return `${rounds} times ${IDS.length} ids refused, ${LINKS.length} links ` +
      `planted and not followed, ${FILES.length} odd files opened or refused ` +
      `in words; of ${damaged} cut or damaged sidecars not a byte lost`;
  },
};

const IDS = [
  "../s",
  "../../etc/passwd",
  "/tmp/s",
  "a/b",
  "a\\b",
  "..",
  ".",
  "",
  " ",
  "s ",
  "s.",
  ".s",
  "a\0b",
  "a\nb",
  "C:s",
  "con",
  "NUL.txt",
  "com1",
  "LPT9.log",
  "é",
  "e\u0301",
  "a\ud800",
  "％2e％2e",
  "x".repeat(101),
  "x".repeat(100_000),
];

/** No such id touches anything, in the directory or beside it. */
async function refuseIds(scene: Scene): Promise<void> {
  for (const sessionId of IDS) {
    const { opened, message } = await visit({
      sessionId,
      sessionDir: scene.sessionDir,
    });
    expectSame(opened, "invalid_arguments", `the id ${sessionId.slice(0, 20)}`);
    expect(message.length < 2_000 && message.isWellFormed(), message);
  }
  expectSame(await scene.names(), [], "the directory");
  const beside = await Array.fromAsync(Deno.readDir(scene.root));
  expectSame(beside.map(({ name }) => name), ["sessions"], "what is beside it");
}

/** On a file system that is blind to case, one session finds another's sidecar. */
async function refuseNamesake(scene: Scene): Promise<void> {
  const options = { sessionDir: scene.sessionDir };
  expectSame(
    (await visit({ ...options, sessionId: "Session" })).added,
    "well",
    "the first of two namesakes",
  );
  const text = await Deno.readTextFile(scene.at("Session.tasks.json"));
  // A link does here what such a file system does.
  await Deno.link(
    scene.at("Session.tasks.json"),
    scene.at("SESSION.tasks.json"),
  );
  const { opened, message } = await visit({ ...options, sessionId: "SESSION" });
  expectSame(opened, "open_failed", "the second of two namesakes");
  expect(message.includes("only in case"), message);
  expectSame(
    await Deno.readTextFile(scene.at("Session.tasks.json")),
    text,
    "the first namesake's sidecar",
  );
}

const LINKS = [
  "victim",
  "directory",
  "nowhere",
  TEMP,
  "/dev/full",
  "/dev/zero",
];

/** A link at the temp path is taken away; what it leads to is left alone. */
async function plantLinks(scene: Scene): Promise<void> {
  const victim = scene.at("victim");
  await Deno.writeTextFile(victim, "precious");
  await Deno.mkdir(scene.at("directory"));
  await using session = await scene.open();
  for (const link of LINKS) {
    await Deno.symlink(link, scene.at(TEMP));
    await session.tasks({ action: "add", content: `past ${link}` });
    expectSame(
      await scene.names(),
      ["directory", SIDECAR, "victim"],
      "what is left",
    );
    expect(
      (await Deno.lstat(scene.at(SIDECAR))).isFile,
      "The sidecar is a link.",
    );
  }
  expectSame(await Deno.readTextFile(victim), "precious", "the victim");
  expectSame((await scene.sidecar()).tasks.length, LINKS.length, "the tasks");
}

/** A sidecar that nobody of good will has written. */
interface OddFile {
  readonly name: string;
  readonly text: string;
  readonly visit: Partial<Visit>;
  /** Whether the text must be found in another file afterwards. */
  readonly isKept: boolean;
}

const DEPTH = 200_000;
const MOVED = {
  opened: "well",
  added: "well",
  tasks: 0,
  warnings: ["moved_aside"],
};
const head = `{"version":1,"session_id":"${SESSION}","revision":7,`;
const good = JSON.stringify(row("t_1_aaaa"));

const FILES: readonly OddFile[] = [
  { name: "nothing", text: "", visit: MOVED, isKept: true },
  { name: "NULs", text: "\0".repeat(5_000), visit: MOVED, isKept: true },
  { name: "brackets", text: "[".repeat(DEPTH), visit: MOVED, isKept: true },
  {
    name: "nested lists",
    text: "[".repeat(DEPTH) + "]".repeat(DEPTH),
    visit: MOVED,
    isKept: true,
  },
  {
    name: "nested tasks",
    text: `${head}"tasks":[${good},${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}]}`,
    visit: {
      opened: "well",
      added: "well",
      tasks: 1,
      warnings: ["rows_dropped"],
    },
    isKept: true,
  },
  {
    name: "a nested field",
    text: `${head}"x":${'{"x":'.repeat(DEPTH)}1${
      "}".repeat(DEPTH)
    },"tasks":[${good}]}`,
    visit: {
      opened: "well",
      added: "well",
      tasks: 1,
      warnings: ["rows_repaired"],
    },
    isKept: true,
  },
  {
    name: "__proto__ and its kind",
    text: `${head}"__proto__":{"polluted":1},"constructor":2,"tasks":[` +
      `{"id":"__proto__","content":"x","status":"pending","__proto__":{"polluted":1}},` +
      `{"id":"constructor","content":"y","status":"toString","blockedBy":["__proto__","hasOwnProperty"]}]}`,
    visit: {
      opened: "well",
      added: "well",
      tasks: 2,
      warnings: ["rows_repaired", "missing_blockers"],
    },
    isKept: true,
  },
  {
    name: "a revision that cannot be counted up",
    text:
      `{"version":1,"session_id":"${SESSION}","revision":9007199254740991,"tasks":[${good}]}`,
    visit: { opened: "well", added: "well", tasks: 1 },
    isKept: false,
  },
  {
    name: "a revision beyond all numbers",
    text:
      `{"version":1,"session_id":"${SESSION}","revision":1e999,"tasks":[${good}]}`,
    visit: { opened: "well", added: "well", tasks: 1 },
    isKept: false,
  },
  {
    name: "a newer version",
    text: `{"version":1e300,"tasks":[]}`,
    visit: { opened: "sidecar_newer", added: "" },
    isKept: true,
  },
  {
    name: "a megabyte of content",
    text: `${head}"tasks":[${
      JSON.stringify(row("t_1_aaaa", { content: "ü".repeat(500_000) }))
    }]}`,
    visit: { opened: "well", added: "well", tasks: 1, warnings: [] },
    isKept: false,
  },
];

async function openFile(scene: Scene, file: OddFile): Promise<void> {
  await Deno.writeTextFile(scene.at(SIDECAR), file.text);
  const actual = await visit({
    sessionId: SESSION,
    sessionDir: scene.sessionDir,
  });
  const expected = { ...actual, ...file.visit };
  expectSame(actual, expected, `a visit to ${file.name}`);
  if (file.isKept) {
    expect(await isSomewhere(scene, file.text), `${file.name} is lost`);
  }
  // Whatever it was, it is a sidecar now.
  if (actual.added !== "well") return;
  await using session = await openSession({
    sessionId: SESSION,
    sessionDir: scene.sessionDir,
  });
  expectSame(
    session.snapshot.tasks.length,
    actual.tasks + 1,
    `${file.name} again`,
  );
  expect(!("polluted" in {}), `${file.name} has reached Object.prototype`);
}

async function isSomewhere(scene: Scene, text: string): Promise<boolean> {
  for (const name of await scene.names()) {
    if (await Deno.readTextFile(scene.at(name)) === text) return true;
  }
  return false;
}

/** Cuts a good sidecar at every k-th byte, and damages it at random. */
async function damage(scene: Scene, random: Random): Promise<number> {
  const tasks = Array.from({ length: 6 }, (_, i) =>
    row(`t_${i}_aaaa`, {
      content: '}{ ][ \\ " é 🎉'.slice(random.below(6)),
      ...(i > 0 && { blockedBy: [`t_${i - 1}_aaaa`] }),
    }));
  const good = new TextEncoder().encode(sidecarText(5, tasks));
  const step = random.between(3, 9);
  let count = 0;
  for (let cut = random.below(step); cut < good.length; cut += step) {
    await load(scene, good.subarray(0, cut));
    const changed = good.slice();
    for (let i = random.between(1, 3); i > 0; i--) {
      changed[random.below(changed.length)] = random.below(256);
    }
    await load(scene, changed);
    count += 2;
  }
  return count;
}

/** What cannot be kept whole is kept aside; what is made of it can be read again. */
async function load(scene: Scene, bytes: Uint8Array): Promise<void> {
  await Deno.writeFile(scene.at(SIDECAR), bytes);
  const options = { sessionId: SESSION, staleAfterMs: Infinity, now: 1_000 };
  const store = new FileStore({
    sessionDir: scene.sessionDir,
    sessionId: SESSION,
    durability: "process",
  });
  const names = async () =>
    (await scene.names()).filter((name) => name !== SIDECAR);
  const loaded = await loadDocument(store, options).catch((error) => {
    // A digit of the version may have become another.
    expect(/newer|only in case/.test(String(error)), String(error));
  });
  const aside = await names();
  for (const name of aside) {
    expectSame(
      [...await Deno.readFile(scene.at(name))],
      [...bytes],
      "what was set aside",
    );
    await Deno.remove(scene.at(name));
  }
  if (loaded === undefined) return;
  expect(loaded.isFound || aside.length === 1, "A sidecar was dropped.");
  await Deno.writeTextFile(
    scene.at(SIDECAR),
    new Encoder().sidecar(loaded.document),
  );
  const again = await loadDocument(store, options);
  expectSame(
    again.document.graph.tasks,
    loaded.document.graph.tasks,
    "the tasks",
  );
  expectSame(await names(), [], "what was set aside the second time");
}
