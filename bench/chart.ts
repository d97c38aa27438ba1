/**
 * A picture of cost against the number of tasks, on two logarithmic axes.
 *
 * @module
 */

import type { Series } from "./figures.ts";

const WIDTH = 760;
const HEIGHT = 450;
const PLOT = { left: 62, right: 560, top: 88, bottom: 398 };
const LABEL_GAP = 17;

/** How a contender's line is drawn. */
interface Style {
  /** Its class in the style sheet. */
  readonly hue: "ours" | "floor" | "a" | "b" | "c" | "d";
  readonly isDashed?: boolean;
}

const STYLES: Readonly<Record<string, Style>> = {
  "tasks-dag": { hue: "ours" },
  "floor": { hue: "floor" },
  "floor, bytes ready": { hue: "floor", isDashed: true },
  "steno": { hue: "a" },
  "lowdb": { hue: "b" },
  "write-file-atomic, no fsync": { hue: "c" },
  "write-file-atomic": { hue: "c", isDashed: true },
  "sqlite WAL NORMAL": { hue: "d" },
  "sqlite WAL FULL": { hue: "d", isDashed: true },
};

/** The colours on a light and on a dark ground. */
const HUES: Readonly<Record<Style["hue"], readonly [string, string]>> = {
  ours: ["#0969da", "#58a6ff"],
  floor: ["#59636e", "#b1bac4"],
  a: ["#bc4c00", "#f0883e"],
  b: ["#8250df", "#bc8cff"],
  c: ["#bf3989", "#f778ba"],
  d: ["#1a7f37", "#3fb950"],
};

// Without variables, which not every renderer knows.
function colours(column: 0 | 1): string {
  return Object.entries(HUES).map(([hue, pair]) =>
    `.line.${hue}, .leader.${hue} { stroke: ${pair[column]} } ` +
    `.dot.${hue}, .label.${hue} { fill: ${pair[column]} }`
  ).join("\n    ");
}

const STYLE_SHEET = `
    text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #59636e }
    .card { fill: #ffffff; stroke: #d1d9e0 } .grid { stroke: #d1d9e0 }
    .title { font-size: 15px; font-weight: 600; fill: #1f2328 }
    .line { fill: none; stroke-width: 1.75; stroke-linejoin: round }
    .line.dashed { stroke-dasharray: 5 3 }
    .line.ours { stroke-width: 3.25 } .line.floor { stroke-width: 2.5 }
    .label.ours, .label.floor { font-weight: 600 }
    .leader { opacity: .5 }
    ${colours(0)}
    @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #f0f6fc }
    .card { fill: #0d1117; stroke: #3d444d } .grid { stroke: #3d444d }
    ${colours(1)}
    }`;

/** Draws the series of one pace; `machine` says where they were measured. */
export function drawChart(series: readonly Series[], machine: string): string {
  const columns = series.toSorted((a, b) => a.n - b.n);
  const values = columns.flatMap(({ p50 }) => Object.values(p50));
  if (values.length === 0) throw new RangeError("There is nothing to draw");
  const x = logScale(columns.map(({ n }) => n), PLOT.left, PLOT.right);
  const y = logScale(values, PLOT.bottom, PLOT.top);
  const lines = Object.keys(columns[0]!.p50).map((name) => ({
    name,
    style: STYLES[name] ?? { hue: "floor" as const },
    points: columns.map(({ n, p50 }) => ({ x: x(n), y: y(p50[name]!) })),
  }));
  const labelAt = spread(lines.map(({ points }) => points.at(-1)!.y));
  // Ours comes last, on top of the others.
  const order = lines.map((_, i) => i).sort((a, b) =>
    Number(lines[a]!.style.hue === "ours") -
    Number(lines[b]!.style.hue === "ours")
  );
  const parts = [
    ...gridOf(columns, values, x, y),
    ...order.map((i) => drawLine(lines[i]!, labelAt[i]!)),
  ];
  const pace = columns[0]!.pace === "paced" ? "paced like an agent" : "hot";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
  <title>Median time of one durable change, by number of tasks</title>
  <style>${STYLE_SHEET}
  </style>
  <rect class="card" x=".5" y=".5" width="${WIDTH - 1}" height="${
    HEIGHT - 1
  }" rx="6"/>
  <text class="title" x="20" y="29">Median time of one durable change, ${pace}</text>
  <text x="20" y="48">from the host's call to its answer, snapshot included · both axes logarithmic · lower is better</text>
${parts.map((part) => `  ${part}`).join("\n")}
  <text x="20" y="${HEIGHT - 14}">${escapeText(machine)}</text>
</svg>
`;
}

type Scale = (value: number) => number;

function logScale(values: readonly number[], from: number, to: number): Scale {
  const low = Math.log10(Math.min(...values));
  const span = Math.log10(Math.max(...values)) - low || 1;
  return (value) => from + (to - from) * (Math.log10(value) - low) / span;
}

function gridOf(
  columns: readonly Series[],
  values: readonly number[],
  x: Scale,
  y: Scale,
): string[] {
  const parts: string[] = [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++) {
    for (const step of [1, 2, 5]) {
      const value = step * 10 ** power;
      if (value < low || value > high) continue;
      const at = fixed(y(value));
      parts.push(
        `<path class="grid" d="M${PLOT.left} ${at}H${PLOT.right}"/>`,
        `<text x="${PLOT.left - 8}" y="${at}" dy="4" text-anchor="end">${
          durationText(value)
        }</text>`,
      );
    }
  }
  for (const { n } of columns) {
    const name = `${n.toLocaleString("en").replaceAll(",", " ")}${
      n === columns[0]!.n ? " tasks" : ""
    }`;
    parts.push(
      `<text x="${fixed(x(n))}" y="${
        PLOT.bottom + 18
      }" text-anchor="middle">${name}</text>`,
    );
  }
  return parts;
}

function drawLine(
  { name, style, points }: {
    readonly name: string;
    readonly style: Style;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  },
  labelAt: number,
): string {
  const path = points.map(({ x, y }) => `${fixed(x)} ${fixed(y)}`).join("L");
  const end = points.at(-1)!;
  const { hue, isDashed = false } = style;
  return [
    `<path class="line ${hue}${isDashed ? " dashed" : ""}" d="M${path}"/>`,
    ...points.map(({ x, y }) =>
      `<circle class="dot ${hue}" cx="${fixed(x)}" cy="${fixed(y)}" r="${
        hue === "ours" ? 4 : 2.75
      }"/>`
    ),
    `<path class="leader ${hue}" d="M${fixed(end.x + 6)} ${fixed(end.y)}L${
      fixed(end.x + 20)
    } ${fixed(labelAt)}"/>`,
    `<text class="label ${hue}" x="${fixed(end.x + 24)}" y="${
      fixed(labelAt)
    }" dy="4">${escapeText(name)}</text>`,
  ].join("");
}

/** Heights near the wanted ones, in their order, of which no two are closer than a label. */
function spread(wanted: readonly number[]): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]!);
  const placed = [...wanted];
  for (let pass = 0; pass < 100; pass++) {
    for (let i = 1; i < order.length; i++) {
      const [above, below] = [order[i - 1]!, order[i]!];
      const lack = LABEL_GAP - (placed[below]! - placed[above]!);
      if (lack <= 0) continue;
      placed[above]! -= lack / 2;
      placed[below]! += lack / 2;
    }
  }
  return placed;
}

function durationText(microseconds: number): string {
  return microseconds < 1_000
    ? `${microseconds} µs`
    : `${microseconds / 1_000} ms`;
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
