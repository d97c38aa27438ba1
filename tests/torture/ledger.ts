import type { StoredRow } from "../support/sidecar.ts";
import type { Report } from "./report.ts";
import { type Change, isRow, type Row, rowAfter } from "./row.ts";

/** A call that was sent and may or may not have been carried out. */
interface OpenCall {
  readonly n: number;
  readonly call: Change;
}

/** What is known of the tasks of one host, which nobody else changes. */
interface Lane {
  /** The tasks as they were last answered, in the order of their adds. */
  readonly rows: Map<string, Row>;
  /** What was sent and not answered, in the order of sending. */
  open: OpenCall[];
}

/** Answers after which nobody knows whether the call was carried out. */
const UNKNOWN_OUTCOMES = ["timeout", "worker_crashed"];

/**
 * What several hosts of one session were answered, each in a lane of its own: the
 * contents of its tasks begin with the lane's name. It tells what a sidecar lacks.
 */
export class Ledger {
  readonly #lanes = new Map<string, Lane>();
  /** What went wrong before a sidecar was even looked at. */
  readonly #problems: string[] = [];
  /** How many changes were answered. */
  answered = 0;
  /** How often each code was answered. */
  readonly refusals = new Map<string, number>();

  /** Takes a report of the host of this lane. */
  take(name: string, report: Report): void {
    const lane = this.#lane(name);
    switch (report.kind) {
      case "opened":
        if (report.warnings.length === 0) return;
        this.#problems.push(`${name} was warned: ${report.warnings}`);
        return;
      case "sent":
        lane.open.push(report);
        return;
      case "answered":
        return this.#answer(name, lane, report);
      case "refused": {
        const { n, code } = report;
        this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
        if (UNKNOWN_OUTCOMES.includes(code)) return;
        lane.open = lane.open.filter((open) => open.n !== n);
      }
    }
  }

  /**
   * What is wrong with these rows of a sidecar: what was answered and is not
   * there, what is there twice, what nobody has asked for.
   */
  problems(
    rows: readonly StoredRow[],
    names: Iterable<string> = this.#lanes.keys(),
  ): string[] {
    const problems = [...this.#problems];
    const contents = new Set(rows.map(({ content }) => content));
    if (contents.size !== rows.length) {
      problems.push(`${rows.length - contents.size} tasks are there twice`);
    }
    for (const name of names) {
      const own = rows.filter((row) => laneOf(row) === name);
      problems.push(...this.#problemsOf(name, this.#lane(name), own));
    }
    return problems;
  }

  /** Takes what a dead host has left for what is so, whether it was answered or not. */
  settle(name: string, rows: readonly StoredRow[]): void {
    const lane = this.#lane(name);
    lane.open = [];
    lane.rows.clear();
    for (const row of rows) {
      if (laneOf(row) === name) lane.rows.set(row.id, row);
    }
  }

  #lane(name: string): Lane {
    const lane = this.#lanes.get(name) ?? { rows: new Map(), open: [] };
    this.#lanes.set(name, lane);
    return lane;
  }

  #answer(
    name: string,
    lane: Lane,
    { n, task }: Report & { readonly kind: "answered" },
  ): void {
    const { call } = lane.open.find((open) => open.n === n)!;
    const before = lane.open.filter((open) => open.n < n);
    const expected = outcomes(lane.rows.get(task.id), touching(task.id, before))
      .map((row) => rowAfter(row, call));
    if (!expected.some((row) => isRow(task, row))) {
      this.#problems.push(
        `${name} was answered ${show(task)} to ${show(call)}, not ${
          show(expected)
        }`,
      );
    }
    lane.rows.set(task.id, task);
    const done = new Set(touching(task.id, before));
    lane.open = lane.open.filter((open) => open.n !== n && !done.has(open));
    this.answered++;
  }

  #problemsOf(
    name: string,
    { rows: answered, open }: Lane,
    own: readonly StoredRow[],
  ): string[] {
    const problems: string[] = [];
    const stored = new Map(own.map((row) => [row.id, row]));
    const order = own.map(({ id }) => id).filter((id) => answered.has(id));
    for (const [id, row] of answered) {
      const actual = stored.get(id);
      const expected = outcomes(row, touching(id, open));
      if (actual === undefined) {
        problems.push(`${name} lacks ${show(row)}`);
      } else if (!expected.some((row) => isRow(actual, row))) {
        problems.push(`${name} has ${show(actual)}, not ${show(expected)}`);
      }
    }
    if (problems.length === 0 && `${order}` !== `${[...answered.keys()]}`) {
      problems.push(`${name} has its tasks in another order`);
    }
    for (const row of own) {
      if (answered.has(row.id)) continue;
      const isAsked = open.some(({ call }) =>
        isRow(row, rowAfter(undefined, call))
      );
      if (!isAsked) problems.push(`${name} has never asked for ${show(row)}`);
    }
    return problems;
  }
}

/** The lane that a task belongs to. */
export function laneOf({ content }: Row): string {
  return content.slice(0, content.indexOf(" "));
}

/** The calls that change this task. */
function touching(id: string, calls: readonly OpenCall[]): OpenCall[] {
  return calls.filter(({ call }) => call.action !== "add" && call.id === id);
}

/** What the row may be after these calls, each of which was carried out or not. */
function outcomes(
  row: Row | undefined,
  calls: readonly OpenCall[],
): (Row | undefined)[] {
  return calls.reduce(
    (rows, { call }) => [...rows, ...rows.map((row) => rowAfter(row, call))],
    [row],
  );
}

function show(value: unknown): string {
  return JSON.stringify(value).slice(0, 500);
}
