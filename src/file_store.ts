/**
 * The sidecar: a store in one file, replaced as a whole by a rename, and shared
 * with other hosts of the same session without a lock file.
 *
 * @module
 */

import { ensureDir } from "@std/fs/ensure-dir";
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import { REVISION_WITHIN, revisionOf } from "./codec.ts";
import { printable, TasksError } from "./errors.ts";
import type { Durability } from "./protocol.ts";
import { checkSessionId } from "./session_id.ts";
import type { Store } from "./store.ts";

/** What the file store uses of the file system, so that tests can make it fail. */
export type FileSystem = Pick<
  typeof Deno,
  | "chmod"
  | "copyFile"
  | "lstat"
  | "lstatSync"
  | "open"
  | "openSync"
  | "readFile"
  | "readLink"
  | "readTextFile"
  | "realPath"
  | "remove"
  | "rename"
  | "writeTextFile"
>;

/** How {@linkcode FileStore} works. */
export interface FileStoreOptions {
  /** The directory of the sidecar; made when it is missing. */
  readonly sessionDir: string;
  readonly sessionId: string;
  readonly durability: Durability;
  /** The file system; Deno's by default. */
  readonly fileSystem?: FileSystem;
  /** Unix milliseconds of a clock that never goes back; the system's by default. */
  readonly now?: () => number;
  /** Waits; by the clock by default. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** A temp file that nothing has touched for so long was left by a dead host, in milliseconds. */
const ABANDONED_AFTER_MS = 3_000;
/** A host that took so long from writing to renaming may have been taken for dead, in milliseconds. */
const CLAIM_VALID_MS = 2_000;
/** How long a rename is tried again while something else holds the file, in milliseconds. */
const RENAME_RETRY_MS = 1_000;
/** How long to wait between two looks at another host's temp file, at most, in milliseconds. */
const MAX_PAUSE_MS = 20;

/** A temp file of ours: the right to replace the sidecar. */
interface Claim {
  readonly writtenAt: number;
  readonly stamp: Stamp;
  readonly mode: number;
}

/** Another host's temp file, as it was first seen. */
interface Holder {
  readonly stamp: Stamp;
  readonly seenAt: number;
}

/** What the sidecar is like at one time. */
interface Sidecar {
  /** The revision, where the file begins as this package writes it. */
  readonly revision: number | undefined;
  readonly stamp: Stamp;
  readonly mode: number;
}

/** What tells one file, at one time, from another. */
interface Stamp {
  readonly inode: number | null;
  readonly modified: number | undefined;
  readonly size: number;
}

/**
 * Keeps the sidecar `<sessionDir>/<sessionId>.tasks.json`.
 *
 * Whoever creates the temp file beside it, which fails while another host has
 * one, may replace the sidecar, once it has made sure that the sidecar is still
 * the one it last saw. A temp file that a killed host left is taken over.
 */
export class FileStore implements Store {
  readonly location: string;
  readonly #sessionDir: string;
  readonly #durability: Durability;
  readonly #fs: FileSystem;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  /** The sidecar itself, or the file that it is a symbolic link to. */
  #target: string;
  #seen: Stamp | undefined;

  /**
   * Constructs a store; nothing is touched yet.
   *
   * @throws {TasksError} `invalid_arguments` when the session id cannot be a file name.
   */
  constructor(options: FileStoreOptions) {
    this.#sessionDir = resolve(options.sessionDir);
    this.location = join(
      this.#sessionDir,
      `${checkSessionId(options.sessionId)}.tasks.json`,
    );
    this.#target = this.location;
    this.#durability = options.durability;
    this.#fs = options.fileSystem ?? Deno;
    this.#now = options.now ??
      (() => performance.timeOrigin + performance.now());
    this.#sleep = options.sleep ??
      ((milliseconds) =>
        new Promise((resolve) => setTimeout(resolve, milliseconds)));
  }

  get #temp(): string {
    return `${this.#target}.tmp`;
  }

