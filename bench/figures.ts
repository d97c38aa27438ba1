/**
 * What a bench finds, and what it should find.
 *
 * @module
 */

/** What a figure counts: a ratio within one run, milliseconds, or a model's tokens. */
export type Unit = "×" | "ms" | "tokens";

/** A figure that was measured. */
export interface Figure {
  readonly measure: string;
  readonly value: number;
  readonly unit: Unit;
  /** The absolute values behind it, in the unit that their names end with. */
  readonly details: Readonly<Record<string, number>>;
}

/** What a figure must be, and what it had better be. */
export interface Target {
  readonly is: "≤" | "≥";
  readonly must: number;
  readonly aim: number;
}

/** How a figure stands to its target. */
export type Verdict = "aim" | "ok" | "miss" | "–";

/** One round of contenders, for the chart and the table of peers. */
export interface Series {
  readonly pace: "hot" | "paced";
  readonly n: number;
  /** Microseconds of one change, by contender. */
  readonly p50: Readonly<Record<string, number>>;
  readonly p95: Readonly<Record<string, number>>;
}

/** What one bench found. */
export interface Findings {
  readonly figures: readonly Figure[];
  readonly series?: readonly Series[];
}

/** How much is measured. */
export interface Scale {
  /** A fraction of the usual time. */
  readonly isQuick: boolean;
}

/** The targets by measure. Peers have one for each of them but SQLite. */
export function targetOf(measure: string): Target | undefined {
  return /^(steno|lowdb|write-file-atomic.*) ÷ ours, paced, n = 100$/
      .test(measure)
    ? { is: "≥", must: 1, aim: 1.4 }
    : TARGETS[measure];
}

const TARGETS: Readonly<Record<string, Target>> = {
  "whole call ÷ floor, hot, n = 100": { is: "≤", must: 1.6, aim: 1.25 },
  "whole call ÷ floor, hot, n = 1000": { is: "≤", must: 1.5, aim: 1.25 },
  "whole call ÷ floor, hot, n = 10000": { is: "≤", must: 2.2, aim: 1.5 },
  "whole call ÷ floor, paced, n = 100": { is: "≤", must: 1.55, aim: 1.2 },
  "without the disk, n = 1000 ÷ n = 100": { is: "≤", must: 9, aim: 5 },
  "refused cycle, chain of 10000": { is: "≤", must: 5, aim: 1 },
  "session open ÷ empty worker's first reply": { is: "≤", must: 2.6, aim: 2 },
  "memory per session ÷ empty worker, 200": { is: "≤", must: 1.8, aim: 1.4 },
  "loading 1000 tasks ÷ JSON.parse": { is: "≤", must: 6, aim: 3 },
};

/** Compares a figure with its target. */
export function verdictOf({ measure, value }: Figure): Verdict {
  const target = targetOf(measure);
  if (target === undefined) return "–";
  const reaches = (bound: number): boolean =>
    target.is === "≤" ? value <= bound : value >= bound;
  return reaches(target.aim) ? "aim" : reaches(target.must) ? "ok" : "miss";
}
