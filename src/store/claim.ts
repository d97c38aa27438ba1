/**
 * The right to replace a file that several hosts share: whoever has created the
 * temp file beside it has that right, until it renames or removes it.
 *
 * @module
 */

import { TasksError } from "../model/errors.ts";
import { printable, reasonOf } from "../model/text.ts";

/** What this package uses of the file system, so that tests can make it fail. */
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
  | "removeSync"
  | "rename"
  | "renameSync"
  | "writeTextFile"
>;

/** The world that claims are made in. */
export interface ClaimOptions {
  readonly fileSystem: FileSystem;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Called again and again while another host's temp file is waited for. */
  readonly onWait: () => void;
}

/** What a temp file is made of. */
export interface ClaimContent {
  readonly text: string;
  /** The permission bits, of which the system may take some away. */
  readonly mode: number;
}

/** What a claim is for. */
export interface ClaimPurpose {
  /** The file to be replaced. */
  readonly target: string;
  readonly content: ClaimContent;
  /** Whether the file is still the one that the content was made from, as far as one can see. */
  readonly isCurrent: () => boolean;
  /** Whether other hosts are known to write the file. */
  readonly isShared: boolean;
}

/** What tells one file, at one time, from another. */
export interface Stamp {
  readonly inode: number | null;
  readonly modified: number | undefined;
  readonly size: number;
}

/** The stamp of a file. */
export function stampOf(info: Deno.FileInfo): Stamp {
  return { inode: info.ino, modified: info.mtime?.getTime(), size: info.size };
}

/** Whether two stamps are those of one file that nothing has changed in between. */
export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.size === b.size;
}

/** The permission bits of a file; 0 where files have none. */
export function modeOf(info: Deno.FileInfo): number {
  return (info.mode ?? 0) & 0o777;
}

