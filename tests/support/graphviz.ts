/**
 * Graphviz itself, drawing graphs.
 *
 * @module
 */

import { assert } from "@std/assert";
import { Graphviz } from "npm:@hpcc-js/wasm-graphviz@1.29.2";
import { parseXml } from "./dom.ts";
import { type Drawn, type DrawnArrow, type DrawnBox, sorted } from "./drawn.ts";

/** What Graphviz draws of these graphs: the one that is installed, or else the one of npm. */
export async function drawDot(texts: readonly string[]): Promise<Drawn[]> {
  const command = startDot();
  if (command === undefined) return await drawHere(texts);
  const svg = await outputOf(command, texts.join(""));
  return svg.split(/^(?=<\?xml )/m).map(drawnOf);
}

/** What the Graphviz of npm draws of these graphs. */
export async function drawHere(texts: readonly string[]): Promise<Drawn[]> {
  const graphviz = await Graphviz.load();
  return texts.map((text) => drawnOf(graphviz.dot(text, "svg")));
}

function startDot(): Deno.ChildProcess | undefined {
  try {
    return new Deno.Command("dot", {
      args: ["-Tsvg"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function outputOf(
  command: Deno.ChildProcess,
  input: string,
): Promise<string> {
  const output = command.output();
  const writer = command.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout, stderr } = await output;
  const complaints = new TextDecoder().decode(stderr);
  assert(success && complaints === "", complaints);
  return new TextDecoder().decode(stdout);
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
