import { type Aim, memoryAim } from './aim.ts';
import type { Machine } from './machine.ts';
import type { Progress } from './progress.ts';
import { type Range, rangeOf } from './range.ts';
import type { ProcessUse } from './run/process-use.ts';
import type { BenchSite } from './run/site.ts';

/** The options of a benchmark call. */
export interface BenchOptions {
  /** New findings in each run of a side, approximately: assets are not split. */
  findings: number;
  /** Runs of each side; the side that runs first alternates. */
  rounds: number;
  /** Log of the service: `kafka` with separate programs, `postgres` with the single process of `npm start`. */
  log: 'kafka' | 'postgres';
  /** Folder for CPU profiles of both sides' programs; unset: none are taken. */
  profile?: string;
  /** Keeps the site in this folder, which a call after an interruption continues; unset: it is removed. */
  folder?: string;
  /** An open site that several benchmarks share; unset: the benchmark opens a separate one. */
  site?: BenchSite;
}

export type Size = Pick<BenchOptions, 'findings' | 'rounds'>;

/** The unit of a figure; a request has one finding. */
export type Unit = 'findings' | 'requests' | 'assets';

/** One run of one side of a benchmark of throughput. */
export interface SideRun {
  /** Number of the benchmark's units. */
  findings: number;
  seconds: number;
  processes: ProcessUse[];
  /** Further figures, by name. */
  remarks: Record<string, string>;
  /** The same figures until every change was also in its topic, with the CPU of all processes; unset: not measured. */
  published?: { findings: number; seconds: number; cpuSeconds: number };
}

export interface Round {
  measured: SideRun;
  baseline: SideRun;
}

export interface BenchResult {
  name: string;
  unit: Unit;
  /** Findings, or requests, a second over all rounds. */
  figure: number;
  baseline: number;
  ratio: number;
  /** Lowest and highest ratio of a round. */
  spread: Range;
  /** CPU of all processes of a side over all rounds, µs a finding. */
  cpuMicros: number;
  baselineCpuMicros: number;
  /** Until every change was published, if that was measured: findings a second, and µs a finding. */
  published?: { figure: number; cpuMicros: number };
  /** The same of the baseline, if it publishes. */
  baselinePublished?: { figure: number; cpuMicros: number };
  /** The baseline, if the benchmark's summary does not name it for this log. */
  beside?: string;
  aims: Aim[];
  rounds: Round[];
  machine: Machine;
}

/** The report of a benchmark. */
export interface BenchReport {
  name: string;
  machine: Machine;
  /** For people, a line each. */
  lines: string[];
  /** Its section of docs/benchmarks.md: the subject and the results. */
  cells: Record<string, string>;
  /** Against the baseline of the same run; what `smoke` watches. */
  ratio?: number;
  /** All that was measured, for programs. */
  figures: object;
}

export interface Benchmark {
  name: string;
  summary: string;
  /** Sizes of a call without options, about one to three minutes on two cores. `rounds` is 1 if it has no rounds. */
  defaults: Size;
  /** Sizes in `smoke`, about ten seconds on two cores; unset: not in `smoke`. Its report must have a ratio. */
  smoke?: Size;
  /** Whether it continues on a kept site. */
  continues?: boolean;
  /** Logs of the service that it can run on. */
  logs: readonly BenchOptions['log'][];
  run(options: BenchOptions, progress: Progress): Promise<BenchReport>;
}

/** The required values; `figureMin` is in findings or requests per second. */
export interface Aims {
  ratioMin: number;
  figureMin?: number;
  /** Default: findings. */
  unit?: Unit;
  /** As in BenchResult. */
  beside?: string;
}

export function resultOf(
  name: string,
  rounds: Round[],
  { ratioMin, figureMin, unit = 'findings', beside }: Aims,
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
  aims.push(memoryAim(measured.flatMap(({ processes }) => processes)));
  const spread = rangeOf(rounds.map((round) => rateOf([round.measured]) / rateOf([round.baseline])));
  const cpu = { cpuMicros: cpuOf(measured), baselineCpuMicros: cpuOf(bare) };
  const published = publishedOf(measured);
  const baselinePublished = publishedOf(bare);
  return {
    ...{ name, unit, figure, baseline, ratio, spread, ...cpu, aims, rounds, machine },
    ...(published && { published }),
    ...(baselinePublished && { baselinePublished }),
    ...(beside && { beside }),
  };
}

function publishedOf(runs: SideRun[]): BenchResult['published'] {
  const published = runs.flatMap((run) => run.published ?? []);
  if (published.length === 0) return undefined;
  const findings = findingsOf(published);
  return {
    figure: findings / sum(published.map(({ seconds }) => seconds)),
    cpuMicros: (sum(published.map(({ cpuSeconds }) => cpuSeconds)) / findings) * 1e6,
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
const findingsOf = (runs: { findings: number }[]) => sum(runs.map(({ findings }) => findings));

/** Findings a second over all runs of a side. */
const rateOf = (runs: SideRun[]): number => findingsOf(runs) / sum(runs.map(({ seconds }) => seconds));

/** µs of CPU per finding. Varies less than the time if the machine does other work as well. */
const cpuOf = (runs: SideRun[]): number =>
  (sum(runs.flatMap(({ processes }) => processes.map(({ cpuSeconds }) => cpuSeconds))) / findingsOf(runs)) *
  1e6;

/**
 * Runs rounds in which the measured side continues from the result of the baseline, so that the baseline always runs
 * first. Each side restarts its programs.
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
 * Runs both sides in each round. The side that runs first alternates, so that not always the same one warms up the
 * machine.
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
