import type { Benchmark, BenchOptions, Size } from './benchmark.ts';

/** A benchmark on one of its logs. */
export interface Call {
  benchmark: Benchmark;
  log: BenchOptions['log'];
}

/** Fewer rounds would give no meaningful spread. */
const ROUNDS_MIN = 5;

/** Every benchmark on each of its logs. */
export const callsOf = (benchmarks: readonly Benchmark[]): Call[] =>
  benchmarks.flatMap((benchmark) => benchmark.logs.map((log) => ({ benchmark, log })));

/** The title of its section: the first of a benchmark's logs is omitted. */
export const nameOf = ({ benchmark, log }: Call): string =>
  log === benchmark.logs[0] ? benchmark.name : `${benchmark.name} --log ${log}`;

/** The command that repeats it. */
export const commandOf = ({ benchmark, log }: Call, { findings, rounds }: Size): string =>
  `npm run bench -- ${benchmark.name} --log ${log} --findings ${findings} --rounds ${rounds}`;

/** The options of a call in a run of all: its defaults, with at least five rounds if it has rounds. */
export const fullSize = ({ benchmark: { defaults } }: Call): Size => ({
  findings: defaults.findings,
  rounds: defaults.rounds === 1 ? 1 : Math.max(defaults.rounds, ROUNDS_MIN),
});
