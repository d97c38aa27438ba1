/**
 * Frames as text files that a person can read. Run this file to draw them
 * again after the views were changed on purpose:
 * `deno run --allow-read --allow-write=tests/testdata tests/ui/golden_frames.ts`.
 *
 * @module
 */

import {
  renderAgentPanel,
  renderPinnedPanel,
  renderTaskModal,
} from "@kin/tasks-dag/ui";
import { GRAPHS, idOf } from "./graphs.ts";

const COLUMNS = [120, 80, 40, 20, 10, 1, 0];
const ROWS = 16;

/** Where the frames of a graph are kept. */
export function frameFile(name: string, color: boolean): URL {
  const suffix = color ? ".color.txt" : ".txt";
  return new URL(`../testdata/ui/${name}${suffix}`, import.meta.url);
}

/** Every view of a graph at every width; colour is spelt `‹2›`. */
export function drawFrames(name: string, color: boolean): string {
  const { snapshot, selected } = GRAPHS[name]!;
  const id = idOf(selected);
  const parts = COLUMNS.flatMap((columns) => {
    const size = { columns, rows: ROWS };
    const options = { color };
    const views = {
      "pinned panel": renderPinnedPanel(snapshot, size, options),
      "pinned panel, collapsed": renderPinnedPanel(snapshot, size, {
        color,
        collapsed: true,
      }),
      "agent panel": renderAgentPanel(
        snapshot,
        { selectedId: id },
        size,
        options,
      ),
      "task modal": renderTaskModal(snapshot, { taskId: id }, size, options),
    };
    return Object.entries(views).map(([view, lines]) =>
      [`# ${view}, ${columns} columns: ${lines.length} lines`, ...lines, ""]
        .join("\n")
    );
  });
  // deno-lint-ignore no-control-regex -- escape codes are made readable
  return parts.join("\n").replace(/\x1b\[([\d;]*)m/g, "‹$1›");
}

if (import.meta.main) {
  for (const name of Object.keys(GRAPHS)) {
    for (const color of [false, true]) {
      await Deno.writeTextFile(
        frameFile(name, color),
        drawFrames(name, color),
      );
    }
  }
}
