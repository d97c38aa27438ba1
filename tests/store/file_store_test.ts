import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { decode } from "../../src/format/decode.ts";
import { TasksError } from "../../src/model/errors.ts";
import {
  FileStore,
  type FileStoreOptions,
} from "../../src/store/file_store.ts";
import type { Durability } from "../../src/protocol.ts";
import { FakeClock } from "../support/clock.ts";
import {
  diskError,
  diskWith,
  type Step,
  watchedDisk,
} from "../support/disk.ts";
import { makeSessionDir, type SessionDir } from "../support/session_dir.ts";
import { startActor } from "../support/session_actor.ts";
import { parseSidecar, row, sidecarText } from "../support/sidecar.ts";

const SIDECAR = "s.tasks.json";
const TEMP = "s.tasks.json.tmp";
const DURABILITIES: readonly Durability[] = ["process", "power"];

const OLD = sidecarText(1, [row("t_1_aaaa")]);
const NEW = sidecarText(2, [row("t_1_aaaa"), row("t_2_bbbb")]);
const NEXT = sidecarText(3, [row("t_3_cccc")]);
const OTHERS = sidecarText(2, [row("t_9_ffff")]);

const isWindows = Deno.build.os === "windows";

function storeIn(
  dir: SessionDir,
  options: Partial<FileStoreOptions> = {},
): FileStore {
  return new FileStore({
    sessionDir: dir.path,
    sessionId: "s",
    durability: "process",
    ...options,
  });
}

/** A store that has loaded `OLD` from its sidecar. */
async function storeWithOld(
  dir: SessionDir,
  options: Partial<FileStoreOptions> = {},
): Promise<FileStore> {
  await dir.write(SIDECAR, OLD);
  const store = storeIn(dir, options);
  await store.load();
  return store;
}

/** Writes a temp file as another host does at this time. */
function writeAsOther(
  dir: SessionDir,
  { time }: FakeClock,
  text = OTHERS,
): void {
  Deno.writeTextFileSync(dir.at(TEMP), text, { mode: 0o600, createNew: true });
  Deno.utimeSync(dir.at(TEMP), time / 1_000, time / 1_000);
}

async function modeOf(path: string): Promise<number> {
  return ((await Deno.lstat(path)).mode ?? 0) & 0o777;
}

// The steps of a save

Deno.test("FileStore creates its temp file anew and renames it over the sidecar", async () => {
  await using dir = await makeSessionDir();
  const written: [string, Deno.WriteFileOptions | undefined][] = [];
  const renamed: [string, string][] = [];
  const store = await storeWithOld(dir, {
    fileSystem: diskWith({
      writeTextFile: (path, text, options) => {
        written.push([String(path), options]);
        return Deno.writeTextFile(path, text, options);
      },
      rename: (from, to) => {
        renamed.push([String(from), String(to)]);
        return Deno.rename(from, to);
      },
    }),
  });
  assertEquals(await store.save(NEW, 1), "saved");
  assertEquals(written.map(([path]) => path), [dir.at(TEMP)]);
  assertEquals(written[0]?.[1]?.createNew, true);
  assertEquals(renamed, [[dir.at(TEMP), dir.at(SIDECAR)]]);
  assertEquals(await dir.names(), [SIDECAR]);
});

for (
  const [durability, steps] of [
    ["process", ["write", "rename"]],
    ["power", ["write", "sync temp", "rename", "sync directory"]],
  ] as const
) {
  Deno.test(
    `FileStore with durability "${durability}" goes ${steps.join(", ")}`,
    {
      // Directories cannot be synced there.
      ignore: isWindows && durability === "power",
    },
    async () => {
      await using dir = await makeSessionDir();
      const taken: string[] = [];
      const store = storeIn(dir, {
        durability,
        fileSystem: watchedDisk((step, path) => {
          if (step === "writeTextFile") taken.push("write");
          if (step === "rename") taken.push("rename");
          if (path === `sync ${dir.at(TEMP)}`) taken.push("sync temp");
          if (path === `sync ${dir.path}`) taken.push("sync directory");
        }),
      });
      await store.load();
      await store.save(NEW, 0);
      assertEquals(taken, [...steps]);
    },
  );
}

Deno.test("FileStore closes every file that it opens", async () => {
  await using dir = await makeSessionDir();
  let open = 0;
  const counted = (file: Deno.FsFile) => {
    open++;
    const close = file.close.bind(file);
    file.close = () => {
      open--;
      close();
    };
    file[Symbol.dispose] = file.close;
    return file;
  };
  const store = await storeWithOld(dir, {
    durability: "power",
    fileSystem: diskWith({
      open: async (...args: Parameters<typeof Deno.open>) =>
        counted(await Deno.open(...args)),
      openSync: (...args: Parameters<typeof Deno.openSync>) =>
        counted(Deno.openSync(...args)),
    }),
  });
  await store.save(NEW, 1);
  await store.save(NEXT, 1);
  assertEquals(open, 0);
});

// Faults