  async load(): Promise<Uint8Array | undefined> {
    await ensureDir(this.#sessionDir);
    this.#target = await this.#followLink();
    try {
      this.#seen = stampOf(await this.#fs.lstat(this.#target));
      return await this.#fs.readFile(this.#target);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      this.#seen = undefined;
      return undefined;
    }
  }

  async save(text: string, seen: number): Promise<"saved" | "moved"> {
    for (;;) {
      const claim = await this.#claim(text);
      let isPublished = false;
      try {
        const sidecar = this.#look();
        // What is gone has nothing to lose, and is written anew.
        if (sidecar !== undefined && this.#hasMoved(sidecar, seen)) {
          return "moved";
        }
        await this.#prepare(claim, sidecar?.mode ?? claim.mode);
        isPublished = await this.#publish(claim);
      } finally {
        if (!isPublished) await this.#release(claim);
      }
      if (isPublished) {
        this.#seen = claim.stamp;
        return "saved";
      }
    }
  }

  async setAside(how: "move" | "copy", now: number): Promise<string> {
    let name = `${this.#target}.corrupt-${now}`;
    for (let next = now + 1; this.#lstat(name) !== undefined; next++) {
      name = `${this.#target}.corrupt-${next}`;
    }
    await (how === "move"
      ? this.#fs.rename(this.#target, name)
      : this.#fs.copyFile(this.#target, name));
    return name;
  }

  async #followLink(): Promise<string> {
    if (this.#lstat(this.location)?.isSymlink !== true) return this.location;
    try {
      return await this.#fs.realPath(this.location);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return resolve(
        dirname(this.location),
        await this.#fs.readLink(this.location),
      );
    }
  }

  /** Writes the temp file, as soon as no other host has one. */
  async #claim(text: string): Promise<Claim> {
    let holder: Holder | undefined;
    for (let pause = 1;; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const claim = await this.#tryToClaim(text);
      if (claim !== undefined) return claim;
      const info = this.#lstat(this.#temp);
      if (info === undefined) continue;
      holder = this.#watch(holder, info);
      if (this.#isAbandoned(holder, info)) await this.#remove(this.#temp);
      else await this.#sleep(pause);
    }
  }

  /** Writes the temp file; `undefined` when another host has one. */
  async #tryToClaim(text: string): Promise<Claim | undefined> {
    const startedAt = this.#now();
    try {
      await this.#fs.writeTextFile(this.#temp, text, {
        createNew: true,
        mode: 0o600,
      });
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return undefined;
      await this.#remove(this.#temp);
      throw error;
    }
    const writtenAt = this.#now();
    const info = this.#lstat(this.#temp);
    if (info === undefined) return undefined;
    // A host that was stopped in here cannot know whose file it has looked at.
    const isOurs = this.#now() - startedAt < CLAIM_VALID_MS ||
      await this.#fs.readTextFile(this.#temp) === text;
    return isOurs
      ? { writtenAt, stamp: stampOf(info), mode: modeOf(info) }
      : undefined;
  }

  #watch(holder: Holder | undefined, info: Deno.FileInfo): Holder {
    const stamp = stampOf(info);
    return holder !== undefined && isSameStamp(holder.stamp, stamp)
      ? holder
      : { stamp, seenAt: this.#now() };
  }

  #isAbandoned({ stamp, seenAt }: Holder, info: Deno.FileInfo): boolean {
    if (info.isDirectory) {
      throw new TasksError(
        "persist_failed",
        `A directory is in the way at ${
          printable(this.#temp, 300)
        }, so nothing was changed. ` +
          "Remove it; then the next call works.",
      );
    }
    // Nobody who uses the sidecar makes a link here.
    if (info.isSymlink) return true;
    const touchedAt = Math.min(seenAt, stamp.modified ?? seenAt);
    return this.#now() - touchedAt > ABANDONED_AFTER_MS;
  }

  /** The sidecar as it is now, or `undefined` when there is none. */
  #look(): Sidecar | undefined {
    let file: Deno.FsFile;
    try {
      file = this.#fs.openSync(this.#target);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
    try {
      const info = file.statSync();
      const head = new Uint8Array(REVISION_WITHIN);
      const length = file.readSync(head) ?? 0;
      const revision = revisionOf(
        new TextDecoder().decode(head.subarray(0, length)),
      );
      return { revision, stamp: stampOf(info), mode: modeOf(info) };
    } finally {
      file.close();
    }
  }

  /** Whether the sidecar is another than the one last seen. */
  #hasMoved({ revision, stamp }: Sidecar, seen: number): boolean {
    return (revision !== undefined && revision !== seen) ||
      this.#seen === undefined || !isSameStamp(stamp, this.#seen);
  }

  /** Gives the temp file its mode, and brings it to the disk where that is asked for. */
  async #prepare(claim: Claim, mode: number): Promise<void> {
    if (mode !== claim.mode) await this.#fs.chmod(this.#temp, mode);
    if (this.#durability === "power") {
      using file = await this.#fs.open(this.#temp, { read: true, write: true });
      await file.sync();
    }
  }

  /** Renames the temp file over the sidecar; `false` when the claim may be another's by now. */
  async #publish(claim: Claim): Promise<boolean> {
    const giveUpAt = this.#now() + RENAME_RETRY_MS;
    for (let pause = 5;; pause *= 2) {
      const isValid = this.#now() - claim.writtenAt < CLAIM_VALID_MS &&
        this.#isOurs(claim);
      if (!isValid) return this.#isAt(this.#target, claim);
      try {
        await this.#fs.rename(this.#temp, this.#target);
        break;
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) {
          return this.#isAt(this.#target, claim);
        }
        if (!isPassing(error) || this.#now() + pause > giveUpAt) throw error;
        await this.#sleep(pause);
      }
    }
    if (this.#durability === "power") await this.#syncDirectory();
    return true;
  }

  async #syncDirectory(): Promise<void> {
    // Windows cannot open a directory, and needs no sync of it.
    if (Deno.build.os === "windows") return;
    using directory = await this.#fs.open(dirname(this.#target));
    await directory.sync();
  }

  /** Removes the temp file, unless it was renamed or belongs to another host by now. */
  async #release(claim: Claim): Promise<void> {
    if (this.#isOurs(claim)) await this.#remove(this.#temp);
  }

  #isOurs(claim: Claim): boolean {
    return this.#isAt(this.#temp, claim);
  }

  #isAt(path: string, { stamp }: Claim): boolean {
    const info = this.#lstat(path);
    return info !== undefined && isSameStamp(stampOf(info), stamp);
  }

  #lstat(path: string): Deno.FileInfo | undefined {
    try {
      return this.#fs.lstatSync(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }

  /** Removes a file of which nothing depends on its being gone. */
  async #remove(path: string): Promise<void> {
    try {
      await this.#fs.remove(path);
    } catch {
      // Either it is gone already, or the next claim finds it and says what is wrong.
    }
  }
}

function stampOf(info: Deno.FileInfo): Stamp {
  return { inode: info.ino, modified: info.mtime?.getTime(), size: info.size };
}

function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.size === b.size;
}

/** The permission bits; 0 where files have none. */
function modeOf(info: Deno.FileInfo): number {
  return (info.mode ?? 0) & 0o777;
}

/** Whether a rename failed for a reason that passes, such as a scanner that holds the file. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "EPERM" || error.code === "EBUSY" ||
      error.code === "EACCES");
}
