import { join as nodeJoin } from "node:path";
import { fromFileUrl } from "./from_file_url.ts";

/** Joins and normalizes path segments; the first may be a file URL. */
export function join(path: string | URL, ...paths: string[]): string {
  return nodeJoin(path instanceof URL ? fromFileUrl(path) : path, ...paths);
}