/** What is at a path, links not followed; `undefined` when nothing is. */
export function lookAt(
  fileSystem: FileSystem,
  path: string,
): Deno.FileInfo | undefined {
  try {
    return fileSystem.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * A temp file that nothing has touched for so long was left by a dead host, in
 * milliseconds. Only what was watched counts: the clock of the file system may
 * be another.
 */
const ABANDONED_AFTER_MS = 3_000;
/** A host that took so long from writing to renaming may have been taken for dead, in milliseconds. */
const VALID_FOR_MS = 2_000;
/** How long a rename is tried again while something else holds the file, in milliseconds. */
const RENAME_RETRY_MS = 1_000;
/** How long to wait between two looks at another host's temp file, at most, in milliseconds. */
const MAX_PAUSE_MS = 20;
/** How long to wait while other hosts go on and on, in milliseconds. */
const MAX_WAIT_MS = 20_000;

/**
 * A text longer than this is written in parts, in UTF-16 code units: to get memory
 * for all of its bytes at once takes longer than to write them.
 */
const STREAMED_ABOVE = 2 ** 20;
const PART_LENGTH = 2 ** 17;

/** Another host's temp file, as it was first seen. */
interface Holder {
  readonly stamp: Stamp;
  readonly seenAt: number;
}

/** A temp file of ours, complete, beside the file that it is to replace. */
export class Claim {
  /** The stamp that the file has once it is replaced. */
  readonly stamp: Stamp;
  /** Whether other hosts are known to write the file. */
  readonly isShared: boolean;
  readonly #target: string;
  readonly #temp: string;
  readonly #writtenAt: number;
  readonly #mode: number;
  readonly #fs: FileSystem;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => Promise<void>;

  private constructor(
    { target, isShared }: Pick<ClaimPurpose, "target" | "isShared">,
    writtenAt: number,
    info: Deno.FileInfo,
    { fileSystem, now, sleep }: ClaimOptions,
  ) {
    this.stamp = stampOf(info);
    this.isShared = isShared;
    this.#target = target;
    this.#temp = tempOf(target);
    this.#writtenAt = writtenAt;
    this.#mode = modeOf(info);
    this.#fs = fileSystem;
    this.#now = now;
    this.#sleep = sleep;
  }

  /**
   * Writes the temp file, as soon as no other host has one. One that a dead host
   * left is removed first. The mode should be that of the file to be replaced.
   *
   * Among other hosts nothing is written that is known to be out of date: a host
   * that was stopped just before its rename, and goes on after others have taken
   * over, renames whatever temp file is there by then. `undefined` in that case.
   *
   * @throws When it cannot be written; then nothing of it is left.
   */
  static async make(
    purpose: ClaimPurpose,
    options: ClaimOptions,
  ): Promise<Claim | undefined> {
    const { fileSystem, now, sleep, onWait } = options;
    const temp = tempOf(purpose.target);
    const giveUpAt = now() + MAX_WAIT_MS;
    let { isShared } = purpose;
    let holder: Holder | undefined;
    for (let pause = 1;; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const info = isShared ? lookAt(fileSystem, temp) : undefined;
      if (info === undefined) {
        if (isShared && !purpose.isCurrent()) return undefined;
        const claim = await Claim.#tryToMake({ ...purpose, isShared }, options);
        if (claim !== undefined) return claim;
        isShared = true;
        continue;
      }
      const stamp = stampOf(info);
      if (holder === undefined || !isSameStamp(holder.stamp, stamp)) {
        holder = { stamp, seenAt: now() };
      }
      if (isAbandoned(temp, info, now() - holder.seenAt)) {
        removeLeftover(fileSystem, temp);
      } else if (now() > giveUpAt) {
        throw new TasksError(
          "persist_failed",
          "Nothing was changed, since other hosts are writing the sidecar all " +
            "the time. Try again later.",
        );
      } else {
        onWait();
        await sleep(pause);
      }
    }
  }

  /** Writes the temp file; `undefined` when another host has one. */
  static async #tryToMake(
    purpose: ClaimPurpose,
    options: ClaimOptions,
  ): Promise<Claim | undefined> {
    const { fileSystem, now } = options;
    const { text, mode } = purpose.content;
    const temp = tempOf(purpose.target);
    const startedAt = now();
    try {
      const options = { createNew: true, mode };
      const content = text.length > STREAMED_ABOVE ? streamOf(text) : text;
      await fileSystem.writeTextFile(temp, content, options);
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return undefined;
      // Under restricted permissions a link is followed before it is refused.
      if (lookAt(fileSystem, temp)?.isSymlink) return undefined;
      await removePart(fileSystem, temp, text, error);
      throw error;
    }
    const writtenAt = now();
    const info = lookAt(fileSystem, temp);
    if (info === undefined) return undefined;
    // A host that was stopped in here cannot know whose file it has looked at.
    const isOurs = now() - startedAt < VALID_FOR_MS ||
      await fileSystem.readTextFile(temp) === text;
    return isOurs ? new Claim(purpose, writtenAt, info, options) : undefined;
  }

  /**
   * Replaces the file. `false` when the claim was lost: then another host may
   * have replaced it, and one has to look again and start anew.
   *
   * @throws When it cannot be replaced.
   */
  async publish(mode: number, isSynced: boolean): Promise<boolean> {
    try {
      if (isSynced) await this.#syncFile();
      if (mode !== this.#mode) await this.#fs.chmod(this.#temp, mode);
      if (!await this.#rename()) return this.#isPublished();
    } catch (error) {
      // Somebody has taken this host for dead, and its temp file away.
      if (error instanceof Deno.errors.NotFound) return this.#isPublished();
      throw error;
    }
    // Whoever was stopped before the rename may have renamed another's file.
    const isCertain = this.#isFresh() && !this.isShared;
    return isCertain || this.#isPublished();
  }

  /** Removes the temp file, unless it belongs to another host by now. */
  release(): void {
    if (!this.#isAt(this.#temp)) return;
    try {
      this.#fs.removeSync(this.#temp);
    } catch {
      // The next claim finds it, and says what is wrong.
    }
  }

  async #syncFile(): Promise<void> {
    using file = await this.#fs.open(this.#temp, { read: true, write: true });
    await file.sync();
  }

  /** Renames the temp file; `false` when it may be another's by now. */
  async #rename(): Promise<boolean> {
    const giveUpAt = this.#now() + RENAME_RETRY_MS;
    for (let pause = 5;; pause *= 2) {
      // The time last: it is to be as short as can be until the rename.
      if (!this.#isAt(this.#temp) || !this.#isFresh()) return false;
      try {
        // Among other hosts at once: to be stopped on the way would be to rename
        // what is there later.
        if (this.isShared) this.#fs.renameSync(this.#temp, this.#target);
        else await this.#fs.rename(this.#temp, this.#target);
        return true;
      } catch (error) {
        if (
          !hasCode(error, PASSING_FAULTS) || this.#now() + pause > giveUpAt
        ) throw error;
        await this.#sleep(pause);
      }
    }
  }

  #isFresh(): boolean {
    return this.#now() - this.#writtenAt < VALID_FOR_MS;
  }

  #isPublished(): boolean {
    return this.#isAt(this.#target);
  }

  #isAt(path: string): boolean {
    const info = lookAt(this.#fs, path);
    return info !== undefined && isSameStamp(stampOf(info), this.stamp);
  }
}

/** The text in parts; a character that is cut in two is put together again. */
function streamOf(text: string): ReadableStream<string> {
  let at = 0;
  return new ReadableStream({
    pull(controller): void {
      if (at >= text.length) return controller.close();
      controller.enqueue(text.slice(at, at + PART_LENGTH));
      at += PART_LENGTH;
    },
  });
}

function tempOf(target: string): string {
  return `${target}.tmp`;
}

function isAbandoned(
  temp: string,
  info: Deno.FileInfo,
  watchedForMs: number,
): boolean {
  if (info.isDirectory) throw inTheWay(temp, "A directory is there.");
  // Nobody who uses the file makes a link here.
  return info.isSymlink || watchedForMs > ABANDONED_AFTER_MS;
}

/** At once, as everything that a host does which others may take for dead: later it may be another's. */
function removeLeftover(fileSystem: FileSystem, temp: string): void {
  try {
    fileSystem.removeSync(temp);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    if (hasCode(error, ["EROFS"])) throw error;
    throw inTheWay(temp, `It was left by another host. ${reasonOf(error)}.`);
  }
}

function inTheWay(temp: string, reason: string): TasksError {
  return new TasksError(
    "persist_failed",
    `Nothing was changed, since ${printable(temp, 300)} is in the way. ` +
      `${reason} Remove it; then the next call works.`,
  );
}

/** Removes what a failed write left, which may be another host's file by now. */
async function removePart(
  fileSystem: FileSystem,
  temp: string,
  text: string,
  error: unknown,
): Promise<void> {
  try {
    const left = await fileSystem.readTextFile(temp);
    // A character that was cut at the end is read as a replacement.
    const isBeginning = text.startsWith(left.replace(/\uFFFD$/, ""));
    // Anybody's file is empty at first.
    if (isBeginning && (left !== "" || hasCode(error, WRITE_FAULTS))) {
      fileSystem.removeSync(temp);
    }
  } catch {
    // There is nothing of ours, or it stays until a claim finds it abandoned.
  }
}

/** What goes wrong with a file that could be created. */
const WRITE_FAULTS = ["ENOSPC", "EDQUOT", "EFBIG", "EIO"];
/** What a rename fails with while something, such as a scanner, holds the file. */
const PASSING_FAULTS = ["EPERM", "EBUSY", "EACCES"];

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error &&
    codes.some((code) => code === error.code);
}
