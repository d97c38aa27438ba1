/** A call of the tool, as it stands in a page. */
export interface ExampleCall {
  /** Where it is. */
  readonly page: string;
  /** The call, with a task's id in place of every expression. */
  readonly call: Readonly<Record<string, unknown>>;
}

const ROOT = new URL("../../../", import.meta.url);
const ID = "t_1720600000000_a1b2";

/** What every name in an example stands for: in the end, a task's id. */
const ANYTHING: unknown = new Proxy({}, {
  has: () => true,
  get: (_, key) => {
    if (key === Symbol.unscopables) return undefined;
    return key === "toJSON" ? () => ID : ANYTHING;
  },
});

/** The value of an object literal. */
function valueOf(literal: string): ExampleCall["call"] {
  const evaluate = new Function(
    "anything",
    `with (anything) return (${literal});`,
  );
  return JSON.parse(JSON.stringify(evaluate(ANYTHING)));
}

/** Every block of code of a page in one of these languages. */
function blocksOf(text: string, languages: string): string[] {
  const blocks = text.matchAll(
    new RegExp(`^\`\`\`(?:${languages})\\n(.*?)^\`\`\`$`, "gms"),
  );
  return [...blocks].map(([, code = ""]) => code);
}

/** The readme and the pages of `docs/`, with their texts. */
export async function readPages(): Promise<ReadonlyMap<string, string>> {
  const paths = ["README.md"];
  for await (const { name } of Deno.readDir(new URL("docs/", ROOT))) {
    if (name.endsWith(".md")) paths.push(`docs/${name}`);
  }
  return new Map(
    await Promise.all(
      paths.sort().map(async (path): Promise<[string, string]> => [
        path,
        await Deno.readTextFile(new URL(path, ROOT)),
      ]),
    ),
  );
}

/** Every flat object in the examples of a page that names an action. */
export function callsIn(page: string, text: string): ExampleCall[] {
  return blocksOf(text, "ts|js|json").flatMap((code) =>
    [...code.matchAll(/\{[^{}]*\baction"?:\s*"[^{}]*\}/g)]
      .map(([literal]) => ({ page, call: valueOf(literal) }))
  );
}
