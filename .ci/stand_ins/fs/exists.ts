/** Options for {@linkcode exists} and {@linkcode existsSync}. */
export interface ExistsOptions {
  /** Whether the path must be readable by the user. */
  isReadable?: boolean;
  /** Whether the path must be a directory, or a link to one. */
  isDirectory?: boolean;
  /** Whether the path must be a file, or a link to one. */
  isFile?: boolean;
}

/** Tells whether a path exists and is what the options ask for. */
export function exists(
  path: string | URL,
  options?: ExistsOptions,
): Promise<boolean> {
  return Promise.try(existsSync, path, options);
}

/** Like {@linkcode exists}, synchronously. */
export function existsSync(
  path: string | URL,
  options: ExistsOptions = {},
): boolean {
  const { isReadable = false, isDirectory = false, isFile = false } = options;
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    // The system forbids it (a missing permission of Deno is `NotCapable`).
    if (error instanceof Deno.errors.PermissionDenied) return !isReadable;
    throw error;
  }
  if (isDirectory && isFile) {
    throw new TypeError("`isDirectory` and `isFile` exclude each other");
  }
  if (isDirectory && !info.isDirectory || isFile && !info.isFile) return false;
  return !isReadable || hasReadBit(info);
}

/** Tells by its mode whether the user may read a file. */
function hasReadBit({ mode, uid, gid }: Deno.FileInfo): boolean {
  if (mode === null) return true;
  const shift = uid === Deno.uid() ? 6 : gid === Deno.gid() ? 3 : 0;
  return (mode >> shift & 4) !== 0;
}
