import type { Benchmark } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import type { RecordedSmoke } from '../record/record-book.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { median } from '../statistics.ts';
import { regressions } from './regressions.ts';

/** One sample is too high or too low now and then; what is held against for long is the median of so many. */
const RECORDING_RUNS = 3;

export interface SmokeOptions {
  /**
   * Ratios to hold against; what falls short of one is measured again, and the better counts. Unset: they are to be
   * recorded.
   */
  recorded: Record<string, number> | undefined;
  /** As in BenchOptions. */
  profile: string | undefined;
}

/**
 * The small runs of all benchmarks that have one, on the first log of each; one site for all, so that the engines start
 * once.
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
      // A machine that did something else meanwhile is no regression; what has become slow is slow again.
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
  if (ratio === undefined) throw new Error(`${name} has a part in smoke, but no ratio`);
  return ratio;
}