const FAULTS: readonly {
  readonly step: Step;
  readonly codes: readonly string[];
  readonly durability?: Durability;
  /** Only for the step on this path. */
  readonly on?: (dir: SessionDir) => string;
}[] = [
  {
    step: "writeTextFile",
    codes: [
      "ENOSPC",
      "EDQUOT",
      "EACCES",
      "EISDIR",
      "EROFS",
      "EIO",
      "ENOENT",
      "ENAMETOOLONG",
      "EMFILE",
    ],
  },
  { step: "openSync", codes: ["EACCES", "EIO", "EISDIR", "EMFILE"] },
  {
    step: "rename",
    codes: ["ENOSPC", "EROFS", "EISDIR", "ENOTEMPTY", "EXDEV", "EIO"],
  },
  {
    step: "open",
    codes: ["EACCES", "EMFILE"],
    durability: "power",
    on: (dir) => dir.at(TEMP),
  },
  {
    step: "open",
    codes: ["EIO", "ENOSPC"],
    durability: "power",
    on: (dir) => `sync ${dir.at(TEMP)}`,
  },
];

for (const { step, codes, durability = "process", on } of FAULTS) {
  for (const code of codes) {
    const what = on === undefined
      ? step
      : step + (code === "EIO" || code === "ENOSPC" ? " (sync)" : "");
    Deno.test(`FileStore changes nothing when ${what} fails with ${code}, and works again after`, async () => {
      await using dir = await makeSessionDir();
      let isFaulty = false;
      const store = await storeWithOld(dir, {
        durability,
        fileSystem: watchedDisk((at, path) => {
          const isHit = at === step && (on === undefined || path === on(dir));
          if (isFaulty && isHit) throw diskError(code);
        }),
      });
      isFaulty = true;
      const error = await assertRejects(() => store.save(NEW, 1), Error);
      assertStringIncludes(error.message, code);
      isFaulty = false;
      assertEquals(await dir.read(SIDECAR), OLD);
      assertEquals(await dir.names(), [SIDECAR]);
      assertEquals(await store.save(NEW, 1), "saved");
      assertEquals(await dir.read(SIDECAR), NEW);
      assertEquals(await dir.names(), [SIDECAR]);
    });
  }
}

Deno.test("FileStore removes what it wrote when the disk is full half way", async () => {
  await using dir = await makeSessionDir();
  let isFull = true;
  const store = await storeWithOld(dir, {
    fileSystem: diskWith({
      writeTextFile: async (path, text, options) => {
        if (!isFull) return await Deno.writeTextFile(path, text, options);
        await Deno.writeTextFile(path, String(text).slice(0, 10), options);
        throw diskError("ENOSPC");
      },
    }),
  });
  await assertRejects(() => store.save(NEW, 1), Error, "ENOSPC");
  assertEquals(await dir.names(), [SIDECAR]);
  isFull = false;
  assertEquals(await store.save(NEW, 1), "saved");
});

