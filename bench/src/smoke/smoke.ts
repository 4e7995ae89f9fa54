import type { Benchmark } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import type { Progress } from '../progress.ts';
import type { RecordedSmoke } from '../record/record-book.ts';
import { onSite } from '../run/bench-site.ts';

/**
 * The small runs of all benchmarks that have one, on the first log of each; one site for all, so that the engines start
 * once.
 * @param profile as in BenchOptions
 */
export function runSmoke(
  benchmarks: readonly Benchmark[],
  profile: string | undefined,
  progress: Progress,
): Promise<RecordedSmoke> {
  return onSite({ profile }, progress, async (site) => {
    const ratios: Record<string, number> = {};
    for (const { name, logs, smoke, run } of benchmarks) {
      if (!smoke) continue;
      progress.say(`smoke: ${name}`);
      const { ratio } = await run({ ...smoke, log: logs[0]!, site }, progress);
      if (ratio === undefined) throw new Error(`${name} has a part in smoke, but no ratio`);
      ratios[name] = ratio;
    }
    return { machine: await describeMachine(site.server.pool), ratios };
  });
}
