import { fileURLToPath } from "node:url";

/**
 * Converts a file URL to a path.
 *
 * A `%` that encodes nothing stands for itself; `node:url` would throw.
 */
export function fromFileUrl(url: string | URL): string {
  const { href } = new URL(url);
  return fileURLToPath(href.replace(/%(?![0-9a-f]{2})/gi, "%25"));
}
