/**
 * `graph`: the tasks and their edges as a picture, or as a tree of text.
 *
 * @module
 */

import type { Snapshot } from "../../../mod.ts";
import { toDot, toMermaid } from "../../diagram/mod.ts";
import { type Command, EXIT, type Input, UsageError } from "../command.ts";
import type { Page } from "../output.ts";
import { viewSession } from "../session_choice.ts";
import { jsonLine } from "../texts.ts";
import { treeLines } from "../tree_lines.ts";

const FORMATS = ["text", "mermaid", "dot"] as const;
type Format = typeof FORMATS[number];

const PIPE: Page = { color: false };

/** Prints the graph. */
export const GRAPH: Command = {
  name: "graph",
  positionals: [],
  summary: "the tasks and what comes before what, as a tree or a picture",
  options: {
    format: {
      value: "format",
      help: FORMATS.join(", "),
    },
  },
  notes: [
    "In the tree the tasks that come first stand below the one that waits for",
    "them. JSON: {sessionId, revision, format, graph}, where graph is the text.",
  ],
  async run(input): Promise<number> {
    const format = formatOf(input);
    const { output } = input;
    const { sessionId, revision, snapshot } = await viewSession(input);
    if (input.flag("json")) {
      const graph = draw(snapshot, format, PIPE).join("\n");
      output.print([jsonLine({ sessionId, revision, format, graph })]);
    } else {
      output.print(draw(snapshot, format, output.page));
    }
    return EXIT.done;
  },
};

function formatOf(input: Input): Format {
  const given = input.text("format") ?? "text";
  const format = FORMATS.find((format) => format === given);
  if (format !== undefined) return format;
  throw new UsageError(
    `"${given}" is no format. Take one of ${FORMATS.join(", ")}.`,
  );
}

function draw(snapshot: Snapshot, format: Format, page: Page): string[] {
  switch (format) {
    case "text":
      return treeLines(snapshot, page);
    case "mermaid":
      return linesOf(toMermaid(snapshot));
    case "dot":
      return linesOf(toDot(snapshot));
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
