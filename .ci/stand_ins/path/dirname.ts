import { dirname as nodeDirname } from "node:path";
import { fromFileUrl } from "./from_file_url.ts";

/**
 * Returns the directory part of a path.
 *
 * Unlike the one of `node:path`, it leaves no separator at the end: the
 * directory of `a//b` is `a`.
 */
export function dirname(path: string | URL): string {
  return nodeDirname(path instanceof URL ? fromFileUrl(path) : path)
    .replace(/(?<=.)\/+$/s, "");
}
