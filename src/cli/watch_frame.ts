/**
 * What `watch` draws, and what keys do to it.
 *
 * @module
 */

import type { Snapshot } from "../../mod.ts";
import {
  agentPanelKey,
  type AgentPanelView,
  createAgentPanelView,
  fit,
  type Frame,
  type Key,
  renderAgentPanel,
  renderPinnedPanel,
  type Size,
} from "../ui/mod.ts";
import { paintWith } from "../ui/paint.ts";

/** What there is to see. */
export interface Watched {
  readonly sessionId: string;
  /** The newest graph that could be read. */
  readonly snapshot: Snapshot;
  readonly revision: number;
  /** What is wrong with the file now, if anything. */
  readonly problem?: string | undefined;
}

/** Where somebody is: plain data, changed by {@linkcode watchKey}. */
export interface WatchView {
  /** Whether the pinned panel is what is seen first, and gone back to. */
  readonly isPinned: boolean;
  /** The agent panel, when it is open. */
  readonly panel?: AgentPanelView | undefined;
}

/** The view that `watch` starts with. */
export function createWatchView(
  snapshot: Snapshot,
  isPinned: boolean,
): WatchView {
  return {
    isPinned,
    panel: isPinned ? undefined : createAgentPanelView(snapshot),
  };
}

/** Draws the view, with a line below that says whose tasks these are. */
export function watchFrame(
  watched: Watched,
  { panel }: WatchView,
  size: Size,
  color: boolean,
): Frame {
  const { snapshot } = watched;
  const status = statusLine(watched, size.columns, color);
  const room = roomIn(size);
  if (panel === undefined) {
    const lines = renderPinnedPanel(snapshot, room, { color });
    const shown = lines.length > 0 ? lines : nothingOpen(room);
    return { lines: [...shown, status] };
  }
  const lines = renderAgentPanel(snapshot, panel, room, { color });
  const space = Array.from({ length: room.rows - lines.length }, () => "");
  return { lines: [...lines, ...space, status], fullScreen: true };
}

/** The view after a key press, or `undefined` when `watch` was left. */
export function watchKey(
  view: WatchView,
  key: Key,
  snapshot: Snapshot,
  size: Size,
): WatchView | undefined {
  if (key.ctrl && key.name === "c") return undefined;
  const { isPinned, panel } = view;
  if (panel !== undefined) {
    const next = agentPanelKey(panel, key, snapshot, roomIn(size));
    return next === undefined && !isPinned
      ? undefined
      : { isPinned, panel: next };
  }
  switch (key.name) {
    case "q":
    case "escape":
      return undefined;
    case "o":
    case "return":
    case "enter":
      return { isPinned, panel: createAgentPanelView(snapshot) };
    default:
      return view;
  }
}

/** What is left for the panel. */
function roomIn({ columns, rows }: Size): Size {
  return { columns, rows: Math.max(rows - 1, 0) };
}

function nothingOpen({ columns, rows }: Size): string[] {
  return rows > 0 ? [fit("Nothing is open.", columns).text] : [];
}

function statusLine(
  { sessionId, revision, problem }: Watched,
  columns: number,
  color: boolean,
): string {
  const paint = paintWith(color);
  if (problem !== undefined) {
    return paint("waiting", fit(problem, columns).text);
  }
  const text = `${sessionId} · revision ${revision}`;
  return paint("faint", fit(text, columns).text);
}
