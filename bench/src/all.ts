import { inspect } from 'node:util';
import type { Benchmark, BenchReport, Size } from './benchmark.ts';
import { type Call, callsOf, commandOf, fullSize, nameOf } from './calls.ts';
import type { Progress } from './progress.ts';

export interface AllOptions {
  /** In place of the benchmarks' own, for trials. */
  size: Partial<Size>;
  profile?: string;
  /** Told of each report, with what repeats it, as soon as it is there. */
  onReport(report: BenchReport, command: string): Promise<void>;
}

/** Runs every benchmark on each of its logs, one after the other; answers the names of those that failed. */
export async function runAll(
  benchmarks: readonly Benchmark[],
  { size, profile, onReport }: AllOptions,
  progress: Progress,
): Promise<string[]> {
  const failed: string[] = [];
  for (const call of callsOf(benchmarks)) {
    const name = nameOf(call);
    progress.say(name);
    try {
      const options = { ...fullSize(call), ...size };
      const report = await reportOf(call, { ...options, profile }, progress);
      await onReport(report, commandOf(call, options));
    } catch (error) {
      // With its cause: a fetch says of itself only that it has failed.
      progress.say(`${name} has failed: ${inspect(error)}`);
      failed.push(name);
    }
  }
  return failed;
}

/** Under the name of the call, whatever the benchmark calls it. */
export async function reportOf(
  call: Call,
  options: Size & { profile?: string },
  progress: Progress,
): Promise<BenchReport> {
  const report = await call.benchmark.run({ ...options, log: call.log }, progress);
  return { ...report, name: nameOf(call) };
}
