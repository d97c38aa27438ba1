/**
 * The lower end of the window: the pinned panel, the composer, a hint.
 *
 * @module
 */

import type { Snapshot } from "@kin/tasks-dag";
import {
  fit,
  type Frame,
  type PinnedPanelOptions,
  renderPinnedPanel,
  type Size,
} from "@kin/tasks-dag/ui";
import { type Composer, renderComposer } from "./composer.ts";

const HINT = "ctrl+o tasks · ctrl+t fold · ctrl+c leave";
const LEAST_ROWS = { hint: 8, rules: 12 };

/** Draws the composer with the panel above it, in no more than the window has. */
export function renderBottom(
  snapshot: Snapshot,
  composer: Composer,
  size: Size,
  options: PinnedPanelOptions,
): Frame {
  const { columns, rows } = size;
  const faint = (text: string): string => {
    const shown = fit(text, columns).text;
    return options.color ? `\x1b[2m${shown}\x1b[0m` : shown;
  };
  const hint = rows >= LEAST_ROWS.hint ? [faint(HINT)] : [];
  const rule = rows >= LEAST_ROWS.rules ? [faint("─".repeat(columns))] : [];
  const typed = renderComposer(composer, {
    columns,
    rows: rows - hint.length - 3 * rule.length,
  });
  const space = rule.map(() => "");
  const used = typed.lines.length + hint.length + 3 * rule.length;
  const panel = renderPinnedPanel(
    snapshot,
    { columns, rows: Math.min(rows - used, Math.ceil(rows / 2)) },
    options,
  );
  const above = [...space, ...panel, ...rule];
  const { row = 0, column = 0 } = typed.cursor ?? {};
  return {
    lines: [...above, ...typed.lines, ...rule, ...hint],
    cursor: { row: above.length + row, column },
  };
}
