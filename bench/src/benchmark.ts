import type { Machine } from './machine.ts';
import type { Progress } from './progress.ts';
import type { ProcessUse } from './run/process-use.ts';

/** What a call of a benchmark asks for. */
export interface BenchOptions {
  /** New findings in each run of a side; about, as assets come whole. */
  findings: number;
  /** Runs of each side; they take turns in going first. */
  rounds: number;
  /** Of the service: `kafka` is gateway and projector apart, `postgres` the single process of `npm start`. */
  log: 'kafka' | 'postgres';
  /** Folder for CPU profiles of both sides' programs; unset: none are taken. */
  profile?: string;
}

/** What a figure counts; a request brings one finding. */
export type Unit = 'findings' | 'requests';

/** One run of one side of a benchmark of throughput. */
export interface SideRun {
  findings: number;
  seconds: number;
  processes: ProcessUse[];
  /** Further figures, by what they are. */
  remarks: Record<string, string>;
}

export interface Round {
  measured: SideRun;
  baseline: SideRun;
}

export interface Aim {
  text: string;
  isMet: boolean;
}

export interface BenchResult {
  name: string;
  unit: Unit;
  /** Findings, or requests, a second over all rounds. */
  figure: number;
  baseline: number;
  ratio: number;
  /** CPU of all processes of a side over all rounds, µs a finding. */
  cpuMicros: number;
  baselineCpuMicros: number;
  aims: Aim[];
  rounds: Round[];
  machine: Machine;
}

/** What a benchmark has to say. */
export interface BenchReport {
  name: string;
  machine: Machine;
  /** For people, a line each. */
  lines: string[];
  /** Its row of the benchmark's table in docs/benchmarks.md, by header. */
  cells: Record<string, string>;
  /** All that was measured, for programs. */
  figures: object;
}

export interface Benchmark {
  name: string;
  summary: string;
  /** Sizes where the call names none: a run of one to three minutes on two cores. */
  defaults: Pick<BenchOptions, 'findings' | 'rounds'>;
  /** Logs of the service that it can run on. */
  logs: readonly BenchOptions['log'][];
  run(options: BenchOptions, progress: Progress): Promise<BenchReport>;
}

/** What must be reached; the second in findings, or requests, a second. */
export interface Aims {
  ratioMin: number;
  figureMin?: number;
  /** Default: findings. */
  unit?: Unit;
}

export function resultOf(
  name: string,
  rounds: Round[],
  { ratioMin, figureMin, unit = 'findings' }: Aims,
  machine: Machine,
): BenchResult {
  const measured = rounds.map((round) => round.measured);
  const bare = rounds.map((round) => round.baseline);
  const figure = rateOf(measured);
  const baseline = rateOf(bare);
  const ratio = figure / baseline;
  const aims = [{ text: `ratio ≥ ${ratioMin}`, isMet: ratio >= ratioMin }];
  if (figureMin !== undefined) {
    aims.push({ text: `≥ ${figureMin} ${unit}/s`, isMet: figure >= figureMin });
  }
  const cpu = { cpuMicros: cpuOf(measured), baselineCpuMicros: cpuOf(bare) };
  return { name, unit, figure, baseline, ratio, ...cpu, aims, rounds, machine };
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
const findingsOf = (runs: SideRun[]) => sum(runs.map(({ findings }) => findings));

/** Findings a second over all runs of a side. */
const rateOf = (runs: SideRun[]): number => findingsOf(runs) / sum(runs.map(({ seconds }) => seconds));

/** Steadier than the time where the machine does other work as well. */
const cpuOf = (runs: SideRun[]): number =>
  (sum(runs.flatMap(({ processes }) => processes.map(({ cpuSeconds }) => cpuSeconds))) / findingsOf(runs)) *
  1e6;

/**
 * Runs rounds whose measured side goes on from what the baseline of the same round has come to, and so never goes
 * first; each side starts its programs anew.
 */
export async function inOrder(
  rounds: number,
  measureRound: (round: number) => Promise<Round>,
  progress: Progress,
): Promise<Round[]> {
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    progress.say(`round ${round} of ${rounds}`);
    const { baseline, measured } = await measureRound(round);
    progress.say(`  ${rateOf([measured]).toFixed(0)} findings/s, baseline ${rateOf([baseline]).toFixed(0)}`);
    done.push({ baseline, measured });
  }
  return done;
}

/**
 * Runs both sides as often as asked; the first of a round alternates, so that neither has the colder machine always.
 */
export async function alternate(
  rounds: number,
  measure: (round: number) => Promise<SideRun>,
  measureBaseline: (round: number) => Promise<SideRun>,
  progress: Progress,
  unit: Unit = 'findings',
): Promise<Round[]> {
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round++) {
    const told = async (side: string, run: (round: number) => Promise<SideRun>) => {
      progress.say(`round ${round} of ${rounds}: ${side}`);
      const result = await run(round);
      progress.say(`  ${rateOf([result]).toFixed(0)} ${unit}/s in ${result.seconds.toFixed(1)} s`);
      return result;
    };
    const baselineFirst = round % 2 === 0 ? await told('baseline', measureBaseline) : undefined;
    const measured = await told('service', measure);
    done.push({ measured, baseline: baselineFirst ?? (await told('baseline', measureBaseline)) });
  }
  return done;
}
