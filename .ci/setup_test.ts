import { assert, assertEquals, assertMatch } from "@std/assert";
import { ensureDir, walk } from "@std/fs";
import { dirname, fromFileUrl, join, relative } from "@std/path";

const REPOSITORY = fromFileUrl(new URL("../", import.meta.url));

const PROGRAM = `
  import { assertEquals } from "@std/assert";
  import { exists } from "@std/fs/exists";
  import { join } from "@std/path/join";

  assertEquals(await exists("no such file"), false);
  console.log(join("a", "b"));
`;

/** Reads `deno.json`, less the npm packages, which `deno task` would fetch. */
async function readConfig(): Promise<string> {
  const config = await Deno.readTextFile(join(REPOSITORY, "deno.json"));
  return JSON.stringify(
    JSON.parse(
      config,
      (_, value) =>
        typeof value === "string" && value.startsWith("npm:")
          ? undefined
          : value,
    ),
  );
}

/** What a child process left behind. */
interface Outcome {
  success: boolean;
  stdout: string;
  stderr: string;
}

/** A copy of what setup works with, in a folder of its own. */
class Project implements AsyncDisposable {
  readonly #dir: string;
  readonly #registry: Registry | undefined;

  private constructor(dir: string, registry?: Registry) {
    this.#dir = dir;
    this.#registry = registry;
  }

  /** Makes a project that looks for JSR at `registry`, or finds none. */
  static async create(registry?: Registry): Promise<Project> {
    const project = new Project(await Deno.makeTempDir(), registry);
    const sources = walk(join(REPOSITORY, ".ci"), { includeDirs: false });
    for await (const { path } of sources) {
      const content = await Deno.readTextFile(path);
      await project.write(relative(REPOSITORY, path), content);
    }
    await project.write("deno.json", await readConfig());
    await project.write("program.ts", PROGRAM);
    return project;
  }

