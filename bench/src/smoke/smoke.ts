import type { Benchmark } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import type { RecordedSmoke } from '../record/record-book.ts';
import { type BenchSite, onSite } from '../run/bench-site.ts';
import { regressions } from './regressions.ts';

export interface SmokeOptions {
  /** Ratios to hold against; what falls short of one is measured again, and the better counts. */
  recorded: Record<string, number>;
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
      ratios[name] = await ratioOf(benchmark, site, progress);
      if (recorded[name] === undefined || regressions({ [name]: ratios[name] }, recorded).length === 0)
        continue;
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
