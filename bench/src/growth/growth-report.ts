import { type Aim, aimLines, aimsCell, memoryAim } from '../aim.ts';
import type { BenchReport } from '../benchmark.ts';
import type { Machine } from '../machine.ts';
import type { ProcessUse } from '../run/process-use.ts';
import { median, percentile } from '../statistics.ts';
import type { Extreme } from './extremes.ts';
import type { GrowthFigures } from './figures.ts';
import type { SizeFigures } from './measure-size.ts';
import type { SliceRun } from './slice-runs.ts';

const RATIO_MIN = 0.85;

/** A table's rows: a title, then a cell for each column. */
export type Row = [what: string, ...cells: string[]];

export function growthReport(name: string, figures: GrowthFigures, machine: Machine): BenchReport {
  const { sizes, spreads, extremes } = figures;
  const [least, most] = [sizes[0]!, sizes.at(-1)!];
  const ratio = rate(most.ingest) / rate(least.ingest);
  const peaks = [...sizes, ...spreads].flatMap((size) => [...size.peaks, ...size.fillPeaks]);
  const all = [...peaks, ...extremes.manyAssets.peaks];
  const aims: Aim[] = [{ text: `ingest ratio ≥ ${RATIO_MIN}`, isMet: ratio >= RATIO_MIN }, memoryAim(all)];
  return {
    name,
    machine,
    figures: { ...figures, aims },
    lines: [
      ...table(sizeRows(sizes)),
      '',
      'the size in the middle with more and with fewer findings an asset',
      ...table(sizeRows(spreads)),
      '',
      `one asset with ${whole(extremes.oneAsset.findings)} findings, in ${extremes.oneAsset.zips} ZIPs`,
      ...table(extremeRows(extremes.oneAsset)),
      ...table(sliceRows('one more', extremes.oneMore)),
      '',
      `one ZIP that touches ${whole(extremes.manyAssets.assets)} assets`,
      ...table(extremeRows(extremes.manyAssets)),
      '',
      `  ratio     ${ratio.toFixed(2)} of the rate at ${whole(least.findings)} findings`,
      ...aimLines(aims),
    ],
    cells: {
      ratio: `${ratio.toFixed(2)} of the rate at ${whole(least.findings)} findings`,
      ...cellsOf('', sizeRows(sizes)),
      ...cellsOf('more and fewer findings an asset: ', sizeRows(spreads)),
      ...cellsOf(
        `one asset with ${whole(extremes.oneAsset.findings)} findings, in ${extremes.oneAsset.zips} ZIPs: `,
        [...extremeRows(extremes.oneAsset), ...sliceRows('one more', extremes.oneMore)],
      ),
      ...cellsOf(
        `one ZIP that touches ${whole(extremes.manyAssets.assets)} assets: `,
        extremeRows(extremes.manyAssets),
      ),
      aims: aimsCell(aims),
    },
  };
}

export function sizeRows(sizes: readonly SizeFigures[]): Row[] {
  const row = (what: string, cell: (size: SizeFigures) => string): Row => [what, ...sizes.map(cell)];
  return [
    row('findings', ({ findings }) => whole(findings)),
    row('assets', ({ assets }) => whole(assets)),
    row('new: findings/s until queryable', ({ ingest }) => whole(rate(ingest))),
    row('  by slice', ({ ingest }) => `${ingest.map((run) => whole(rate([run]))).join(' ')}`),
    row('  findings/s until scored', ({ ingest }) => whole(rate(ingest, 'scoredSeconds'))),
    row(
      '  scored after the last was queryable',
      ({ ingest }) => `${median(ingest.map(behind)).toFixed(2)} s`,
    ),
    row('  CPU of all, µs a finding', ({ ingest }) => whole(cpuMicros(ingest))),
    ...ofPrograms(
      sizes,
      (size) => cpuByProcess(size.ingest),
      (name) => `  CPU of ${name}`,
    ),
    row('unchanged: findings/s', ({ resend }) => whole(rate(resend))),
    row('  CPU of all, µs a finding', ({ resend }) => whole(cpuMicros(resend))),
    ...sizes[0]!.queries.map(({ name }, i) =>
      row(`${name}, ms p50/p95`, ({ queries }) => times(queries[i]!.ms)),
    ),
    ...ofPrograms(
      sizes,
      (size) => mbByProcess(size.peaks),
      (name) => `${name}, MB at most`,
    ),
    ...ofPrograms(
      sizes,
      (size) => mbByProcess(size.fillPeaks),
      (name) => `${name}, MB while filling`,
    ),
  ];
}

