import type { Benchmark, BenchOptions, Size } from './benchmark.ts';

/** A benchmark on one of its logs. */
export interface Call {
  benchmark: Benchmark;
  log: BenchOptions['log'];
}

/** Fewer would say nothing of the spread. */
const ROUNDS_MIN = 5;

/** All that there is to measure. */
export const callsOf = (benchmarks: readonly Benchmark[]): Call[] =>
  benchmarks.flatMap((benchmark) => benchmark.logs.map((log) => ({ benchmark, log })));

/** What its section is called: the first of a benchmark's logs goes without saying. */
export const nameOf = ({ benchmark, log }: Call): string =>
  log === benchmark.logs[0] ? benchmark.name : `${benchmark.name} --log ${log}`;

/** What repeats it. */
export const commandOf = ({ benchmark, log }: Call, { findings, rounds }: Size): string =>
  `npm run bench -- ${benchmark.name} --log ${log} --findings ${findings} --rounds ${rounds}`;

/** What a call measures where all are called: its defaults, in five rounds at least where it has rounds. */
export const fullSize = ({ benchmark: { defaults } }: Call): Size => ({
  findings: defaults.findings,
  rounds: defaults.rounds === 1 ? 1 : Math.max(defaults.rounds, ROUNDS_MIN),
});
