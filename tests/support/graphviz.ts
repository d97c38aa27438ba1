/**
 * Graphviz itself, drawing graphs.
 *
 * @module
 */

import { assert } from "@std/assert";
import { parseXml } from "./dom.ts";
import { type Drawn, type DrawnArrow, type DrawnBox, sorted } from "./drawn.ts";

/** What Graphviz draws of these graphs, all by one process. */
export async function drawDot(texts: readonly string[]): Promise<Drawn[]> {
  const svg = await run(["-Tsvg"], texts.join(""));
  return svg.split(/^(?=<\?xml )/m).map(drawnOf);
}

async function run(args: readonly string[], input: string): Promise<string> {
  const options = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = start(new Deno.Command("dot", { args: [...args], ...options }));
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await output;
  const complaints = new TextDecoder().decode(stderr);
  assert(success && complaints === "", complaints);
  return new TextDecoder().decode(stdout);
}

function start(command: Deno.Command): Deno.ChildProcess {
  try {
    return command.spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new Error(
      "There is no dot here, so pictures cannot be checked. Install Graphviz " +
        "(apt-get install graphviz, brew install graphviz) and try again.",
      { cause: error },
    );
  }
}

function drawnOf(svg: string): Drawn {
  const xml = parseXml(svg);
  const boxes = [...xml.querySelectorAll("g.node")].map((node): DrawnBox => ({
    name: titleOf(node),
    classes: [...node.classList].filter((name) => name !== "node"),
    lines: Array.from(
      node.querySelectorAll("text"),
      (text) => text.textContent ?? "",
    ),
  }));
  const arrows = [...xml.querySelectorAll("g.edge")].map((edge): DrawnArrow => {
    const [from = "", to = ""] = titleOf(edge).split("->");
    const isDashed = edge.querySelector("path[stroke-dasharray]") !== null;
    return { from, to, isDashed };
  });
  return sorted({ boxes, arrows });
}

function titleOf(element: Element): string {
  return element.querySelector("title")?.textContent ?? "";
}
