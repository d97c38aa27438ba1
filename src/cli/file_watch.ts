/**
 * Notices that a file may have changed, appeared or gone.
 *
 * @module
 */

import { basename } from "@std/path/basename";
import { dirname } from "@std/path/dirname";

const LOOK_EVERY_MS = 400;

/**
 * Watches a file until it is disposed of. The system tells of changes at once,
 * where it can. A look at the file now and then finds the others: where the
 * directory does not exist yet, is behind a link, or is on a share.
 */
export class FileWatch implements Disposable {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #timer: ReturnType<typeof setInterval>;
  #watcher: Deno.FsWatcher | undefined;
  #stamp: string;

  /** Starts to watch. `onChange` is called when a look at the file is worth it. */
  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
    this.#stamp = stampOf(path);
    this.#watch();
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unwatch();
  }

  #look(): void {
    if (this.#watcher === undefined) this.#watch();
    const stamp = stampOf(this.#path);
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#onChange();
  }

  #watch(): void {
    try {
      this.#watcher = Deno.watchFs(dirname(this.#path), { recursive: false });
      this.#listen(this.#watcher).catch(() => this.#unwatch());
    } catch {
      // The directory is not there, or the system cannot watch it.
    }
  }

  #unwatch(): void {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    try {
      watcher?.close();
    } catch {
      // It has ended by itself.
    }
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    const name = basename(this.#path);
    for await (const { kind, paths } of watcher) {
      // To read a file is an access too.
      if (kind === "access") continue;
      // Some systems spell the directory in another way.
      if (paths.some((path) => basename(path) === name)) this.#onChange();
    }
  }
}

/** What tells one state of the file from another, as far as a look can. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtime, ctime } = Deno.statSync(path);
    return [ino, size, mtime?.getTime(), ctime?.getTime()].join(" ");
  } catch {
    return "";
  }
}
