/**
 * Draws the pictures of the views, from what the views return, and the one of
 * a graph, with Graphviz.
 *
 *   deno run --allow-write=docs --allow-run=dot docs/draw_pictures.ts && deno fmt docs
 *
 * @module
 */

import { toDot } from "@kin/tasks-dag/diagram";
import {
  fit,
  renderAgentPanel,
  renderTaskModal,
  type Size,
  type Snapshot,
  type Task,
} from "@kin/tasks-dag/ui";
import { renderBottom } from "../examples/terminal_agent/bottom.ts";

const CELL = { width: 8.4, height: 17 };
const MARGIN = 20;
const BASELINE = 13;
// deno-lint-ignore no-control-regex -- escape codes are what it reads
const SGR_OR_TEXT = /\x1b\[([\d;]*)m|([^\x1b]+)/g;
const WIDE_OR_NOT = /[\u3000-\u9fff]|[^\u3000-\u9fff]+/g;
const COLORS: Readonly<Record<string, string>> = {
  "32": "#8ccf7e",
  "33": "#e5c76b",
  "36": "#6cbfbf",
};

function task(number: number, fields: Omit<Task, "id">): Task {
  return { id: idOf(number), ...fields };
}

function idOf(number: number): string {
  const random = (0x9f3c + number * 2731) % 0x10000;
  const stamp = 1720599990000 + number * 4321;
  return `t_${stamp}_${random.toString(16).padStart(4, "0")}`;
}

const tasks: readonly Task[] = [
  task(1, {
    content: "Read the old schema",
    status: "completed",
    completed_at: 1720600000000,
  }),
  task(2, {
    content: "Provision the dev DB",
    active_form: "Provisioning the dev DB",
    status: "in_progress",
    blockedBy: [idOf(1)],
  }),
  task(3, {
    content: "Seed fixtures",
    status: "pending",
    blockedBy: [idOf(2)],
  }),
  task(4, {
    content: "Write the migration",
    status: "pending",
    blockedBy: [idOf(1)],
  }),
  task(5, { content: "Buy a bigger machine", status: "deleted" }),
  task(6, {
    content: "Smoke test the release candidate",
    status: "pending",
    blockedBy: [idOf(3), idOf(4), idOf(1)],
  }),
  task(7, { content: "Translate the notes: 発表", status: "pending" }),
  task(8, {
    content: "Announce it",
    status: "pending",
    blockedBy: [idOf(6), idOf(7)],
  }),
  task(9, { content: "Archive the logs", status: "pending" }),
];
const snapshot: Snapshot = {
  tasks: tasks.map((task) => {
    const blocks = tasks.filter((other) => other.blockedBy?.includes(task.id))
      .map((other) => other.id);
    return blocks.length > 0 ? { ...task, blocks } : task;
  }),
};

/** Turns lines with SGR codes into a picture of a terminal. */
function pictureOf(lines: readonly string[], columns: number): string {
  const width = columns * CELL.width + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  const runs = lines.flatMap((line, row) => runsOf(line, row));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" rx="10" fill="#141b1e"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="14" fill="#dadada" xml:space="preserve">`,
    ...runs,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function runsOf(line: string, row: number): string[] {
  const runs: string[] = [];
  let column = 0;
  let codes: readonly string[] = [];
  for (
    const [, sgr, text] of line.matchAll(SGR_OR_TEXT)
  ) {
    if (text === undefined) {
      codes = (sgr ?? "").split(";");
      continue;
    }
    // Fonts differ in how wide their wide characters are: place each by itself.
    for (const piece of text.match(WIDE_OR_NOT) ?? []) {
      const { cells } = fit(piece, 1000);
      if (piece.trim() !== "") {
        runs.push(runOf(piece, cells, row, column, codes));
      }
      column += cells;
    }
  }
  return runs;
}

function runOf(
  text: string,
  cells: number,
  row: number,
  column: number,
  codes: readonly string[],
): string {
  const lead = text.length - text.trimStart().length;
  const x = MARGIN + (column + lead) * CELL.width;
  const y = MARGIN + row * CELL.height + BASELINE;
  const length = (cells - lead - (text.length - text.trimEnd().length)) *
    CELL.width;
  const style = codes.flatMap((code) => {
    if (code === "1") return ['font-weight="700"'];
    if (code === "2") return ['opacity="0.55"'];
    if (code === "9") return ['text-decoration="line-through"'];
    const color = COLORS[code];
    return color === undefined ? [] : [`fill="${color}"`];
  });
  const shape = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${
    length.toFixed(1)
  }"`;
  return `<text ${[shape, ...style].join(" ")}>${escape(text.trim())}</text>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const size: Size = { columns: 80, rows: 24 };
const options = { color: true };
const composer = { before: "done 2", after: "" };
const pictures = {
  pinned_panel: renderBottom(snapshot, composer, size, options).lines.slice(1),
  agent_panel: renderAgentPanel(
    snapshot,
    { selectedId: idOf(6) },
    size,
    options,
  ),
  task_modal: renderTaskModal(snapshot, { taskId: idOf(8) }, size, options),
};
for (const [name, lines] of Object.entries(pictures)) {
  const file = new URL(`./${name}.svg`, import.meta.url);
  await Deno.writeTextFile(file, pictureOf(lines, size.columns));
}
const dot = new Deno.Command("dot", {
  args: ["-Tsvg", "-o", new URL("./diagram.svg", import.meta.url).pathname],
  stdin: "piped",
}).spawn();
await new Blob([toDot(snapshot)]).stream().pipeTo(dot.stdin);
await dot.status;
