/**
 * Lets the `@std` packages of `deno.json` be imported where JSR is out of
 * reach: `deno task setup` puts stand-ins for them, made from
 * `stand_ins/`, into `vendor/`, where Deno looks before it asks JSR.
 *
 * Where JSR answers, it removes the stand-ins instead, and Deno fetches the
 * real packages. Real packages in `vendor/` are left as they are.
 *
 * @module
 */

/**
 * The version of the stand-ins, by which they are also told from real packages.
 *
 * It satisfies every `^1` range, and no package gets to a 9999th minor release.
 */
const VERSION = "1.9999.0";

/** How long JSR may take to answer, in milliseconds. */
const TIMEOUT = 3000;

/** A folder for each package, with a module for each of its exports. */
const SOURCES = new URL("stand_ins/", import.meta.url);
const VENDOR = new URL("../vendor/", import.meta.url);

/** Returns the address of JSR or, as Deno has it, the one in `JSR_URL`. */
function registryUrl(): URL {
  const url = Deno.env.get("JSR_URL") || "https://jsr.io";
  return new URL(`${url.replace(/\/+$/, "")}/`);
}

/** Tells whether a registry answers with what it knows of `@std/path`. */
async function answers(registry: URL): Promise<boolean> {
  try {
    const response = await fetch(new URL("@std/path/meta.json", registry), {
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return "versions" in await response.json();
  } catch {
    return false;
  }
}

/**
 * Returns the folder in which Deno vendors what it fetches from a registry.
 *
 * It names it after the scheme, unless that is `https`, the host and the port.
 * (It hashes an IPv6 address; a registry at one gets no stand-ins that work.)
 */
function vendorFolder({ protocol, host, pathname }: URL): URL {
  const scheme = protocol === "https:" ? "" : protocol.replace(":", "_");
  return new URL(`${scheme}${host.replace(":", "_")}${pathname}`, VENDOR);
}

/** Reads a file, or returns `undefined` if there is none. */
async function read(file: URL): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Removes a file or folder, and tells whether there was one. */
async function remove(path: URL): Promise<boolean> {
  try {
    await Deno.remove(path, { recursive: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Makes the files of a stand-in from its sources, the entry point last. */
async function build(name: string): Promise<Map<string, string>> {
  const sources = new URL(`${name}/`, SOURCES);
  const files = new Map<string, string>();
  const manifest: Record<string, { size: number; checksum: string }> = {};
  const exports: Record<string, string> = {};

  const modules = Array.from(Deno.readDirSync(sources), ({ name }) => name);
  for (const module of modules.sort()) {
    const bytes = await Deno.readFile(new URL(module, sources));
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    files.set(`${VERSION}/${module}`, new TextDecoder().decode(bytes));
    manifest[`/${module}`] = {
      size: bytes.length,
      checksum: `sha256-${new Uint8Array(digest).toHex()}`,
    };
    if (!module.startsWith("_")) exports[exportName(module)] = `./${module}`;
  }

  const meta = {
    scope: "std",
    name,
    latest: VERSION,
    versions: { [VERSION]: {} },
  };
  files.set(`${VERSION}_meta.json`, JSON.stringify({ manifest, exports }));
  files.set("meta.json", JSON.stringify(meta));
  return files;
}

/** Returns the export a module is behind, such as `./to-file-url`. */
function exportName(module: string): string {
  if (module === "mod.ts") return ".";
  return `./${module.replace(/\.ts$/, "").replaceAll("_", "-")}`;
}

/**
 * Brings the stand-in in a folder up to date, and tells whether it was not.
 *
 * Each file appears whole and the entry point last, so that neither Deno nor
 * another setup that runs meanwhile sees half a package.
 */
async function fill(folder: URL, name: string): Promise<boolean> {
  const meta = await read(new URL("meta.json", folder));
  const real = meta !== undefined && !meta.includes(`"${VERSION}"`);
  if (real) return false;

  const modules = new URL(`${VERSION}/`, folder);
  let changed = false;
  for (const [path, content] of await build(name)) {
    const file = new URL(path, folder);
    if (await read(file) === content) continue;
    await Deno.mkdir(modules, { recursive: true });
    const draft = new URL(`${crypto.randomUUID()}.tmp`, modules);
    await Deno.writeTextFile(draft, content);
    await Deno.rename(draft, file);
    changed = true;
  }
  return changed;
}

/** Removes the stand-in in a folder, and tells whether there was one. */
async function clear(folder: URL): Promise<boolean> {
  const paths = [`${VERSION}_meta.json`, `${VERSION}/`];
  const meta = await read(new URL("meta.json", folder));
  if (meta?.includes(`"${VERSION}"`)) paths.unshift("meta.json");

  let changed = false;
  for (const path of paths) {
    if (await remove(new URL(path, folder))) changed = true;
  }
  return changed;
}

/** Fills or clears `vendor/`, and says so if it had to. */
async function setup(): Promise<void> {
  const registry = registryUrl();
  const answering = await answers(registry);
  const changed: string[] = [];
  for await (const { name } of Deno.readDir(SOURCES)) {
    const folder = new URL(`@std/${name}/`, vendorFolder(registry));
    const done = answering ? clear(folder) : fill(folder, name);
    if (await done) changed.push(`@std/${name}`);
  }
  if (changed.length === 0) return;
  const packages = changed.sort().join(", ");
  // deno-lint-ignore no-console
  console.log(
    answering
      ? `Removed the stand-ins for ${packages} from vendor/: JSR answers`
      : `Put stand-ins for ${packages} into vendor/: JSR does not answer`,
  );
}

try {
  await setup();
} catch (error) {
  // deno-lint-ignore no-console
  console.error(`Cannot set up vendor/: ${error}`);
  Deno.exit(1);
}
