/**
 * `deno task bench`: what this package costs, against the disk and against peers.
 *
 * Every figure is a ratio within one run, so that it holds on another machine.
 *
 * - `--quick` takes a fraction of the time, and leaves the largest graphs out
 * - `--only=calls,cycle` runs these alone
 * - `--json` prints everything as JSON
 * - `--svg=<path>` draws the cost against the number of tasks
 *
 * @module
 */

// deno-lint-ignore-file no-console
import { benchCalls } from "./calls.ts";
import { drawChart } from "./chart.ts";
import { benchCycle } from "./cycle.ts";
import type { Figure, Findings, Scale, Series } from "./figures.ts";
import { targetOf, verdictOf } from "./figures.ts";
import { benchLoading } from "./loading.ts";
import { describeMachine, machineLine, watchOthers } from "./machine.ts";
import { benchMany, benchMemory } from "./many.ts";
import { benchNoDisk } from "./no_disk.ts";
import { benchOpening } from "./opening.ts";
import { figureTable, seriesTable } from "./table.ts";
import { benchTokens } from "./tokens.ts";

type Bench = (scale: Scale) => Promise<Findings> | Findings;

const BENCHES: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  // What is timed in this process comes before what warms it up for other things.
  ["loading", benchLoading],
  ["cycle", benchCycle],
  ["opening", benchOpening],
  ["no-disk", benchNoDisk],
  ["calls", benchCalls],
  ["tokens", benchTokens],
  ["memory", benchMemory],
  ["many", benchMany],
]);

interface Flags {
  readonly isQuick: boolean;
  readonly isJson: boolean;
  readonly only: readonly string[];
  readonly svg: string | undefined;
}

function parseFlags(args: readonly string[]): Flags {
  const legal = /^--(quick|json|only=.+|svg=.+)$/;
  const odd = args.find((arg) => !legal.test(arg));
  const valueOf = (name: string): string | undefined =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const only = valueOf("only")?.split(",") ?? [...BENCHES.keys()];
  const unknown = odd ?? only.find((name) => !BENCHES.has(name));
  if (unknown !== undefined) {
    const names = [...BENCHES.keys()].join(",");
    console.error(
      `Cannot read "${unknown}". Known are --quick, --json, --svg=<path>, --only=${names}`,
    );
    Deno.exit(2);
  }
  return {
    isQuick: args.includes("--quick"),
    isJson: args.includes("--json"),
    only,
    svg: valueOf("svg"),
  };
}

async function main({ isQuick, isJson, only, svg }: Flags): Promise<void> {
  const machine = await describeMachine();
  const shareOfOthers = await watchOthers();
  const figures: Figure[] = [];
  const series: Series[] = [];
  for (const name of only) {
    const startedAt = performance.now();
    const found = await BENCHES.get(name)!({ isQuick });
    const seconds = (performance.now() - startedAt) / 1_000;
    console.error(`${name}: ${seconds.toFixed(1)} s`);
    figures.push(...found.figures);
    series.push(...found.series ?? []);
  }
  const others = await shareOfOthers();
  const paced = series.filter(({ pace }) => pace === "paced");
  if (svg !== undefined && paced.length > 0) {
    await Deno.writeTextFile(svg, drawChart(paced, machineLine(machine)));
  }
  if (isJson) {
    const judged = figures.map((figure) => ({
      ...figure,
      target: targetOf(figure.measure),
      verdict: verdictOf(figure),
    }));
    console.log(
      JSON.stringify({ machine, others, figures: judged, series }, null, 2),
    );
    return;
  }
  const isShown = ({ measure }: Figure): boolean =>
    targetOf(measure) !== undefined || !measure.includes(" ÷ ours, ");
  console.log(figureTable(figures.filter(isShown)));
  for (const pace of ["hot", "paced"] as const) {
    if (series.length > 0) console.log(`\n${seriesTable(series, pace)}`);
  }
  console.log(`\n${machineLine(machine)}`);
  if (others !== undefined) {
    const percent = Math.round(others * 100);
    console.log(`Other processes took ${percent} % of the machine meanwhile.`);
  }
}

if (import.meta.main) await main(parseFlags(Deno.args));