Deno.test("FileStore changes nothing when the mode cannot be kept", {
  ignore: isWindows,
}, async () => {
  await using dir = await makeSessionDir();
  let isFaulty = false;
  await dir.write(SIDECAR, OLD);
  await Deno.chmod(dir.at(SIDECAR), 0o440);
  const store = storeIn(dir, {
    fileSystem: watchedDisk((step) => {
      if (isFaulty && step === "chmod") throw diskError("EPERM");
    }),
  });
  await store.load();
  isFaulty = true;
  await assertRejects(() => store.save(NEW, 1), Error, "EPERM");
  assertEquals(await dir.read(SIDECAR), OLD);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test(
  "FileStore counts a change as saved when only the directory cannot be synced",
  { ignore: isWindows },
  async () => {
    await using dir = await makeSessionDir();
    const store = await storeWithOld(dir, {
      durability: "power",
      fileSystem: watchedDisk((_, path) => {
        if (path === `sync ${dir.path}`) throw diskError("EIO");
      }),
    });
    const outcome = await store.save(NEW, 1).catch(String);
    // The rename cannot be taken back: to report a failure would say that nothing was changed.
    assertEquals([outcome, await dir.read(SIDECAR)], ["saved", NEW]);
    assertEquals(await store.save(NEXT, 2), "saved");
  },
);

for (const code of ["EPERM", "EBUSY", "EACCES"]) {
  Deno.test(`FileStore tries a rename again that fails twice with ${code}`, async () => {
    await using dir = await makeSessionDir();
    const clock = new FakeClock();
    let failures = 0;
    const store = await storeWithOld(dir, {
      ...clock,
      fileSystem: watchedDisk((step) => {
        if (step === "rename" && ++failures <= 2) throw diskError(code);
      }),
    });
    assertEquals(await store.save(NEW, 1), "saved");
    assertEquals(clock.waits.length, 2);
    assertEquals(await dir.read(SIDECAR), NEW);
    assertEquals(await dir.names(), [SIDECAR]);
  });

  Deno.test(`FileStore gives a rename up that fails with ${code} for more than a second`, async () => {
    await using dir = await makeSessionDir();
    const clock = new FakeClock();
    let isFaulty = true;
    const store = await storeWithOld(dir, {
      ...clock,
      fileSystem: watchedDisk((step) => {
        if (isFaulty && step === "rename") throw diskError(code);
      }),
    });
    await assertRejects(() => store.save(NEW, 1), Error, code);
    const waited = clock.waits.reduce((sum, wait) => sum + wait, 0);
    assert(waited > 0 && waited <= 1_000, `It waited ${waited} ms.`);
    assertEquals(await dir.read(SIDECAR), OLD);
    assertEquals(await dir.names(), [SIDECAR]);
    isFaulty = false;
    assertEquals(await store.save(NEW, 1), "saved");
  });
}

Deno.test("FileStore fails to save when its directory is gone, and works once it is back", async () => {
  await using dir = await makeSessionDir();
  const inner = dir.at("inner");
  const store = storeIn(dir, { sessionDir: inner });
  await store.load();
  await store.save(OLD, 0);
  await Deno.remove(inner, { recursive: true });
  await assertRejects(() => store.save(NEW, 1), Deno.errors.NotFound);
  await Deno.mkdir(inner);
  assertEquals(await store.save(NEW, 1), "saved");
});

Deno.test("FileStore fails to save when a directory stands in the sidecar's place", async () => {
  await using dir = await makeSessionDir();
  const store = await storeWithOld(dir);
  await Deno.remove(dir.at(SIDECAR));
  await Deno.mkdir(dir.at(SIDECAR));
  await dir.write(`${SIDECAR}/full`, "");
  await assertRejects(async () => {
    if (await store.save(NEW, 1) === "moved") await store.load();
  }, Error);
  assertEquals(await dir.names(), [SIDECAR]);
  await Deno.remove(dir.at(SIDECAR), { recursive: true });
  assertEquals(await store.save(NEW, 1), "saved");
});

Deno.test("FileStore fails to load what it cannot read, and leaves it as it is", async () => {
  await using dir = await makeSessionDir();
  await Deno.mkdir(dir.at(SIDECAR));
  await assertRejects(() => storeIn(dir).load(), Error);
  assertEquals((await Deno.lstat(dir.at(SIDECAR))).isDirectory, true);
});

for (const code of ["EACCES", "EIO", "EMFILE"]) {
  Deno.test(`FileStore fails to load when reading fails with ${code}`, async () => {
    await using dir = await makeSessionDir();
    await dir.write(SIDECAR, OLD);
    const store = storeIn(dir, {
      fileSystem: watchedDisk((step) => {
        if (step === "readFile") throw diskError(code);
      }),
    });
    await assertRejects(() => store.load(), Error, code);
    assertEquals(await dir.read(SIDECAR), OLD);
  });
}

Deno.test("FileStore fails to load when a file stands in its directory's place", async () => {
  await using dir = await makeSessionDir();
  await dir.write("file", "");
  await assertRejects(
    () => storeIn(dir, { sessionDir: dir.at("file") }).load(),
    Error,
  );
  assertEquals(await dir.read("file"), "");
});

Deno.test("FileStore makes its directory and those above it", async () => {
  await using dir = await makeSessionDir();
  const store = storeIn(dir, { sessionDir: dir.at("a/b/c") });
  await store.load();
  assertEquals(await store.save(OLD, 0), "saved");
  assertEquals(await dir.read("a/b/c/" + SIDECAR), OLD);
});

// Leftovers

const LEFTOVERS: readonly { readonly name: string; readonly text: string }[] = [
  { name: "of zero bytes", text: "" },
  { name: "with garbage", text: "\0\0garbage" },
  { name: "with half a sidecar", text: NEW.slice(0, 40) },
];

for (const { name, text } of LEFTOVERS) {
  Deno.test(`FileStore loads at once beside a leftover ${name}, and takes it over after three seconds`, async () => {
    await using dir = await makeSessionDir();
    await dir.write(TEMP, text);
    const clock = new FakeClock();
    const store = await storeWithOld(dir, clock);
    assertEquals(clock.waits, []);
    const startedAt = clock.time;
    assertEquals(await store.save(NEW, 1), "saved");
    const waited = clock.time - startedAt;
    assert(waited > 2_900 && waited < 3_200, `It waited ${waited} ms.`);
    assertEquals(await dir.read(SIDECAR), NEW);
    assertEquals(await dir.names(), [SIDECAR]);
  });
}

for (
  const [when, age] of [["long ago", -3_600_000], [
    "in the future",
    86_400_000,
  ]] as const
) {
  Deno.test(`FileStore takes a leftover that was written ${when} over within three seconds`, async () => {
    await using dir = await makeSessionDir();
    await dir.write(TEMP, "");
    const then = new Date(Date.now() + age);
    await Deno.utime(dir.at(TEMP), then, then);
    const clock = new FakeClock();
    const store = await storeWithOld(dir, clock);
    const startedAt = clock.time;
    assertEquals(await store.save(NEW, 1), "saved");
    assert(clock.time - startedAt < 3_200);
    assertEquals(await dir.names(), [SIDECAR]);
  });
}

for (const target of ["a file", "nothing"]) {
  Deno.test(
    `FileStore removes a planted link to ${target} and leaves its target alone`,
    {
      // Making links takes a privilege there.
      ignore: isWindows,
    },
    async () => {
      await using dir = await makeSessionDir();
      if (target === "a file") await dir.write("victim", "precious");
      await Deno.symlink(dir.at("victim"), dir.at(TEMP));
      const clock = new FakeClock();
      const store = await storeWithOld(dir, clock);
      assertEquals(await store.save(NEW, 1), "saved");
      assertEquals(
        await dir.names(),
        target === "a file" ? [SIDECAR, "victim"] : [SIDECAR],
      );
      if (target === "a file") {
        assertEquals(await dir.read("victim"), "precious");
      }
      assertEquals((await Deno.lstat(dir.at(SIDECAR))).isFile, true);
    },
  );
}

Deno.test("FileStore says that a directory is in the way of its temp file, and works once it is gone", async () => {
  await using dir = await makeSessionDir();
  await Deno.mkdir(dir.at(TEMP));
  await dir.write(`${TEMP}/full`, "");
  const store = await storeWithOld(dir);
  const error = await assertRejects(
    () => store.save(NEW, 1),
    TasksError,
    "A directory is there",
  );
  assertEquals(error.code, "persist_failed");
  assertEquals(await dir.read(SIDECAR), OLD);
  assertEquals(await dir.read(`${TEMP}/full`), "");
  await Deno.remove(dir.at(TEMP), { recursive: true });
  assertEquals(await store.save(NEW, 1), "saved");
});

Deno.test("FileStore fails when it may not remove a leftover, instead of trying for ever", async () => {
  await using dir = await makeSessionDir();
  await dir.write(TEMP, "");
  const clock = new FakeClock();
  let attempts = 0;
  const store = await storeWithOld(dir, {
    ...clock,
    fileSystem: diskWith({
      removeSync: (path) => {
        // After so many it gives in, or a store that never gives up would hang the test.
        if (++attempts < 1_000) throw diskError("EPERM");
        return Deno.removeSync(path);
      },
    }),
  });
  await assertRejects(() => store.save(NEW, 1), Error);
  assert(attempts < 100, `It tried ${attempts} times.`);
  assertEquals(await dir.read(SIDECAR), OLD);
});

Deno.test("FileStore leaves the temp files of other sessions alone", async () => {
  await using dir = await makeSessionDir();
  for (const name of ["other.tasks.json.tmp", "s2.tasks.json.tmp", "s.jsonl"]) {
    await dir.write(name, "theirs");
  }
  const store = await storeWithOld(dir);
  await store.save(NEW, 1);
  assertEquals(await dir.names(), [
    "other.tasks.json.tmp",
    "s.jsonl",
    SIDECAR,
    "s2.tasks.json.tmp",
  ]);
});

// Another host

Deno.test("FileStore waits for a host that is still at work", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  const store = await storeWithOld(dir, clock);
  writeAsOther(dir, clock);
  clock.onWait = async () => {
    if (clock.waits.length === 3) {
      await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
    }
  };
  assertEquals(await store.save(NEW, 1), "moved");
  assertEquals(clock.waits.length, 3);
  assertEquals(await dir.read(SIDECAR), OTHERS);
  assertEquals(await dir.names(), [SIDECAR]);
});

for (
  const [what, skew] of [
    ["the clock was set back", 3_600_000],
    ["the clock was set forward", -3_600_000],
  ] as const
) {
  Deno.test(`FileStore waits for a host that is still at work although ${what}`, async () => {
    await using dir = await makeSessionDir();
    // Its own clock goes on from where it was; the file has the new time.
    const clock = new FakeClock(Date.now() + skew);
    const store = await storeWithOld(dir, clock);
    await dir.write(TEMP, OTHERS);
    clock.onWait = async () => {
      if (clock.waits.length === 3) {
        await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
      }
    };
    assertEquals(await store.save(NEW, 1), "moved");
    assertEquals(await dir.read(SIDECAR), OTHERS);
    assertEquals(await dir.names(), [SIDECAR]);
  });
}

Deno.test("FileStore waits on as long as other hosts follow one another", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  const store = await storeWithOld(dir, clock);
  writeAsOther(dir, clock, "host 0");
  let hosts = 0;
  let handedOnAt = clock.time;
  clock.onWait = async () => {
    if (clock.time - handedOnAt < 2_500) return;
    handedOnAt = clock.time;
    await Deno.remove(dir.at(TEMP));
    if (++hosts < 4) writeAsOther(dir, clock, `host number ${hosts}`);
  };
  const startedAt = clock.time;
  assertEquals(await store.save(NEW, 1), "saved");
  assert(clock.time - startedAt > 9_000);
});

