/**
 * What a mutation costs, from the host's call to its answer: ours against the
 * floor and against peers, for growing graphs, back to back and paced.
 *
 * @module
 */

import { floor, floorOfBytes, ours, peers } from "./contenders.ts";
import type { Figure, Findings, Scale, Series } from "./figures.ts";
import { type RoundOptions, runRounds, type Samples } from "./rounds.ts";
import { p50, percentile } from "./statistics.ts";

/** An agent's pause between two calls, shortened to what a bench can wait for. */
const IDLE_MS = 3;

/**
 * How often all contenders are started anew, the changes that each of them
 * makes before the timing, and the rounds, by the number of rows.
 */
const PLANS = [
  { n: 10, starts: 1, warmUp: 500, rounds: 25 },
  { n: 100, starts: 3, warmUp: 500, rounds: 20 },
  { n: 1_000, starts: 2, warmUp: 100, rounds: 8 },
  { n: 10_000, starts: 1, warmUp: 6, rounds: 6 },
];

/** Times whole calls. */
export async function benchCalls({ isQuick }: Scale): Promise<Findings> {
  const series: Series[] = [];
  const kinds = [floorOfBytes, floor, ours, ...peers];
  for (const plan of PLANS) {
    if (isQuick && plan.n === 10_000) continue;
    const { n } = plan;
    const share = isQuick ? 0.3 : 1;
    const options: Omit<RoundOptions, "turn" | "idleMs"> = {
      n,
      rounds: Math.ceil(plan.rounds * share),
      warmUp: Math.ceil(plan.warmUp * share),
    };
    const hot: Samples[] = [];
    const paced: Samples[] = [];
    for (let start = 0; start < (isQuick ? 1 : plan.starts); start++) {
      const [back, spaced] = await runRounds(kinds, [
        { ...options, turn: n > 1_000 ? 4 : 10, idleMs: 0 },
        { ...options, turn: 4, idleMs: IDLE_MS, warmUp: 0 },
      ]);
      hot.push(back!);
      paced.push(spaced!);
    }
    series.push(toSeries("hot", n, hot), toSeries("paced", n, paced));
  }
  return { figures: series.flatMap(toFigures), series };
}

function toSeries(
  pace: Series["pace"],
  n: number,
  starts: readonly Samples[],
): Series {
  const summarize = (
    summary: (values: readonly number[]) => number,
  ): Record<string, number> =>
    Object.fromEntries(
      Array.from(starts[0]!.keys(), (name) => {
        const samples = starts.flatMap((start) => start.get(name)!);
        return [name, summary(samples) * 1_000];
      }),
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
