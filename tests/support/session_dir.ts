import { join } from "@std/path/join";

/** A directory of its own for one test; it is removed when the test is over. */
export interface SessionDir extends AsyncDisposable {
  readonly path: string;
  /** The path of a file in it. */
  at(name: string): string;
  /** The text of a file in it. */
  read(name: string): Promise<string>;
  /** Puts a file into it. */
  write(name: string, text: string): Promise<void>;
  /** The names of everything in it, sorted. */
  names(): Promise<string[]>;
}

/** Makes a directory for one test. */
export async function makeSessionDir(): Promise<SessionDir> {
  // The real path, since a temporary directory may be behind a link.
  const path = await Deno.realPath(await Deno.makeTempDir());
  const at = (name: string) => join(path, name);
  return {
    path,
    at,
    read: (name) => Deno.readTextFile(at(name)),
    write: (name, text) => Deno.writeTextFile(at(name), text),
    names: async () =>
      (await Array.fromAsync(Deno.readDir(path), (entry) => entry.name)).sort(),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
