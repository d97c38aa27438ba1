import { isAbsolute as nodeIsAbsolute } from "node:path";

/** Tells whether a path is absolute. */
export function isAbsolute(path: string): boolean {
  return nodeIsAbsolute(path);
}
