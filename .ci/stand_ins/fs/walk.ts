import { basename, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** Options for {@linkcode walk} and {@linkcode walkSync}. */
export interface WalkOptions {
  /** How deep to go: 0 is the root alone. Unlimited by default. */
  maxDepth?: number;
  /** Whether to yield files. On by default. */
  includeFiles?: boolean;
  /** Whether to yield directories. On by default. */
  includeDirs?: boolean;
  /** Whether to yield links that are not followed. On by default. */
  includeSymlinks?: boolean;
  /** Whether to follow links. Off by default. */
  followSymlinks?: boolean;
  /** Whether a followed link has the path it leads to. On by default. */
  canonicalize?: boolean;
  /** Yields only paths with one of these extensions. */
  exts?: string[];
  /** Yields only paths that match one of these patterns. */
  match?: RegExp[];
  /** Neither yields nor enters paths that match one of these patterns. */
  skip?: RegExp[];
}

/** What {@linkcode walk} and {@linkcode walkSync} yield. */
export interface WalkEntry extends Deno.DirEntry {
  /** The path of the entry, beginning with the root's. */
  path: string;
}

/** Yields a directory and all that is in it, each directory before its content. */
export async function* walk(
  root: string | URL,
  options?: WalkOptions,
): AsyncIterableIterator<WalkEntry> {
  yield* walkSync(root, options);
}

/** Like {@linkcode walk}, synchronously. */
export function* walkSync(
  root: string | URL,
  options: WalkOptions = {},
): IterableIterator<WalkEntry> {
  const {
    maxDepth = Infinity,
    includeFiles = true,
    includeDirs = true,
    includeSymlinks = true,
    followSymlinks = false,
    canonicalize = true,
    match,
    skip,
  } = options;
  const exts = options.exts?.map((ext) => ext.replace(/^\.?/, "."));

  const skipped = (path: string) =>
    skip?.some((pattern) => path.match(pattern)) ?? false;
  const wanted = (path: string) =>
    !skipped(path) &&
    (exts?.some((ext) => path.endsWith(ext)) ?? true) &&
    (match?.some((pattern) => path.match(pattern)) ?? true);

  yield* walkDir(root instanceof URL ? fileURLToPath(root) : root, 0);

  function* walkDir(dir: string, depth: number): IterableIterator<WalkEntry> {
    if (depth > maxDepth) return;
    if (includeDirs && wanted(dir)) yield dirEntry(dir);
    if (depth + 1 > maxDepth || skipped(dir)) return;

    for (const entry of Deno.readDirSync(dir)) {
      let path = join(dir, entry.name);
      let isDirectory = entry.isDirectory;
      if (entry.isSymlink) {
        if (!followSymlinks) {
          if (includeSymlinks && wanted(path)) yield { path, ...entry };
          continue;
        }
        const target = Deno.realPathSync(path);
        if (canonicalize) path = target;
        isDirectory = Deno.statSync(target).isDirectory;
      }
      if (isDirectory) {
        yield* walkDir(path, depth + 1);
      } else if (includeFiles && wanted(path)) {
        yield { path, ...entry };
      }
    }
  }
}

/** Describes a directory that the walk is about to enter. */
function dirEntry(dir: string): WalkEntry {
  const path = normalize(dir);
  const { isFile, isDirectory, isSymlink } = Deno.statSync(path);
  return { path, name: basename(path), isFile, isDirectory, isSymlink };
}
