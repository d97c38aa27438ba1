/**
 * Sessions as lines.
 *
 * @module
 */

import type { SessionFile, SidecarReading } from "../sidecar/mod.ts";
import { fit } from "../ui/mod.ts";
import { paintWith } from "../ui/paint.ts";
import { stamp } from "../ui/task_details.ts";
import type { Page } from "./output.ts";
import { tabbed, timeText } from "./texts.ts";

/** A session, and how far it got. */
export interface SessionSummary extends SessionFile {
  /** What its file turned out to be. */
  readonly kind: SidecarReading["kind"];
  /** How many tasks are pending or in progress, where the file can be used. */
  readonly open?: number;
  /** How many tasks are completed, where the file can be used. */
  readonly completed?: number;
}

/** The sessions, one line each. */
export function sessionLines(
  sessions: readonly SessionSummary[],
  page: Page,
): string[] {
  const { columns } = page;
  if (columns === undefined) return sessions.map(plainLine);
  const rows = sessions.map((session) => ({
    id: session.sessionId,
    state: stateOf(session),
    time: stamp(session.modifiedAt),
  }));
  const idColumns = Math.max(...rows.map(({ id }) => id.length));
  const stateColumns = Math.max(...rows.map(({ state }) => state.length));
  const paint = paintWith(page.color);
  return rows.map(({ id, state, time }) => {
    const start = `${id.padEnd(idColumns)}  ${state.padEnd(stateColumns)}`;
    const shown = fit(start, columns);
    const rest = fit(`  ${time}`, columns - shown.cells);
    return shown.text + paint("faint", rest.text);
  });
}

function plainLine(session: SessionSummary): string {
  const { sessionId, modifiedAt, path, open = "-", completed = "-" } = session;
  return tabbed([sessionId, timeText(modifiedAt), open, completed, path]);
}

function stateOf({ kind, open, completed }: SessionSummary): string {
  switch (kind) {
    case "sidecar":
      return `${open} open · ${completed} completed`;
    case "missing":
      return "gone";
    case "corrupt":
      return "damaged, see tasks check";
    case "refused":
      return "unusable, see tasks check";
  }
}
