import { aimLines, aimsCell } from './aim.ts';
import type { BenchReport, BenchResult, Round, SideRun, Unit } from './benchmark.ts';
import { machineInWords } from './machine.ts';
import type { Range } from './range.ts';
import type { ProcessUse } from './run/process-use.ts';

/** Per unit. */
const EACH: Record<Unit, string> = { findings: 'a finding', requests: 'a request', assets: 'an asset' };

const whole = (n: number) => Math.round(n).toLocaleString('en-US');

const inRounds = ({ min, max }: Range, rounds: number): string =>
  `${min.toFixed(2)} to ${max.toFixed(2)} over ${rounds} round${rounds === 1 ? '' : 's'}`;

/** The peak memory of each process, over all runs. */
export function peaksInWords(processes: ProcessUse[]): string {
  const peaks = new Map<string, number>();
  for (const { name, peakRssMb } of processes) peaks.set(name, Math.max(peaks.get(name) ?? 0, peakRssMb));
  return [...peaks].map(([name, mb]) => `${name} ${whole(mb)} MB`).join(', ');
}

/** A report for people. */
export const inWords = ({ name, machine, lines }: BenchReport): string =>
  ['', `${name} at ${machine.commit}`, `  on        ${machineInWords(machine)}`, ...lines, '', ''].join('\n');

/** The report of a throughput benchmark. */
export function throughputReport(result: BenchResult): BenchReport {
  const { name, unit, figure, baseline, ratio, spread, cpuMicros, baselineCpuMicros } = result;
  const { published, baselinePublished, beside, aims, rounds, machine } = result;
  const inUnits = (one: NonNullable<typeof published>) =>
    `${whole(one.figure)} ${unit}/s, ${whole(one.cpuMicros)} µs of CPU ${EACH[unit]}`;
  const ofBaseline = baselinePublished
    ? `baseline ${inUnits(baselinePublished)}`
    : 'the baseline publishes nothing';
  const publishedInWords = published && inUnits(published);
  return {
    name,
    machine,
    figures: result,
    ratio,
    lines: [
      `  figure    ${whole(figure)} ${unit}/s`,
      `  baseline  ${whole(baseline)} ${unit}/s`,
      `  ratio     ${ratio.toFixed(2)}`,
      `  spread    ${inRounds(spread, rounds.length)}`,
      `  CPU       ${whole(cpuMicros)} µs ${EACH[unit]}, baseline ${whole(baselineCpuMicros)}`,
      ...(publishedInWords ? [`  until published: ${publishedInWords}`] : []),
      ...aimLines(aims),
      '',
      ...rounds.flatMap((round, index) => roundInWords(round, index, unit)),
    ],
    cells: {
      [`${unit}/s`]: whole(figure),
      baseline: beside ? `${whole(baseline)}, by ${beside}` : whole(baseline),
      ratio: ratio.toFixed(2),
      spread: `ratio ${inRounds(spread, rounds.length)}`,
      CPU: `${whole(cpuMicros)} µs ${EACH[unit]}, baseline ${whole(baselineCpuMicros)}`,
      ...(publishedInWords && {
        'until every change is published': `${publishedInWords}; ${ofBaseline}`,
      }),
      'peak memory': peaksInWords(rounds.flatMap(({ measured }) => measured.processes)),
      'peak memory of the baseline': peaksInWords(rounds.flatMap((round) => round.baseline.processes)),
      aims: aimsCell(aims),
    },
  };
}

const roundInWords = ({ measured, baseline }: Round, index: number, unit: Unit): string[] => [
  `round ${index + 1}`,
  ...sideInWords('service', measured, unit),
  ...sideInWords('baseline', baseline, unit),
];

const sideInWords = (
  name: string,
  { findings, seconds, processes, remarks }: SideRun,
  unit: Unit,
): string[] => [
  `  ${name.padEnd(9)} ${whole(findings)} ${unit} in ${seconds.toFixed(2)} s: ${whole(findings / seconds)} a second`,
  ...Object.entries(remarks).map(([what, text]) => `    ${what}: ${text}`),
  ...processes.map(
    (use) =>
      `    ${use.name.padEnd(14)} ${use.cpuSeconds.toFixed(1).padStart(6)} s CPU` +
      ` ${((use.cpuSeconds / findings) * 1e6).toFixed(0).padStart(5)} µs ${EACH[unit]}` +
      ` ${whole(use.peakRssMb).padStart(6)} MB at most`,
  ),
];
