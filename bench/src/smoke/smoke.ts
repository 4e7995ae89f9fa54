import type { Benchmark } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import type { RecordedSmoke } from '../record/record-book.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { median } from '../statistics.ts';
import { regressions } from './regressions.ts';

/** The recorded ratio is the median of this number of runs, because a single run can be too high or too low. */
const RECORDING_RUNS = 3;

export interface SmokeOptions {
  /** Ratios to compare with. A regression is measured again, and the better ratio counts. Unset: measures for a record. */
  recorded: Record<string, number> | undefined;
  /** As in BenchOptions. */
  profile: string | undefined;
}

/**
 * The small runs of all benchmarks that have one, each on its first log. They share a site, so that Kafka and PostgreSQL
 * start only once.
 */
export function runSmoke(
  benchmarks: readonly Benchmark[],
  { recorded, profile }: SmokeOptions,
  progress: Progress,
): Promise<RecordedSmoke> {
  return onSite({ profile }, progress, async (site) => {
    const ratios: Record<string, number> = {};
    for (const benchmark of benchmarks) {
      if (!benchmark.smoke) continue;
      const { name } = benchmark;
      progress.say(`smoke: ${name}`);
      const runs = [await ratioOf(benchmark, site, progress)];
      while (!recorded && runs.length < RECORDING_RUNS) runs.push(await ratioOf(benchmark, site, progress));
      ratios[name] = median(runs);
      const before = recorded?.[name];
      if (before === undefined) continue;
      if (regressions({ [name]: ratios[name] }, { [name]: before }).length === 0) continue;
      // Other work on the machine can slow a run; a real regression is slow again.
      progress.say(`smoke: ${name} once more, as its ratio was ${ratios[name].toFixed(2)}`);
      ratios[name] = Math.max(ratios[name], await ratioOf(benchmark, site, progress));
    }
    return { machine: await describeMachine(site.server.pool), ratios };
  });
}

async function ratioOf(
  { name, logs, smoke, run }: Benchmark,
  site: BenchSite,
  progress: Progress,
): Promise<number> {
  const { ratio } = await run({ ...smoke!, log: logs[0]!, site }, progress);
  if (ratio === undefined) throw new Error(`${name} is part of smoke, but has no ratio`);
  return ratio;
}
