/**
 * Findings as text.
 *
 * @module
 */

import { type Figure, type Series, targetOf, verdictOf } from "./figures.ts";

/** The figures against their targets, as an aligned table in Markdown. */
export function figureTable(figures: readonly Figure[]): string {
  const head = ["measure", "measured", "must", "aim", "", "ours", "other"];
  const rows = figures.map((figure) => {
    const target = targetOf(figure.measure);
    const suffix = figure.unit === "ms" ? " ms" : "";
    const value = figure.unit === "tokens"
      ? figure.value.toFixed(0)
      : round(figure.value);
    return [
      figure.measure,
      `${value}${suffix}`,
      target === undefined ? "" : `${target.is} ${target.must}${suffix}`,
      target === undefined ? "" : `${target.is} ${target.aim}${suffix}`,
      verdictOf(figure),
      detail(figure, "ours"),
      detail(figure, "other"),
    ];
  });
  return align([head, ...rows]);
}

function detail({ details }: Figure, side: "ours" | "other"): string {
  const microseconds = details[`${side}_us`];
  if (microseconds !== undefined) return `${round(microseconds)} µs`;
  const mebibytes = details[`${side}_mib`];
  return mebibytes === undefined ? "" : `${round(mebibytes)} MiB`;
}

/** Microseconds of one change, by contender and number of rows. */
export function seriesTable(
  series: readonly Series[],
  pace: Series["pace"],
): string {
  const columns = series.filter((each) => each.pace === pace);
  const names = Object.keys(columns[0]?.p50 ?? {});
  return align([
    [`µs, ${pace}`, ...columns.map(({ n }) => `n = ${n}`)],
    ...names.map((name) => [
      name,
      ...columns.map(({ p50 }) => round(p50[name]!)),
    ]),
  ]);
}

/** The number with as many digits as it deserves. */
export function round(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** Cells as a table in Markdown; all but the first column stand right. */
export function align(rows: readonly (readonly string[])[]): string {
  const head = rows[0] ?? [];
  const widths = head.map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]!.length))
  );
  const line = (row: readonly string[]): string =>
    `| ${
      row.map((cell, column) =>
        column === 0
          ? cell.padEnd(widths[column]!)
          : cell.padStart(widths[column]!)
      ).join(" | ")
    } |`;
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`
  );
  return [line(head), line(rule), ...rows.slice(1).map(line)].join("\n");
}
