import { basename as nodeBasename } from "node:path";
import { fromFileUrl } from "./from_file_url.ts";

/**
 * Returns the last part of a path, without `suffix` if it ends with it.
 *
 * Unlike the one of `node:path`, it never returns an empty name for a path
 * that is not empty: the name of `/` is `/`, and `.ts` without `.ts` is `.ts`.
 */
export function basename(path: string | URL, suffix = ""): string {
  if (path instanceof URL) path = fromFileUrl(path);
  const name = nodeBasename(path) || path.slice(0, 1);
  return name.length > suffix.length && name.endsWith(suffix)
    ? name.slice(0, name.length - suffix.length)
    : name;
}