Deno.test("FileStore lets go of a failed write without touching what another host wrote meanwhile", async () => {
  await using dir = await makeSessionDir();
  const store = await storeWithOld(dir, {
    fileSystem: diskWith({
      writeTextFile: async () => {
        // No file was made: there are too many open ones. Another host has a temp file just now.
        await dir.write(TEMP, OTHERS);
        throw diskError("EMFILE");
      },
    }),
  });
  await assertRejects(() => store.save(NEW, 1), Error, "EMFILE");
  assertEquals(await dir.names(), [SIDECAR, TEMP]);
  assertEquals(await dir.read(TEMP), OTHERS);
});

Deno.test("FileStore starts again when it took more than two seconds from writing to renaming", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  const taken: string[] = [];
  const store = await storeWithOld(dir, {
    ...clock,
    fileSystem: watchedDisk((step) => {
      if (step === "openSync" && taken.length === 1) clock.time += 2_001;
      if (step === "writeTextFile" || step === "rename") taken.push(step);
    }),
  });
  assertEquals(await store.save(NEW, 1), "saved");
  assertEquals(taken, ["writeTextFile", "writeTextFile", "rename"]);
  assertEquals(await dir.read(SIDECAR), NEW);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("FileStore, waiting for another host, writes nothing once that has saved", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  const written: string[] = [];
  const store = await storeWithOld(dir, {
    ...clock,
    fileSystem: diskWith({
      writeTextFile: async (path, text, options) => {
        await Deno.writeTextFile(path, text, options);
        written.push(String(text));
      },
    }),
  });
  await dir.write(TEMP, OTHERS);
  clock.onWait = () => Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
  assertEquals(await store.save(NEW, 1), "moved");
  assertEquals(written, []);
  assertEquals(await dir.read(SIDECAR), OTHERS);

  await store.load();
  await dir.write(SIDECAR, NEXT);
  assertEquals(await store.save(NEW, 2), "moved");
  assertEquals(written, []);
});

