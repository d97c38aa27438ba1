/**
 * How boxes look: the same in every language.
 *
 * @module
 */

import type { BoxState } from "./picture.ts";

/** The look of a box. */
export interface Look {
  readonly fill: string;
  readonly border: string;
  readonly text: string;
  readonly isDashed: boolean;
}

/** The look of each kind of box. */
export const LOOKS: Readonly<Record<BoxState, Look>> = {
  pending: look("#f6f8fa", "#57606a", "#1f2328"),
  in_progress: look("#ddf4ff", "#0969da", "#0a3069"),
  completed: look("#dafbe1", "#1a7f37", "#0f5323"),
  deleted: { ...look("#ffffff", "#afb8c1", "#6e7781"), isDashed: true },
  missing: { ...look("#ffebe9", "#cf222e", "#82071e"), isDashed: true },
};

/** The border of a box whose task is held back, whatever its status. */
export const BLOCKED_BORDER = "#bc4c00";

/** The color of arrows. */
export const ARROW = "#57606a";

/** The color of arrows from blockers that hold nobody back any more, on light and dark pages. */
export const DONE_ARROW = "#8c959f";

function look(fill: string, border: string, text: string): Look {
  return { fill, border, text, isDashed: false };
}