/** A row for each program, in the order in which the first size has them. */
function ofPrograms(
  sizes: readonly SizeFigures[],
  valuesOf: (size: SizeFigures) => Map<string, number>,
  label: (name: string) => string,
): Row[] {
  const names = [...valuesOf(sizes[0]!).keys()];
  return names.map((name) => [label(name), ...sizes.map((size) => whole(valuesOf(size).get(name) ?? 0))]);
}

const extremeRows = ({ ingest, resend, queries, peaks }: Extreme): Row[] => [
  ...sliceRows('new', ingest),
  ...sliceRows('unchanged', resend),
  ...queries.map(({ name, ms }): Row => [`${name}, ms p50/p95`, times(ms)]),
  ...peaks.map(({ name, peakRssMb }): Row => [`${name}, MB at most`, whole(peakRssMb)]),
];

const sliceRows = (what: string, run: SliceRun): Row[] => [
  [`${what}: answered after`, `${run.answeredSeconds.toFixed(2)} s`],
  ['  queryable after', `${run.foldedSeconds.toFixed(2)} s`],
  ['  scored after', `${run.scoredSeconds.toFixed(2)} s`],
];

/** A cell for each row. The key of an indented row contains the last row that is not indented. */
export function cellsOf(title: string, rows: readonly Row[]): Record<string, string> {
  let above = '';
  const cells = rows.map(([what, ...values]): [string, string] => {
    const isBelow = what.startsWith('  ');
    if (!isBelow) above = what.split(':')[0]!;
    return [`${title}${isBelow ? `${above}: ${what.trim()}` : what}`, values.join(' → ')];
  });
  return Object.fromEntries(cells);
}

export function table(rows: readonly Row[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(
    ([what, ...cells]) =>
      `  ${what.padEnd(widths[0]!)}  ${cells.map((cell, i) => cell.padStart(widths[i + 1]!)).join('  ')}`,
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
const findingsOf = (runs: readonly SliceRun[]) => sum(runs.map(({ findings }) => findings));
export const whole = (n: number) => Math.round(n).toLocaleString('en-US');
const times = (ms: readonly number[]) => `${whole(median(ms))} / ${whole(percentile(ms, 95))}`;
const behind = ({ scoredSeconds, foldedSeconds }: SliceRun) => scoredSeconds - foldedSeconds;

export const rate = (runs: readonly SliceRun[], until: 'foldedSeconds' | 'scoredSeconds' = 'foldedSeconds') =>
  findingsOf(runs) / sum(runs.map((run) => run[until]));

const cpuMicros = (runs: readonly SliceRun[]): number => sum([...cpuByProcess(runs).values()]);

/** µs a finding. */
function cpuByProcess(runs: readonly SliceRun[]): Map<string, number> {
  const micros = new Map<string, number>();
  for (const { name, cpuSeconds } of runs.flatMap(({ processes }) => processes)) {
    micros.set(name, (micros.get(name) ?? 0) + (cpuSeconds / findingsOf(runs)) * 1e6);
  }
  return micros;
}

const mbByProcess = (peaks: readonly ProcessUse[]): Map<string, number> =>
  new Map(peaks.map(({ name, peakRssMb }) => [name, peakRssMb]));