Deno.test("FileStore that has met another host leaves no temp file made of an old graph to be renamed by whoever was stopped before", async () => {
  await using dir = await makeSessionDir();
  let goesOn = false;
  const store = await storeWithOld(dir, {
    fileSystem: diskWith({
      writeTextFile: async (path, text, options) => {
        await Deno.writeTextFile(path, text, options);
        if (goesOn) await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
      },
    }),
  });
  const other = storeIn(dir);
  await other.load();
  assertEquals(await other.save(OTHERS, 1), "saved");
  assertEquals(await store.save(NEW, 1), "moved");
  await store.load();
  assertEquals(await other.save(NEXT, 2), "saved");
  goesOn = true;
  assertEquals(await store.save(NEW, 2), "moved");
  assertEquals(await dir.read(SIDECAR), NEXT);
});

Deno.test("FileStore that has met another host does not take what that wrote for its own", async () => {
  await using dir = await makeSessionDir();
  let isTaken = false;
  const store = await storeWithOld(dir, {
    fileSystem: watchedDisk((step) => {
      if (step !== "renameSync" || isTaken) return;
      isTaken = true;
      // Another host took this one for dead.
      Deno.removeSync(dir.at(TEMP));
      Deno.writeTextFileSync(dir.at(TEMP), NEXT);
    }),
  });
  const other = storeIn(dir);
  await other.load();
  assertEquals(await other.save(OTHERS, 1), "saved");
  assertEquals(await store.save(NEW, 1), "moved");
  await store.load();
  assertEquals(await store.save(NEW, 2), "moved");
  assert(isTaken);
  assertEquals(await dir.read(SIDECAR), NEXT);
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("FileStore gives up when every attempt takes too long, and leaves nothing behind", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  let waits = 0;
  const store = await storeWithOld(dir, {
    ...clock,
    onWait: () => waits++,
    fileSystem: watchedDisk((step) => {
      if (step === "openSync") clock.time += 2_001;
    }),
  });
  const error = await assertRejects(() => store.save(NEW, 1), Error);
  assertStringIncludes(error.message, "too slow");
  assert(waits > 0);
  assertEquals(await dir.read(SIDECAR), OLD);
  assertEquals(await dir.names(), [SIDECAR]);
});

/** At which step a host is stopped, and for how long it stays so. */
const STOPS: readonly { readonly step: Step; readonly where: string }[] = [
  { step: "lstatSync", where: "after it wrote its temp file" },
  { step: "openSync", where: "before it looks at the sidecar" },
  { step: "chmod", where: "before it sets the mode" },
  { step: "open", where: "before it syncs the temp file" },
  { step: "rename", where: "before it renames" },
];

/** What another host has done by the time that the stopped one goes on. */
const MEANWHILE: readonly {
  readonly what: string;
  readonly act: (dir: SessionDir, clock: FakeClock) => void;
  readonly isHolding: boolean;
}[] = [
  {
    what: "is about to rename its own temp file",
    act: (dir, clock) => {
      Deno.removeSync(dir.at(TEMP));
      writeAsOther(dir, clock);
    },
    isHolding: true,
  },
  {
    what: "has saved",
    act: (dir, clock) => {
      Deno.removeSync(dir.at(TEMP));
      writeAsOther(dir, clock);
      Deno.renameSync(dir.at(TEMP), dir.at(SIDECAR));
    },
    isHolding: false,
  },
];

for (const { step, where } of STOPS) {
  for (const { what, act, isHolding } of MEANWHILE) {
    Deno.test(
      `FileStore, stopped ${where} until another host ${what}, neither publishes nor removes nor hides the other's work`,
      {
        ignore: isWindows && step === "chmod",
      },
      async () => {
        await using dir = await makeSessionDir();
        await dir.write(SIDECAR, OLD);
        if (step === "chmod") await Deno.chmod(dir.at(SIDECAR), 0o440);
        const clock = new FakeClock();
        let isWritten = false;
        let isStopped = false;
        const store = storeIn(dir, {
          ...clock,
          now: clock.now,
          durability: step === "open" ? "power" : "process",
          fileSystem: diskWith({
            ...watchedDisk((at) => {
              if (isWritten && !isStopped && at === step) {
                isStopped = true;
                clock.time += 5_000;
                act(dir, clock);
              }
            }),
            writeTextFile: async (...args) => {
              await Deno.writeTextFile(...args);
              isWritten = true;
            },
          }),
        });
        await store.load();
        clock.onWait = async () => {
          // The other host goes on and is done.
          if (isHolding && clock.waits.length === 1) {
            await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
          }
        };
        assertEquals(await store.save(NEW, 1).catch(String), "moved");
        assert(isStopped);
        assertEquals(await dir.read(SIDECAR), OTHERS);
        assertEquals(await dir.names(), [SIDECAR]);
      },
    );
  }
}

Deno.test("FileStore, stopped between creating its temp file and writing it, does not take another host's for its own", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  let isFirst = true;
  const store = await storeWithOld(dir, {
    ...clock,
    fileSystem: diskWith({
      writeTextFile: async (path, text, options) => {
        if (!isFirst) return await Deno.writeTextFile(path, text, options);
        isFirst = false;
        const file = await Deno.open(path, { write: true, createNew: true });
        clock.time += 5_000;
        await Deno.remove(path);
        writeAsOther(dir, clock);
        await file.write(new TextEncoder().encode(String(text)));
        file.close();
      },
    }),
  });
  clock.onWait = async () => {
    if (clock.waits.length === 1) {
      await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
    }
  };
  assertEquals(await store.save(NEW, 1), "moved");
  assertEquals(await dir.read(SIDECAR), OTHERS);
  assertEquals(await dir.names(), [SIDECAR]);
});

