// The pages that people read: every link in them leads somewhere, and every
// example is run.

import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);
const FENCE = /^(`{3,})(.*)\n([^]*?)^\1$/gm;

/** A page, by its path from the root. */
interface Page {
  readonly path: string;
  /** The text without its code blocks. */
  readonly prose: string;
  /** What stands behind the opening fence of each code block. */
  readonly fences: readonly string[];
}

async function readPage(path: string): Promise<Page> {
  const text = await Deno.readTextFile(new URL(path, ROOT));
  const fences = Array.from(text.matchAll(FENCE), ([, , info = ""]) => info);
  return { path, prose: text.replaceAll(FENCE, ""), fences };
}

async function pathsOfPages(): Promise<string[]> {
  const paths = ["README.md", "CONTRIBUTING.md"];
  for await (const { name } of Deno.readDir(new URL("docs", ROOT))) {
    if (name.endsWith(".md")) paths.push(`docs/${name}`);
  }
  return paths.sort();
}

/** What the links and pictures of a text lead to. */
function targetsIn(prose: string): string[] {
  const text = prose.replaceAll(/`[^`]*`/g, "code");
  const found = [
    ...text.matchAll(/\]\(\s*<?([^)\s>]+)/g),
    ...text.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)/gm),
    ...text.matchAll(/\b(?:href|src)="([^"]+)"/g),
  ];
  return found.map(([, target = ""]) => target);
}

/** The anchors of a text's headings, as GitHub makes them. */
function anchorsIn(prose: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of prose.matchAll(/^#{1,6} +(.*?)[ #]*$/gm)) {
    const title = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
    const anchor = title.toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    let name = anchor;
    for (let i = 1; anchors.has(name); i++) name = `${anchor}-${i}`;
    anchors.add(name);
  }
  return anchors;
}

async function exists(url: URL): Promise<boolean> {
  return await Deno.stat(url).then(() => true, () => false);
}

/** What is wrong with a link; `undefined` when it leads somewhere. */
async function faultOf(
  target: string,
  from: string,
): Promise<string | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
  const base = new URL(from, ROOT);
  const url = new URL(target, base);
  const anchor = decodeURIComponent(url.hash.slice(1));
  url.hash = "";
  if (!url.href.startsWith(ROOT.href)) return "leads out of the project";
  if (!await exists(url)) return "leads to nothing";
  if (anchor === "") return undefined;
  const { prose } = await readPage(url.href.slice(ROOT.href.length));
  return anchorsIn(prose).has(anchor) ? undefined : "has no such heading";
}

const PAGES = await Promise.all((await pathsOfPages()).map(readPage));

Deno.test("links and pictures are found, those in code left out", () => {
  const prose = "[a](b.md#c) ![d](e.svg) `[f](g)`\n\n[h]: i.md\n<img src='' " +
    'src="j.png">';
  assertEquals(targetsIn(prose), ["b.md#c", "e.svg", "i.md", "j.png"]);
});

Deno.test("headings get the anchors that GitHub gives them", () => {
  const prose =
    "# `deno task` & more, twice\n## Same\n### Same\n## A–B_c [d](e)";
  assertEquals([...anchorsIn(prose)], [
    "deno-task--more-twice",
    "same",
    "same-1",
    "ab_c-d",
  ]);
});

Deno.test("a link to a missing page, or to a missing heading, is a fault", async () => {
  assertEquals(await faultOf("none.md", "README.md"), "leads to nothing");
  assertEquals(await faultOf("#none", "README.md"), "has no such heading");
  assertEquals(
    await faultOf("../../x", "README.md"),
    "leads out of the project",
  );
  assertEquals(await faultOf("#install", "README.md"), undefined);
  assertEquals(await faultOf("../README.md", "docs/recipes.md"), undefined);
});

for (const { path, prose } of PAGES) {
  Deno.test(`every link in ${path} leads somewhere`, async () => {
    const faults: string[] = [];
    for (const target of targetsIn(prose)) {
      const fault = await faultOf(target, path);
      if (fault !== undefined) faults.push(`${target} ${fault}`);
    }
    assertEquals(faults, []);
  });
}

Deno.test("the readme leads to every page", () => {
  const readme = PAGES.find(({ path }) => path === "README.md");
  const targets = targetsIn(readme?.prose ?? "");
  for (const { path } of PAGES.filter(({ path }) => path !== "README.md")) {
    assert(targets.includes(path), `${path} is nowhere in the readme`);
  }
});

Deno.test("no example is kept from being run", () => {
  for (const { path, fences } of PAGES) {
    for (const info of fences) {
      assert(info !== "", `${path} has a code block of no language`);
      assert(!/\bignore\b/.test(info), `${path} has a block "${info}"`);
    }
  }
});
