/** Makes sure that a directory exists, creating it and its parents if not. */
export function ensureDir(dir: string | URL): Promise<void> {
  return Promise.try(ensureDirSync, dir);
}

/** Like {@linkcode ensureDir}, synchronously. */
export function ensureDirSync(dir: string | URL): void {
  try {
    if (Deno.statSync(dir).isDirectory) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return Deno.mkdirSync(dir, { recursive: true });
  }
  throw new Error(`"${dir}" exists but is no directory`);
}
