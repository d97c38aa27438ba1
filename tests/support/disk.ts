import type { FileSystem } from "../../src/store/claim.ts";

const STEPS = [
  "chmod",
  "copyFile",
  "lstat",
  "lstatSync",
  "open",
  "openSync",
  "readFile",
  "readLink",
  "readTextFile",
  "realPath",
  "remove",
  "removeSync",
  "rename",
  "renameSync",
  "writeTextFile",
] as const satisfies readonly (keyof FileSystem)[];

/** One step that a file store takes on the file system. */
export type Step = typeof STEPS[number];

/** The real file system, with some of its steps replaced. */
export function diskWith(replaced: Partial<FileSystem>): FileSystem {
  return { ...Deno, ...replaced };
}

/** The real file system; `before` is told of every step, and may throw to make it fail. */
export function watchedDisk(
  before: (step: Step, path: string) => void,
): FileSystem {
  const told = <A extends unknown[], R>(
    step: Step,
    action: (...args: A) => R,
  ): (...args: A) => R =>
  (...args) => {
    before(step, String(args[0]));
    return action(...args);
  };
  const later = <A extends unknown[], R>(
    step: Step,
    action: (...args: A) => Promise<R>,
  ): (...args: A) => Promise<R> =>
  async (...args) => {
    before(step, String(args[0]));
    return await action(...args);
  };
  return {
    chmod: later("chmod", Deno.chmod),
    copyFile: later("copyFile", Deno.copyFile),
    lstat: later("lstat", Deno.lstat),
    lstatSync: told("lstatSync", Deno.lstatSync),
    open: later("open", async (...args: Parameters<typeof Deno.open>) => {
      const file = await Deno.open(...args);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        before("open", `sync ${args[0]}`);
        await sync();
      };
      return file;
    }),
    openSync: told("openSync", Deno.openSync),
    readFile: later("readFile", Deno.readFile),
    readLink: later("readLink", Deno.readLink),
    readTextFile: later("readTextFile", Deno.readTextFile),
    realPath: later("realPath", Deno.realPath),
    remove: later("remove", Deno.remove),
    removeSync: told("removeSync", Deno.removeSync),
    rename: later("rename", Deno.rename),
    renameSync: told("renameSync", Deno.renameSync),
    writeTextFile: later("writeTextFile", Deno.writeTextFile),
  };
}

/** What the operating system says when it refuses something. */
export function diskError(code: string): Error {
  const message = `${code} (injected)`;
  const error = code === "EACCES" || code === "EPERM"
    ? new Deno.errors.PermissionDenied(message)
    : code === "ENOENT"
    ? new Deno.errors.NotFound(message)
    : new Error(message);
  return Object.assign(error, { code });
}
