import type { BenchReport, BenchResult, Round, SideRun, Unit } from './benchmark.ts';
import { machineInWords } from './machine.ts';

/** Without its plural. */
const one = (unit: Unit) => unit.slice(0, -1);

const whole = (n: number) => Math.round(n).toLocaleString('en-US');

/** A report for people. */
export const inWords = ({ name, machine, lines }: BenchReport): string =>
  ['', `${name} at ${machine.commit}`, `  on        ${machineInWords(machine)}`, ...lines, '', ''].join('\n');

/** What is to be said of a benchmark of throughput. */
export function throughputReport(result: BenchResult): BenchReport {
  const { name, unit, figure, baseline, ratio, cpuMicros, baselineCpuMicros, aims, rounds, machine } = result;
  return {
    name,
    machine,
    figures: result,
    lines: [
      `  figure    ${whole(figure)} ${unit}/s`,
      `  baseline  ${whole(baseline)} ${unit}/s`,
      `  ratio     ${ratio.toFixed(2)}`,
      `  CPU       ${whole(cpuMicros)} µs a ${one(unit)}, baseline ${whole(baselineCpuMicros)}`,
      ...aims.map(({ text, isMet }) => `  aim       ${text}: ${isMet ? 'met' : 'NOT met'}`),
      '',
      ...rounds.flatMap((round, index) => roundInWords(round, index, unit)),
    ],
    cells: {
      [`${unit}/s`]: whole(figure),
      baseline: whole(baseline),
      ratio: ratio.toFixed(2),
      aims: aims.map(({ text, isMet }) => `${text}: ${isMet ? 'met' : 'not met'}`).join('; '),
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
      ` ${((use.cpuSeconds / findings) * 1e6).toFixed(0).padStart(5)} µs a ${one(unit)}` +
      ` ${whole(use.peakRssMb).padStart(6)} MB at most`,
  ),
];