for (const { what, act, isHolding } of MEANWHILE) {
  Deno.test(`FileStore, stopped while it waits to rename again until another host ${what}, neither publishes nor removes nor hides the other's work`, async () => {
    await using dir = await makeSessionDir();
    const clock = new FakeClock();
    let isFirst = true;
    const store = await storeWithOld(dir, {
      ...clock,
      fileSystem: watchedDisk((step) => {
        if (!isFirst || step !== "rename") return;
        isFirst = false;
        throw diskError("EPERM");
      }),
    });
    clock.onWait = async () => {
      if (clock.waits.length === 1) {
        clock.time += 5_000;
        act(dir, clock);
      } else if (isHolding && clock.waits.length === 2) {
        await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
      }
    };
    assertEquals(await store.save(NEW, 1).catch(String), "moved");
    assertEquals(await dir.read(SIDECAR), OTHERS);
    assertEquals(await dir.names(), [SIDECAR]);
  });
}

Deno.test("FileStore knows its own rename although the system reported it as failed", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  let isFirst = true;
  const store = await storeWithOld(dir, {
    ...clock,
    fileSystem: diskWith({
      rename: async (from, to) => {
        await Deno.rename(from, to);
        if (!isFirst) return;
        isFirst = false;
        throw diskError("EPERM");
      },
    }),
  });
  assertEquals(await store.save(NEW, 1), "saved");
  assertEquals(await dir.read(SIDECAR), NEW);
  assertEquals(await store.save(NEXT, 2), "saved");
});

Deno.test("two FileStores on one sidecar see each other's changes", async () => {
  await using dir = await makeSessionDir();
  const a = await storeWithOld(dir);
  const b = storeIn(dir);
  await b.load();
  assertEquals(await a.save(NEW, 1), "saved");
  assertEquals(await b.save(OTHERS, 1), "moved");
  assertEquals(new TextDecoder().decode(await b.load()), NEW);
  assertEquals(await b.save(NEXT, 2), "saved");
  assertEquals(await a.save(NEXT, 2), "moved");
});

Deno.test("FileStore, stopped after its rename until another host has saved on top, has its session add the task once", async () => {
  await using dir = await makeSessionDir();
  const clock = new FakeClock();
  let isFirst = true;
  const store = storeIn(dir, {
    ...clock,
    fileSystem: diskWith({
      rename: async (from, to) => {
        await Deno.rename(from, to);
        if (!isFirst) return;
        isFirst = false;
        const sidecar = parseSidecar(await dir.read(SIDECAR));
        await dir.write(
          TEMP,
          sidecarText(2, [...sidecar.tasks, row("t_9_ffff")]),
        );
        await Deno.rename(dir.at(TEMP), dir.at(SIDECAR));
        clock.time += 5_000;
      },
    }),
  });
  const session = startActor(store);
  session.call({ action: "add", content: "once" });
  await session.reply(1);
  session.call({ action: "list" });
  await session.reply(2);
  const { tasks } = parseSidecar(await dir.read(SIDECAR));
  assertEquals(tasks.map(({ content }) => content), ["once", "Task t_9_ffff"]);
});

// The sidecar itself

Deno.test("FileStore makes a new sidecar that only its owner can read", {
  ignore: isWindows,
}, async () => {
  await using dir = await makeSessionDir();
  const store = storeIn(dir);
  await store.load();
  await store.save(OLD, 0);
  assertEquals(await modeOf(dir.at(SIDECAR)), 0o600);
});

