/**
 * Moving through more lines than fit.
 *
 * @module
 */

import type { Key } from "./key.ts";

/** How far a key moves, in lines; negative is up, 0 is no movement. */
export function stepOf(key: Key, page: number): number {
  if (key.ctrl || key.meta) return 0;
  switch (key.name) {
    case "up":
    case "k":
      return -1;
    case "down":
    case "j":
      return 1;
    case "pageup":
      return -Math.max(page, 1);
    case "pagedown":
    case "space":
      return Math.max(page, 1);
    case "home":
      return -Infinity;
    case "end":
      return Infinity;
    default:
      return 0;
  }
}

/** The nearest number from 0 up to, but not including, `end`; 0 when there is none. */
export function clamp(value: number, end: number): number {
  return Math.max(Math.min(value, end - 1), 0);
}

/** The first line to show, so that `height` lines are filled if there are so many. */
export function clampTop(top: number, total: number, height: number): number {
  return clamp(top, total - height + 1);
}

/** The first line to show, so that the line `index` is seen and as little moves as can be. */
export function topShowing(
  index: number,
  top: number,
  total: number,
  height: number,
): number {
  const highest = index - Math.max(height, 1) + 1;
  return clampTop(Math.min(Math.max(top, highest), index), total, height);
}
