/**
 * The rows that everything is measured on, and the changes that are made to them.
 *
 * @module
 */

import { createRandom } from "./statistics.ts";

/** A row as the sidecar holds it. */
export interface Row {
  readonly id: string;
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly blockedBy?: readonly string[];
  readonly completed_at?: number;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A change to one row, as a host asks for it. */
export interface Change {
  readonly id: string;
  readonly content?: string;
  readonly status?: "in_progress";
}

const WORDS =
  "parse the config before workers start and log every failed retry "
    .repeat(5);

/** Rows of about 340 bytes: a third is completed, a third blocked by one or two others. */
export function createRows(count: number): Row[] {
  const random = createRandom(count);
  const now = Date.now();
  const rows: Row[] = [];
  for (let i = 0; i < count; i++) {
    const suffix = Math.floor(random() * 0x10000).toString(16).padStart(4, "0");
    const pick = (): string => rows[Math.floor(random() * i)]!.id;
    rows.push({
      id: `t_${now - count + i}_${suffix}`,
      content: contentOf(`Task ${i}:`, 180 + Math.floor(random() * 51)),
      status: (["completed", "in_progress", "pending"] as const)[i % 3]!,
      ...(i % 3 === 2 && { blockedBy: [...new Set([pick(), pick()])] }),
      ...(i % 3 === 0 && { completed_at: now }),
      created_at: now,
      updated_at: now,
    });
  }
  return rows;
}

/** Rows of which each is blocked by the one before it. */
export function createChain(count: number): Row[] {
  const rows = createRows(count);
  return rows.map((row, i) => ({
    ...row,
    blockedBy: i === 0 ? [] : [rows[i - 1]!.id],
  }));
}

function contentOf(start: string, length: number): string {
  return `${start} ${WORDS}`.slice(0, length);
}

/**
 * The change number `turn`. Each of them really changes a row: it is a new
 * content of the old length, or else a sign of life.
 */
export function changeOf(rows: readonly Row[], turn: number): Change {
  let at = (turn * 7919) % rows.length;
  // Completed rows stay what they are, so that the file keeps its size.
  if (at % 3 === 0) at = at + 1 < rows.length ? at + 1 : at - 1;
  const { id, content } = rows[at]!;
  return turn % 2 === 0
    ? { id, content: contentOf(`Change ${turn}:`, content.length) }
    : { id, status: "in_progress" };
}

/** The text of a sidecar with these rows. */
export function sidecarOf(sessionId: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => JSON.stringify(row)).join(",\n");
  return `{"version":1,"session_id":${
    JSON.stringify(sessionId)
  },"revision":1,` +
    `"tasks":[\n${lines}\n]}\n`;
}