  /** Writes a file of the project. */
  async write(path: string, content: string): Promise<void> {
    const file = join(this.#dir, path);
    await ensureDir(dirname(file));
    await Deno.writeTextFile(file, content);
  }

  /** Reads a file of the project. */
  read(path: string): Promise<string> {
    return Deno.readTextFile(join(this.#dir, path));
  }

  /** Lists the files in `vendor/`, each with the number of its inode. */
  async vendored(): Promise<Record<string, number | null>> {
    const files: Record<string, number | null> = {};
    const vendor = join(this.#dir, "vendor");
    for await (const { path } of walk(vendor, { includeDirs: false })) {
      files[relative(vendor, path)] = (await Deno.stat(path)).ino;
    }
    return files;
  }

  /** Runs `deno task setup`. */
  setup(): Promise<Outcome> {
    return this.#deno("task", "--quiet", "setup");
  }

  /** Runs the program, with further flags for Deno. */
  run(...flags: string[]): Promise<Outcome> {
    return this.#deno("run", "--allow-read=.", ...flags, "program.ts");
  }

  async #deno(...args: string[]): Promise<Outcome> {
    const command = new Deno.Command(Deno.execPath(), {
      args,
      cwd: this.#dir,
      clearEnv: true,
      env: {
        DENO_DIR: join(this.#dir, "cache"),
        NO_COLOR: "1",
        // No proxy listens on port 1, so without a registry there is no JSR.
        ...this.#registry
          ? { JSR_URL: this.#registry.url }
          : { HTTPS_PROXY: "http://127.0.0.1:1" },
      },
    });
    const { success, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    return {
      success,
      stdout: decoder.decode(stdout),
      stderr: decoder.decode(stderr),
    };
  }

  /** Removes the project. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#dir, { recursive: true });
  }
}

/** A registry on loopback that has as much of `@std` as the program uses. */
class Registry implements AsyncDisposable {
  /** The version of all its packages. */
  static readonly VERSION = "1.2.3";

  static readonly #PACKAGES: Record<string, { path: string; code: string }> = {
    assert: {
      path: ".",
      code: "export function assertEquals(..._: unknown[]): void {}",
    },
    fs: {
      path: "./exists",
      code: "export function exists(_: string): boolean { return false; }",
    },
    path: {
      path: "./join",
      code: "export function join(..._: string[]): string { return 'real'; }",
    },
  };

  /** Whether it answers with more than an error. */
  up = true;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#respond(new URL(request.url).pathname),
    );
  }

  /** The address of the registry. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async #respond(pathname: string): Promise<Response> {
    const [, scope, name = "", ...rest] = pathname.split("/");
    const pkg = Registry.#PACKAGES[name];
    if (!this.up) return new Response("Down", { status: 503 });
    if (scope !== "@std" || !pkg) return new Response(null, { status: 404 });

    const module = new TextEncoder().encode(pkg.code);
    switch (rest.join("/")) {
      case "meta.json":
        return Response.json({ versions: { [Registry.VERSION]: {} } });
      case `${Registry.VERSION}_meta.json`: {
        const digest = await crypto.subtle.digest("SHA-256", module);
        const checksum = `sha256-${new Uint8Array(digest).toHex()}`;
        return Response.json({
          manifest: { "/mod.ts": { size: module.length, checksum } },
          exports: { [pkg.path]: "./mod.ts" },
        });
      }
      default:
        return new Response(module, {
          headers: { "content-type": "application/typescript" },
        });
    }
  }

  /** Stops the registry. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Asserts that a child process succeeded, and returns what it said. */
function said({ success, stdout, stderr }: Outcome): string {
  assert(success, stderr);
  return stdout.trim();
}

const FILLED =
  "Put stand-ins for @std/assert, @std/fs, @std/path into vendor/: JSR does not answer";
const CLEARED =
  "Removed the stand-ins for @std/assert, @std/fs, @std/path from vendor/: JSR answers";

Deno.test("setup makes @std importable where JSR does not answer", async () => {
  await using project = await Project.create();
  assertEquals(said(await project.setup()), FILLED);
  assertEquals(said(await project.run("--cached-only")), "a/b");
});

Deno.test("setup fills the folder of the registry that JSR_URL names", async () => {
  await using registry = new Registry();
  registry.up = false;
  await using project = await Project.create(registry);
  assertEquals(said(await project.setup()), FILLED);
  assertEquals(said(await project.run("--cached-only")), "a/b");
});

Deno.test("setup says and writes nothing when the stand-ins are up to date", async () => {
  await using project = await Project.create();
  said(await project.setup());
  const before = await project.vendored();
  assertEquals(await project.setup(), {
    success: true,
    stdout: "",
    stderr: "",
  });
  assertEquals(await project.vendored(), before);
});

Deno.test("setup renews a stand-in that differs from its source, and no other", async () => {
  await using project = await Project.create();
  said(await project.setup());
  const stale = "jsr.io/@std/path/1.9999.0/join.ts";
  const content = await project.read(`vendor/${stale}`);
  await project.write(`vendor/${stale}`, "// tampered with");
  const { [stale]: _, ...before } = await project.vendored();

  assertMatch(
    said(await project.setup()),
    /^Put stand-ins for @std\/path into/,
  );

  assertEquals(await project.read(`vendor/${stale}`), content);
  const { [stale]: __, ...after } = await project.vendored();
  assertEquals(after, before);
});

Deno.test("setup takes over a change of the sources", async () => {
  await using project = await Project.create();
  said(await project.setup());
  await project.write(
    ".ci/stand_ins/path/join.ts",
    "export function join(..._: string[]): string { return 'changed'; }",
  );
  assertMatch(
    said(await project.setup()),
    /^Put stand-ins for @std\/path into/,
  );
  assertEquals(said(await project.run("--cached-only")), "changed");
});

Deno.test("setup leaves real packages alone where JSR does not answer", async () => {
  await using registry = new Registry();
  await using project = await Project.create(registry);
  assertEquals(said(await project.run()), "real");
  const before = await project.vendored();

  registry.up = false;
  assertEquals(said(await project.setup()), "");
  assertEquals(await project.vendored(), before);
  assertEquals(said(await project.run("--cached-only")), "real");
});

Deno.test("setup adds only the packages that are missing", async () => {
  await using project = await Project.create();
  const real = '{"versions":{"1.1.2":{}}}';
  await project.write("vendor/jsr.io/@std/path/meta.json", real);

  assertMatch(
    said(await project.setup()),
    /^Put stand-ins for @std\/assert, @std\/fs into/,
  );

  assertEquals(await project.read("vendor/jsr.io/@std/path/meta.json"), real);
  const files = Object.keys(await project.vendored());
  assertEquals(files.filter((path) => path.includes("@std/path/")), [
    "jsr.io/@std/path/meta.json",
  ]);
});

Deno.test("setup removes the stand-ins once JSR answers, and Deno fetches the real packages", async () => {
  await using registry = new Registry();
  registry.up = false;
  await using project = await Project.create(registry);
  said(await project.setup());
  assertEquals(said(await project.run()), "a/b");

  registry.up = true;
  assertEquals(said(await project.setup()), CLEARED);
  assertEquals(await project.vendored(), {});
  assertEquals(said(await project.run()), "real");
});

Deno.test("setup removes no real package", async () => {
  await using registry = new Registry();
  registry.up = false;
  await using project = await Project.create(registry);
  said(await project.setup());
  registry.up = true;
  // A reload fetches the real packages, beside the modules of the stand-ins.
  assertEquals(said(await project.run("--reload")), "real");

  assertEquals(said(await project.setup()), CLEARED);
  assertEquals(said(await project.run("--cached-only")), "real");
  const before = await project.vendored();
  assertEquals(said(await project.setup()), "");
  assertEquals(await project.vendored(), before);
});

Deno.test("setups that run at once fill and clear vendor/ like one", async () => {
  await using registry = new Registry();
  registry.up = false;
  await using project = await Project.create(registry);
  const both = () => Promise.all([project.setup(), project.setup()]);

  (await both()).forEach(said);
  assertEquals(said(await project.run("--cached-only")), "a/b");
  const files = Object.keys(await project.vendored());
  assertEquals(files.filter((path) => path.endsWith(".tmp")), []);

  registry.up = true;
  (await both()).forEach(said);
  assertEquals(await project.vendored(), {});
});

Deno.test("setup says in a line why it fails", async () => {
  await using project = await Project.create();
  await project.write("vendor", "not a folder");
  const { success, stderr } = await project.setup();
  assert(!success);
  assertMatch(stderr, /^Cannot set up vendor\/: .+\n$/);
});
