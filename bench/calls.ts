/**
 * What a mutation costs, from the host's call to its answer: ours against the
 * floor and against peers, for growing graphs, back to back and paced.
 *
 * @module
 */

import { floor, ours, peers } from "./contenders.ts";
import type { Figure, Findings, Scale, Series } from "./figures.ts";
import { type RoundOptions, runRounds, type Samples } from "./rounds.ts";
import { p50, percentile } from "./statistics.ts";

/** An agent's pause between two calls, shortened to what a bench can wait for. */
const IDLE_MS = 3;

/** Changes before the timing, rounds, and changes in a turn, by the number of rows. */
const PLANS: readonly { n: number; warmUp: number; rounds: number }[] = [
  { n: 10, warmUp: 500, rounds: 40 },
  { n: 100, warmUp: 500, rounds: 60 },
  { n: 1_000, warmUp: 150, rounds: 25 },
  { n: 10_000, warmUp: 10, rounds: 10 },
];

/** Times whole calls. */
export async function benchCalls({ isQuick }: Scale): Promise<Findings> {
  const series: Series[] = [];
  for (const plan of PLANS) {
    if (isQuick && plan.n === 10_000) continue;
    const share = isQuick ? 0.2 : 1;
    const options: Omit<RoundOptions, "turn" | "idleMs"> = {
      n: plan.n,
      rounds: Math.ceil(plan.rounds * share),
      warmUp: Math.ceil(plan.warmUp * share),
    };
    const [hot, paced] = await runRounds([floor, ours, ...peers], [
      { ...options, turn: plan.n > 1_000 ? 4 : 10, idleMs: 0 },
      { ...options, turn: 4, idleMs: IDLE_MS, warmUp: 0 },
    ]);
    series.push(toSeries("hot", plan.n, hot!));
    series.push(toSeries("paced", plan.n, paced!));
  }
  return { figures: series.flatMap(toFigures), series };
}

function toSeries(pace: Series["pace"], n: number, samples: Samples): Series {
  const summarize = (
    summary: (values: readonly number[]) => number,
  ): Record<string, number> =>
    Object.fromEntries(
      Array.from(samples, ([name, ms]) => [name, summary(ms) * 1_000]),
    );
  return {
    pace,
    n,
    p50: summarize(p50),
    p95: summarize((values) => percentile(values, 0.95)),
  };
}

function toFigures({ pace, n, p50, p95 }: Series): Figure[] {
  const own = p50[ours.name]!;
  const compare = (
    measure: string,
    over: number,
    under: number,
    name: string,
  ): Figure => ({
    measure: `${measure}, ${pace}, n = ${n}`,
    value: over / under,
    unit: "×",
    details: {
      "ours_us": own,
      "ours_p95_us": p95[ours.name]!,
      "other_us": p50[name]!,
      "other_p95_us": p95[name]!,
    },
  });
  return [
    compare("whole call ÷ floor", own, p50[floor.name]!, floor.name),
    ...peers.map(({ name }) =>
      compare(`${name} ÷ ours`, p50[name]!, own, name)
    ),
  ];
}
