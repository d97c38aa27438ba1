/**
 * The sidecar: a store in one file, replaced as a whole by a rename, and shared
 * with other hosts of the same session without a lock file.
 *
 * @module
 */

import { ensureDir } from "@std/fs/ensure-dir";
import { basename } from "@std/path/basename";
import { dirname } from "@std/path/dirname";
import { join } from "@std/path/join";
import { resolve } from "@std/path/resolve";
import {
  Claim,
  type ClaimOptions,
  type FileSystem,
  isSameStamp,
  lookAt,
  modeOf,
  type Stamp,
  stampOf,
} from "./claim.ts";
import { REVISION_WITHIN, revisionOf } from "../format/encode.ts";
import type { Durability } from "../protocol.ts";
import { checkSessionId } from "../location/session_id.ts";
import type { Store } from "./store.ts";

/** How {@linkcode FileStore} works. */
export interface FileStoreOptions extends Partial<ClaimOptions> {
  /** The directory of the sidecar; made when it is missing. */
  readonly sessionDir: string;
  readonly sessionId: string;
  readonly durability: Durability;
}

/** What the sidecar is like at one time. */
interface Sidecar {
  /** The revision, where the file begins as this package writes it. */
  readonly revision: number | undefined;
  readonly info: Deno.FileInfo;
}

const MAX_LINKS = 40;
/** How often a save is started anew because it took so long that another host may have stepped in. */
const MAX_ATTEMPTS = 5;
/** For the owner alone. */
const NEW_MODE = 0o600;
const OWNER_MAY_WRITE = 0o200;

/**
 * Keeps the sidecar `<sessionDir>/<sessionId>.tasks.json`.
 *
 * Whoever has the claim may replace the sidecar, once it has made sure that the
 * sidecar is still the one it last saw.
 */
export class FileStore implements Store {
  readonly location: string;
  readonly #sessionDir: string;
  readonly #durability: Durability;
  readonly #options: ClaimOptions;
  readonly #fs: FileSystem;
  /** The sidecar itself, or the file that it is a symbolic link to. */
  #target: string;
  #seen: Stamp | undefined;
  /** Whether another host has been met. */
  #isShared = false;
  /** The permission bits of the sidecar, or those that a new one gets. */
  #mode = NEW_MODE;