for (const mode of [0o600, 0o640, 0o644, 0o660, 0o400, 0o444]) {
  for (const durability of DURABILITIES) {
    Deno.test(
      `FileStore with durability "${durability}" keeps the mode 0${
        mode.toString(8)
      }`,
      { ignore: isWindows },
      async () => {
        await using dir = await makeSessionDir();
        await dir.write(SIDECAR, OLD);
        await Deno.chmod(dir.at(SIDECAR), mode);
        const store = storeIn(dir, { durability });
        await store.load();
        await store.save(NEW, 1);
        await store.save(NEXT, 2);
        assertEquals(await modeOf(dir.at(SIDECAR)), mode);
      },
    );
  }
}

Deno.test(
  "FileStore opens its temp file for the sync before it may become read-only",
  { ignore: isWindows },
  async () => {
    await using dir = await makeSessionDir();
    await dir.write(SIDECAR, OLD);
    await Deno.chmod(dir.at(SIDECAR), 0o400);
    // The superuser may write everything, so look at what anybody else could do.
    const denied: string[] = [];
    const store = storeIn(dir, {
      durability: "power",
      fileSystem: diskWith({
        open: async (path, options) => {
          const mode = await modeOf(String(path));
          if (options?.write && (mode & 0o200) === 0) denied.push(String(path));
          return await Deno.open(path, options);
        },
      }),
    });
    await store.load();
    assertEquals(await store.save(NEW, 1), "saved");
    assertEquals(denied, []);
  },
);

for (const target of ["existing", "dangling"] as const) {
  for (const kind of ["absolute", "relative"] as const) {
    Deno.test(
      `FileStore writes through a sidecar that is an ${kind} link to an ${target} file`,
      {
        // Making links takes a privilege there.
        ignore: isWindows,
      },
      async () => {
        await using dir = await makeSessionDir();
        await Deno.mkdir(dir.at("sessions"));
        await Deno.mkdir(dir.at("real"));
        if (target === "existing") await dir.write("real/file.json", OLD);
        await Deno.symlink(
          kind === "absolute" ? dir.at("real/file.json") : "../real/file.json",
          dir.at("sessions/" + SIDECAR),
        );
        const store = storeIn(dir, { sessionDir: dir.at("sessions") });
        const bytes = await store.load();
        assertEquals(bytes !== undefined, target === "existing");
        const seen = target === "existing" ? 1 : 0;
        assertEquals(await store.save(NEW, seen), "saved");
        assertEquals(await dir.read("real/file.json"), NEW);
        assertEquals(
          (await Deno.lstat(dir.at("sessions/" + SIDECAR))).isSymlink,
          true,
        );
        assertEquals(
          await Array.fromAsync(
            Deno.readDir(dir.at("real")),
            ({ name }) => name,
          ),
          ["file.json"],
        );
        assertEquals(store.location, dir.at("sessions/" + SIDECAR));
      },
    );
  }
}

Deno.test("FileStore writes through a chain of links that ends nowhere yet", {
  ignore: isWindows,
}, async () => {
  await using dir = await makeSessionDir();
  await Deno.symlink("second", dir.at(SIDECAR));
  await Deno.symlink("real.json", dir.at("second"));
  const store = storeIn(dir);
  assertEquals(await store.load(), undefined);
  assertEquals(await store.save(OLD, 0), "saved");
  assertEquals((await Deno.lstat(dir.at("second"))).isSymlink, true);
  assertEquals(await dir.read("real.json"), OLD);
});

Deno.test("FileStore does not open a sidecar that is a link to itself", {
  ignore: isWindows,
}, async () => {
  await using dir = await makeSessionDir();
  await Deno.symlink(SIDECAR, dir.at(SIDECAR));
  await assertRejects(() => storeIn(dir).load(), Error);
  assertEquals((await Deno.lstat(dir.at(SIDECAR))).isSymlink, true);
});

Deno.test("FileStore writes a sidecar anew that was deleted under it", async () => {
  await using dir = await makeSessionDir();
  const store = await storeWithOld(dir);
  await Deno.remove(dir.at(SIDECAR));
  assertEquals(await store.save(NEW, 1), "saved");
  assertEquals(await dir.read(SIDECAR), NEW);
});

for (
  const [how, text] of [
    ["and formatted", JSON.stringify(JSON.parse(OLD), null, 2)],
    ["and its revision left as it was", OLD.replace("Task", "Edited task")],
    ["and made something else", "not a sidecar any more"],
    ["and emptied", ""],
  ] as const
) {
  Deno.test(`FileStore sees that the sidecar was edited by hand ${how}`, async () => {
    await using dir = await makeSessionDir();
    const store = await storeWithOld(dir);
    await dir.write(SIDECAR, text);
    assertEquals(await store.save(NEW, 1), "moved");
    assertEquals(await dir.read(SIDECAR), text);
    assertEquals(await dir.names(), [SIDECAR]);
  });
}

Deno.test("FileStore sees a sidecar that appeared since it found none", async () => {
  await using dir = await makeSessionDir();
  const store = storeIn(dir);
  await store.load();
  await dir.write(SIDECAR, sidecarText(0));
  assertEquals(await store.save(OLD, 0), "moved");
  assertEquals(await dir.read(SIDECAR), sidecarText(0));
});

