import type { BenchReport } from '../benchmark.ts';
import type { Machine } from '../machine.ts';
import { type Range, rangeOf } from '../range.ts';
import { peaksInWords } from '../report.ts';
import { type Busy, type Limit, limitOf, totalOf } from './limit.ts';
import type { ProjectorsRun } from './projectors-run.ts';

/** The results of a number of projectors, over all rounds. */
export interface Scale {
  projectors: number;
  /** Findings per second. */
  rate: number;
  /** Rates of the rounds. */
  rates: Range;
  /** Rate divided by the rate of one projector. */
  ratio: number;
  /** Ratios of the rounds, each to one projector in the same round. */
  ratios: Range;
  busy: Busy;
  limit: Limit;
}

/** @param rounds each with a run of every number of projectors, including one projector */
export function scalesOf(rounds: ProjectorsRun[][], cores: number): Scale[] {
  const runsOf = (projectors: number) =>
    rounds.map((runs) => runs.find((run) => run.projectors === projectors)!);
  const ones = runsOf(1);
  return rounds[0]!
    .map(({ projectors }) => projectors)
    .toSorted((a, b) => a - b)
    .map((projectors) => {
      const runs = runsOf(projectors);
      const busy = meanOf(runs);
      return {
        projectors,
        rate: rateOf(runs),
        rates: rangeOf(runs.map((run) => rateOf([run]))),
        ratio: rateOf(runs) / rateOf(ones),
        ratios: rangeOf(runs.map((run, i) => rateOf([run]) / rateOf([ones[i]!]))),
        busy,
        limit: limitOf(busy, cores),
      };
    });
}

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);

const rateOf = (runs: ProjectorsRun[]): number =>
  sum(runs.map(({ findings }) => findings)) / sum(runs.map(({ seconds }) => seconds));

/** The mean over the time of all runs, so that each second has the same weight. */
function meanOf(runs: ProjectorsRun[]): Busy {
  const all = sum(runs.map(({ seconds }) => seconds));
  const mean = (coresOf: (busy: Busy) => number) =>
    sum(runs.map(({ busy, seconds }) => coresOf(busy) * seconds)) / all;
  return {
    projectors: runs[0]!.busy.projectors.map((_, i) => mean(({ projectors }) => projectors[i]!)),
    postgres: mean(({ postgres }) => postgres),
    kafka: mean(({ kafka }) => kafka),
    others: mean(({ others }) => others),
  };
}

export function scalingReport(rounds: ProjectorsRun[][], machine: Machine): BenchReport {
  const scales = scalesOf(rounds, machine.cores);
  return {
    name: 'scaling',
    machine,
    lines: [
      ...scales.map((scale) => `  ${title(scale).padEnd(14)} ${inWords(scale)}`),
      '',
      ...rounds.flatMap(roundInWords),
    ],
    cells: {
      ...Object.fromEntries(scales.map((scale) => [title(scale), inWords(scale)])),
      rounds: `${rounds.length}`,
      'peak memory': peaksInWords(rounds.flat().flatMap(({ processes }) => processes)),
    },
    figures: { scales, rounds, machine },
  };
}

const whole = (n: number) => Math.round(n).toLocaleString('en-US');
const title = ({ projectors }: Scale) => `${projectors} projector${projectors === 1 ? '' : 's'}`;

const inWords = ({ projectors, rate, rates, ratio, ratios, busy, limit }: Scale): string =>
  [
    `${whole(rate)} findings/s (${whole(rates.min)} to ${whole(rates.max)})`,
    ...(projectors === 1
      ? []
      : [`${ratio.toFixed(2)} of one (${ratios.min.toFixed(2)} to ${ratios.max.toFixed(2)})`]),
    `cores busy: ${coresInWords(busy)}`,
    `limited by ${limit}`,
  ].join('; ');

const coresInWords = (busy: Busy): string =>
  `projectors ${busy.projectors.map((cores) => cores.toFixed(2)).join(' + ')}, ` +
  `PostgreSQL ${busy.postgres.toFixed(2)}, Kafka ${busy.kafka.toFixed(2)}, others ${busy.others.toFixed(2)}, ` +
  `all ${totalOf(busy).toFixed(2)}`;

const roundInWords = (runs: ProjectorsRun[], index: number): string[] => [
  `round ${index + 1}`,
  ...runs.flatMap(({ projectors, findings, seconds, remarks, processes }) => [
    `  ${projectors}: ${whole(findings)} findings in ${seconds.toFixed(2)} s, ${whole(findings / seconds)} a second`,
    ...Object.entries(remarks).map(([what, text]) => `    ${what}: ${text}`),
    ...processes.map(
      ({ name, cpuSeconds, peakRssMb }) =>
        `    ${name.padEnd(14)} ${cpuSeconds.toFixed(1).padStart(6)} s CPU ${whole(peakRssMb).padStart(6)} MB at most`,
    ),
  ]),
];