  /**
   * Constructs a store; nothing is touched yet.
   *
   * @throws {TasksError} `invalid_arguments` when the session id cannot be a file name.
   */
  constructor(options: FileStoreOptions) {
    const {
      fileSystem = Deno,
      now = () => performance.now(),
      sleep = wait,
      onWait = () => {},
    } = options;
    const name = `${checkSessionId(options.sessionId)}.tasks.json`;
    this.#sessionDir = resolve(options.sessionDir);
    this.location = join(this.#sessionDir, name);
    this.#target = this.location;
    this.#durability = options.durability;
    this.#options = { fileSystem, now, sleep, onWait };
    this.#fs = fileSystem;
  }

  async load(): Promise<Uint8Array | undefined> {
    await this.#makeDirectory();
    this.#target = await this.#followLinks();
    try {
      const info = await this.#fs.lstat(this.#target);
      requireFile(info);
      this.#seen = stampOf(info);
      this.#mode = modeOf(info);
      return await this.#fs.readFile(this.#target);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      this.#seen = undefined;
      return undefined;
    }
  }

  async save(text: string, seen: number): Promise<"saved" | "moved"> {
    for (let attempt = 1;; attempt++) {
      const claim = await Claim.make({
        target: this.#target,
        // What may not be written could not be synced either; it gets its mode later.
        content: { text, mode: this.#mode | OWNER_MAY_WRITE },
        isCurrent: () => this.#isAsSeen(lookAt(this.#fs, this.#target)),
        isShared: this.#isShared,
      }, this.#options);
      if (claim === undefined) return this.#meetAnother();
      this.#isShared = claim.isShared;
      let isPublished = false;
      try {
        const sidecar = this.#look();
        if (sidecar !== undefined && this.#hasMoved(sidecar, seen)) {
          return this.#meetAnother();
        }
        if (sidecar !== undefined) this.#mode = modeOf(sidecar.info);
        const isSynced = this.#durability === "power";
        isPublished = await claim.publish(this.#mode, isSynced);
      } finally {
        if (!isPublished) claim.release();
      }
      if (isPublished) {
        this.#seen = claim.stamp;
        if (this.#durability === "power") await this.#syncDirectory();
        return "saved";
      }
      if (attempt === MAX_ATTEMPTS) {
        throw new Error(`the disk was too slow ${attempt} times in a row`);
      }
      this.#options.onWait();
    }
  }

  watch(onChange: () => void): void {
    const name = basename(this.#target);
    const listen = async () => {
      using watcher = Deno.watchFs(dirname(this.#target), { recursive: false });
      for await (const { paths } of watcher) {
        // Some systems spell the directory in another way.
        if (!paths.some((path) => basename(path) === name)) continue;
        const info = lookAt(this.#fs, this.#target);
        if (info === undefined || !this.#isAsSeen(info)) onChange();
      }
    };
    // Without a watch, which may not start or may end, the next call finds changes.
    listen().catch(() => {});
  }

  async setAside(
    how: "move" | "copy",
    now: number,
  ): Promise<string | undefined> {
    let suffix = now;
    const name = () => `${this.#target}.corrupt-${suffix}`;
    while (lookAt(this.#fs, name()) !== undefined) suffix++;
    const info = lookAt(this.#fs, this.#target);
    if (info === undefined || !this.#isAsSeen(info)) return undefined;
    try {
      if (how === "move") await this.#fs.rename(this.#target, name());
      else await this.#fs.copyFile(this.#target, name());
    } catch (error) {
      if (how === "copy") await this.#fs.remove(name()).catch(() => {});
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
    return name();
  }

  async #makeDirectory(): Promise<void> {
    try {
      await ensureDir(this.#sessionDir);
    } catch (error) {
      if (lookAt(this.#fs, this.#sessionDir)?.isFile !== true) throw error;
      throw new Deno.errors.NotADirectory("Not a directory");
    }
  }

  /** The end of the chain of links that the sidecar may be, whether it exists or not. */
  async #followLinks(): Promise<string> {
    let path = this.location;
    for (let links = 0; links < MAX_LINKS; links++) {
      if (lookAt(this.#fs, path)?.isSymlink !== true) return path;
      path = resolve(dirname(path), await this.#fs.readLink(path));
      requirePermissions(dirname(path));
    }
    // Asking for the real path of a loop says that it is one.
    return await this.#fs.realPath(this.location);
  }

  /** The sidecar as it is now, or `undefined` when there is none. */
  #look(): Sidecar | undefined {
    const info = lookAt(this.#fs, this.#target);
    if (info === undefined) return undefined;
    requireFile(info);
    using file = this.#fs.openSync(this.#target);
    const head = new Uint8Array(REVISION_WITHIN);
    const length = file.readSync(head) ?? 0;
    const revision = revisionOf(
      new TextDecoder().decode(head.subarray(0, length)),
    );
    return { revision, info };
  }

  /** Whether the sidecar is another than the one last seen. */
  #hasMoved({ revision, info }: Sidecar, seen: number): boolean {
    return (revision !== undefined && revision !== seen) ||
      !this.#isAsSeen(info);
  }

  #meetAnother(): "moved" {
    this.#isShared = true;
    return "moved";
  }

  /** Whether nobody has written the sidecar since, as far as its stamp tells. */
  #isAsSeen(info: Deno.FileInfo | undefined): boolean {
    // What is gone has nothing to lose, and is written anew.
    return info === undefined ||
      (this.#seen !== undefined && isSameStamp(stampOf(info), this.#seen));
  }

  /** Brings the rename to the disk, as far as the system lets one. */
  async #syncDirectory(): Promise<void> {
    try {
      using directory = await this.#fs.open(dirname(this.#target));
      await directory.sync();
    } catch {
      // Windows cannot open a directory. Where it fails, the change is made all the same.
    }
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Refuses a directory about which the system would stop and ask the person. */
function requirePermissions(directory: string): void {
  for (const name of ["read", "write"] as const) {
    const { state } = Deno.permissions.querySync({ name, path: directory });
    if (state === "granted") continue;
    throw new Deno.errors.NotCapable(`--allow-${name}=${directory} is missing`);
  }
}

/** Refuses what is neither file nor directory, since to read it might never end. */
function requireFile({ isFile, isDirectory }: Deno.FileInfo): void {
  if (isFile || isDirectory) return;
  throw new Error("it is a device or a pipe, not a file; remove it");
}
