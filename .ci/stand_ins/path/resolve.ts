import { resolve as nodeResolve } from "node:path";

/** Resolves path segments, from right to left, to an absolute path. */
export function resolve(...pathSegments: string[]): string {
  return nodeResolve(...pathSegments);
}
