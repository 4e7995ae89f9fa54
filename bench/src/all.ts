import { inspect } from 'node:util';
import type { Benchmark, BenchReport, Size } from './benchmark.ts';
import { type Call, callsOf, commandOf, fullSize, nameOf } from './calls.ts';
import type { Progress } from './progress.ts';

export interface AllOptions {
  /** Overrides the sizes of the benchmarks, for trials. */
  size: Partial<Size>;
  profile?: string;
  /** Called for each report, with the call that repeats it, as soon as it is available. */
  onReport(report: BenchReport, command: string): Promise<void>;
}

/** Runs every benchmark on each of its logs, one after the other; returns the names of the failed benchmarks. */
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
      // `inspect` includes the cause: the message of a fetch error states none.
      progress.say(`${name} has failed: ${inspect(error)}`);
      failed.push(name);
    }
  }
  return failed;
}

/** Runs a call. The report has the name of the call, not of the benchmark. */
export async function reportOf(
  call: Call,
  options: Size & { profile?: string; folder?: string },
  progress: Progress,
): Promise<BenchReport> {
  const report = await call.benchmark.run({ ...options, log: call.log }, progress);
  return { ...report, name: nameOf(call) };
}
