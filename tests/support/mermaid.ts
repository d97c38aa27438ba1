/**
 * Mermaid itself, reading flowcharts.
 *
 * @module
 */

import { assert } from "@std/assert";
import { installDocument, parseHtml } from "./dom.ts";
import { type Drawn, type DrawnBox, sorted } from "./drawn.ts";

// It looks for a document when it is loaded.
installDocument();
const { default: mermaid } = await import("npm:mermaid@12.3.0");
mermaid.initialize({ startOnLoad: false });

/** What mermaid's database of a flowchart holds, as far as it matters here. */
interface FlowchartDb {
  getVertices(): ReadonlyMap<string, Vertex>;
  getEdges(): readonly Edge[];
}

interface Vertex {
  readonly id: string;
  readonly text: string;
  readonly classes: readonly string[];
}

interface Edge {
  readonly start: string;
  readonly end: string;
  readonly text: string;
  readonly stroke: string;
}

function assertIsFlowchart(db: object): asserts db is FlowchartDb {
  assert("getVertices" in db && "getEdges" in db, "It is not a flowchart.");
}

/** What mermaid's parser finds in a flowchart. It throws when it finds an error. */
export async function parseMermaid(text: string): Promise<Drawn> {
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  assertIsFlowchart(db);
  const boxes = Array.from(db.getVertices().values(), boxOf);
  const arrows = db.getEdges().map((edge) => {
    assert(edge.text === "", `An arrow says ${edge.text}`);
    return {
      from: edge.start,
      to: edge.end,
      isDashed: edge.stroke === "dotted",
    };
  });
  return sorted({ boxes, arrows });
}

function boxOf({ id, text, classes }: Vertex): DrawnBox {
  const lines = text.split("<br>").map((line) =>
    withoutZeroWidth(decode(line))
  );
  return { name: id, classes, lines };
}

/** Mermaid holds a character code between marks of its own until it draws. */
function decode(text: string): string {
  return text.replace(
    /ﬂ°°(\d+)¶ß/g,
    (_, code) => String.fromCodePoint(Number(code)),
  );
}

/** The text without what a flowchart puts into it to keep it from meaning anything. */
function withoutZeroWidth(text: string): string {
  return text.replaceAll("\u200b", "");
}

/** The boxes that mermaid draws of a flowchart, with the text as people see it. */
export async function drawMermaid(text: string): Promise<readonly DrawnBox[]> {
  const { svg } = await mermaid.render("picture", text);
  const boxes = [...parseHtml(svg).querySelectorAll("g.node")].map((node) => {
    const [, name = ""] = node.id.match(/^picture-flowchart-(n\d+)-\d+$/) ?? [];
    const label = node.querySelector(".nodeLabel");
    assert(label !== null, `The box ${node.id} has no label.`);
    const breaks = label.querySelectorAll("br");
    breaks.forEach((element) => element.replaceWith("\n"));
    const classes = [...node.classList].filter((name) =>
      name !== "node" && name !== "default"
    );
    const lines = (label.textContent ?? "").split("\n").map(withoutZeroWidth);
    return { name, classes, lines };
  });
  return sorted({ boxes, arrows: [] }).boxes;
}
