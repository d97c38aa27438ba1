import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { isAbsolute } from "./is_absolute.ts";

/**
 * Converts an absolute path to a file URL.
 *
 * Unlike the function of `node:url`, it takes no relative path, keeps repeated
 * slashes within the path, and encodes only what a URL has to have encoded.
 */
export function toFileUrl(path: string): URL {
  if (!isAbsolute(path)) {
    throw new TypeError(`Not an absolute path: "${path}"`);
  }
  if (sep === "\\") return pathToFileURL(path);
  const url = new URL("file:///");
  url.pathname = path
    .replace(/^\/+/, "/")
    .replace(/[%\\\s]/g, encodeURIComponent);
  return url;
}
