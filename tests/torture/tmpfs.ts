import { join } from "@std/path/join";

/** How large a {@linkcode Tmpfs} is, in bytes. */
export const TMPFS_BYTES = 2 ** 20;

/** A small file system of its own, whose faults are real ones. */
export class Tmpfs implements AsyncDisposable {
  /** Where it is mounted. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Mounts one on this directory; says why when that cannot be done. */
  static async mount(path: string): Promise<Tmpfs | string> {
    if (Deno.build.os !== "linux") return "only Linux mounts a tmpfs";
    const options = `size=${TMPFS_BYTES},nr_inodes=64,mode=0700`;
    const failure = await run(
      ["mount", "-t", "tmpfs", "-o", options, "tasks", path],
    );
    return failure ?? new Tmpfs(path);
  }

  /** Makes it read-only, which takes a moment in which nothing is written, or writable again. */
  async remount(how: "ro" | "rw"): Promise<void> {
    for (let attempt = 0; attempt < 1_000; attempt++) {
      const failure = await run(["mount", "-o", `remount,${how}`, this.path]);
      if (failure === undefined) return;
      if (!failure.includes("busy")) throw new Error(failure);
    }
    throw new Error(`${this.path} is busy all the time`);
  }

  /** Takes what space there is, down to so many bytes. */
  async fill(leave = 0): Promise<void> {
    const filler = join(this.path, "filler");
    using file = await Deno.open(filler, { create: true, write: true });
    await file.seek(0, Deno.SeekMode.End);
    try {
      for (;;) await file.write(new Uint8Array(4_096));
    } catch {
      // It is full.
    }
    const { size } = await file.stat();
    await file.truncate(Math.max(0, size - leave));
  }

  /** Gives the space back. */
  async free(): Promise<void> {
    await Deno.remove(join(this.path, "filler"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Whatever still uses it is about to end.
    await run(["umount", "-l", this.path]);
  }
}

/** Runs a command; what it complains about, when it fails. */
async function run([command, ...args]: [string, ...string[]]): Promise<
  string | undefined
> {
  try {
    const { success, stderr } = await new Deno.Command(command, { args })
      .output();
    if (success) return undefined;
    return new TextDecoder().decode(stderr).trim() || `${command} failed`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