for (
  const [what, text] of [
    ["begins with a byte order mark", "\uFEFF" + OLD],
    ["is formatted over many lines", JSON.stringify(JSON.parse(OLD), null, 2)],
    ["gives no revision", '{"version":1,"session_id":"s","tasks":[]}'],
    [
      "gives a revision that is too high",
      OLD.replace('"revision":1', '"revision":99999999999999999999'),
    ],
    [
      "gives its revision twice",
      OLD.replace('"revision":1', '"revision":3,"revision":1'),
    ],
  ] as const
) {
  Deno.test(`FileStore saves over a sidecar that ${what}, once it has loaded it`, async () => {
    await using dir = await makeSessionDir();
    await dir.write(SIDECAR, text);
    const store = storeIn(dir);
    const decoded = decode((await store.load())!, {
      sessionId: "s",
      now: 1_000,
      staleAfterMs: 0,
    });
    assert(decoded.kind === "sidecar");
    assertEquals(await store.save(NEW, decoded.document.revision), "saved");
  });
}

// Setting aside

for (const how of ["move", "copy"] as const) {
  Deno.test(`FileStore sets aside (${how}) under a name that nothing else has`, async () => {
    await using dir = await makeSessionDir();
    const store = await storeWithOld(dir);
    await dir.write(`${SIDECAR}.corrupt-1000`, "an older one");
    await Deno.mkdir(dir.at(`${SIDECAR}.corrupt-1001`));
    const name = await store.setAside(how, 1_000);
    assert(name !== undefined);
    assert(name !== undefined);
    assertMatch(name, /\.corrupt-\d+$/);
    assertEquals(await Deno.readTextFile(name), OLD);
    assertEquals(await dir.read(`${SIDECAR}.corrupt-1000`), "an older one");
    assertEquals((await dir.names()).includes(SIDECAR), how === "copy");
  });
}

Deno.test("FileStore leaves nothing behind when a copy fails half way", async () => {
  await using dir = await makeSessionDir();
  const store = await storeWithOld(dir, {
    fileSystem: diskWith({
      copyFile: async (_, to) => {
        await Deno.writeTextFile(to, OLD.slice(0, 10));
        throw diskError("ENOSPC");
      },
    }),
  });
  await assertRejects(() => store.setAside("copy", 1_000), Error, "ENOSPC");
  assertEquals(await dir.names(), [SIDECAR]);
});

Deno.test("FileStore changes nothing when it cannot move aside", async () => {
  await using dir = await makeSessionDir();
  const store = await storeWithOld(dir, {
    fileSystem: watchedDisk((step) => {
      if (step === "rename") throw diskError("EROFS");
    }),
  });
  await assertRejects(() => store.setAside("move", 1_000), Error, "EROFS");
  assertEquals(await dir.names(), [SIDECAR]);
  assertEquals(await dir.read(SIDECAR), OLD);
});

for (const how of ["move", "copy"] as const) {
  Deno.test(`FileStore does not set aside (${how}) what another host has saved since it loaded`, async () => {
    await using dir = await makeSessionDir();
    await dir.write(SIDECAR, "garbage");
    const late = storeIn(dir);
    await late.load();
    const early = storeIn(dir);
    await early.load();
    await early.setAside("move", 1_000);
    assertEquals(await late.setAside(how, 2_000), undefined);
    assertEquals(await early.save(OLD, 0), "saved");
    assertEquals(await late.setAside(how, 2_000), undefined);
    assertEquals(await dir.names(), [SIDECAR, `${SIDECAR}.corrupt-1000`]);
    assertEquals(await dir.read(SIDECAR), OLD);
  });
}

// Construction

Deno.test("FileStore loads and saves where it cannot watch", async () => {
  await using dir = await makeSessionDir();
  const store = storeIn(dir, { sessionDir: dir.at("missing") });
  const changes: string[] = [];
  // There is nothing there to watch yet.
  store.watch(() => changes.push("changed"));
  assertEquals(await store.load(), undefined);
  assertEquals(await store.save(NEW, 0), "saved");
  assertEquals(changes, []);
});

Deno.test("FileStore touches nothing before it loads", async () => {
  await using dir = await makeSessionDir();
  storeIn(dir, { sessionDir: dir.at("later") });
  assertEquals(await dir.names(), []);
});

for (const sessionId of ["../s", "a/b", "", ".", "con", "x".repeat(101)]) {
  Deno.test(`FileStore refuses the session id "${sessionId.slice(0, 20)}" before it touches anything`, async () => {
    await using dir = await makeSessionDir();
    const error = assertThrows(() => storeIn(dir, { sessionId }), TasksError);
    assertEquals(error.code, "invalid_arguments");
    assertEquals(await dir.names(), []);
  });
}

Deno.test("FileStore writes a text of several megabytes as it is, whatever characters it cuts", async () => {
  await using dir = await makeSessionDir();
  const store = storeIn(dir);
  await store.load();
  // An odd length before the pairs, so that parts end within them.
  const text = `x${"\u{1F600}é".repeat(1_200_000)}`;
  assertEquals(await store.save(text, 0), "saved");
  assert(await dir.read(SIDECAR) === text);
  assertEquals(await dir.names(), [SIDECAR]);
});
