import { relative as nodeRelative } from "node:path";

/** Returns the path that leads from `from` to `to`. */
export function relative(from: string, to: string): string {
  return nodeRelative(from, to);
}
