/**
 * What importing a module loads, as `deno info --json` tells it.
 *
 * @module
 */

/** What is used of what `deno info --json` prints. */
export interface ModuleGraph {
  readonly roots: readonly string[];
  readonly modules: readonly GraphModule[];
  readonly redirects: Readonly<Record<string, string>>;
  /** The packages of npm, by an id of name, version and peers. */
  readonly npmPackages?: Readonly<Record<string, NpmPackage>>;
}

/** A module, whose kind says where it comes from. */
export interface GraphModule {
  readonly specifier: string;
  readonly kind?: string;
  readonly size?: number;
  readonly error?: string;
  /** The id of its package, where that is one of npm. */
  readonly npmPackage?: string;
  readonly dependencies?: readonly {
    /** Where the import leads when it runs; types alone have none. */
    readonly code?: { readonly specifier: string };
  }[];
}

interface NpmPackage {
  readonly name: string;
  readonly dependencies: readonly string[];
}

/** What an entry loads, itself included, be it at once or by `import()`. */
export interface Loads {
  /** How many modules of this project. */
  readonly modules: number;
  /** Their size in bytes, as they are written. */
  readonly bytes: number;
  /** The packages that they import, by name. */
  readonly imports: readonly string[];
  /** The packages that those bring along, by name. */
  readonly brings: readonly string[];
}

/** What the root of a graph loads. Imports of types alone load nothing. */
export function loadsOf(graph: ModuleGraph): Loads {
  const known = new Map(graph.modules.map((it) => [it.specifier, it]));
  const reached = new Set(graph.roots);
  const own: GraphModule[] = [];
  const imports = new Set<string>();
  const brings = new Set<string>();
  for (const specifier of reached) {
    const module = known.get(specifier);
    if (module === undefined || module.error !== undefined) {
      throw new Error(`${specifier} cannot be loaded: ${module?.error}`);
    }
    const owner = packageOf(graph, module);
    if (owner === undefined && module.kind === "esm") own.push(module);
    if (owner !== undefined) brings.add(owner);
    for (const name of dependenciesOf(graph, module.npmPackage)) {
      brings.add(name);
    }
    for (const { code } of module.dependencies ?? []) {
      if (code === undefined) continue;
      const target = resolve(graph, code.specifier);
      const imported = known.get(target);
      const name = imported && packageOf(graph, imported);
      if (owner === undefined && name !== undefined) imports.add(name);
      reached.add(target);
    }
  }
  return {
    modules: own.length,
    bytes: own.reduce((sum, { size = 0 }) => sum + size, 0),
    imports: [...imports].sort(),
    brings: [...brings].filter((name) => !imports.has(name)).sort(),
  };
}

/** The name of the package that a module is of; this project's are of none. */
function packageOf(
  graph: ModuleGraph,
  { specifier, npmPackage }: GraphModule,
): string | undefined {
  if (npmPackage !== undefined) return graph.npmPackages?.[npmPackage]?.name;
  if (!/^https?:/.test(specifier)) return undefined;
  // A package of JSR is at /@scope/name/version/ of its registry.
  const { host, pathname } = new URL(specifier);
  return pathname.match(/\/(@[^/]+\/[^/]+)\//)?.[1] ?? host;
}

/** The names of all packages that one of npm depends on, over however many others. */
function dependenciesOf(graph: ModuleGraph, id: string | undefined): string[] {
  const ids = new Set(id === undefined ? [] : [id]);
  for (const id of ids) {
    for (const dependency of graph.npmPackages?.[id]?.dependencies ?? []) {
      ids.add(dependency);
    }
  }
  return [...ids].map((id) => graph.npmPackages?.[id]?.name ?? id);
}

function resolve(graph: ModuleGraph, specifier: string): string {
  const next = graph.redirects[specifier];
  return next === undefined ? specifier : resolve(graph, next);
}
