import { expect, it } from '@jest/globals';
import type { BenchReport } from '../benchmark.ts';
import type { Machine } from '../machine.ts';
import { pageOf } from './page.ts';
import { withReport } from './record.ts';
import type { RecordBook } from './record-book.ts';

const NAMES = ['ingest', 'ingest --log postgres', 'fold'];
const machine: Machine = {
  cpu: 'Some Processor',
  cores: 2,
  memoryGb: 24,
  system: 'Some Linux, Linux 6.1',
  node: '20.20.2',
  postgres: '18.4',
  kafka: '4.1.1',
  java: '17.0.1',
  syncsPerSecond: 1_234,
  commit: 'abcdef0',
  date: '2026-01-02T03:04:05.000Z',
};
const reportOf = (name: string, figure: string, on = machine): BenchReport => ({
  name,
  machine: on,
  lines: [],
  cells: { 'findings/s': figure, ratio: '0.50' },
  ratio: 0.5,
  figures: {},
});
const bookOf = (...reports: BenchReport[]): RecordBook =>
  reports.reduce((book, report) => withReport(book, report, `run ${report.name}`, NAMES), {
    benchmarks: {},
  } as RecordBook);

it('replaces the last report of the same name', () => {
  const { benchmarks } = bookOf(reportOf('fold', '1'), reportOf('ingest', '2'), reportOf('fold', '3'));
  expect(Object.keys(benchmarks)).toEqual(['ingest', 'fold']);
  expect(benchmarks.fold).toMatchObject({
    command: 'run fold',
    ratio: 0.5,
    cells: { 'findings/s': '3' },
    machine: { commit: 'abcdef0' },
  });
});

it('leaves out what there is no benchmark of any more, and keeps the ratios of smoke', () => {
  const old: RecordBook = {
    benchmarks: { gone: bookOf(reportOf('fold', '1')).benchmarks.fold! },
    smoke: { machine, ratios: { fold: 0.6 } },
  };
  const book = withReport(old, reportOf('ingest', '2'), 'run ingest', NAMES);
  expect(Object.keys(book.benchmarks)).toEqual(['ingest']);
  expect(book.smoke).toEqual(old.smoke);
});

it('says all of a machine once', () => {
  const page = pageOf(bookOf(reportOf('ingest', '1'), reportOf('fold', '2')));
  expect(page.match(/2 cores of Some Processor, 24 GB; Some Linux, Linux 6\.1; Node/g)).toHaveLength(1);
  expect(page).toContain('1,234 synchronous writes');
  expect(page).toContain(
    '\n## fold\n\n2026-01-02 at `abcdef0`: `run fold`\n\n| | |\n|---|---|\n| findings/s | 2 |',
  );
});

it('says which machine if there are several', () => {
  const page = pageOf(bookOf(reportOf('ingest', '1'), reportOf('fold', '2', { ...machine, cores: 16 })));
  expect(page).toMatch(/1\. 2 cores of.*\n2\. 16 cores of/);
  expect(page).toContain('at `abcdef0`, machine 2: `run fold`');
});

it('shows the ratios of smoke at the end', () => {
  const page = pageOf({ ...bookOf(reportOf('fold', '1')), smoke: { machine, ratios: { fold: 0.613 } } });
  expect(page.endsWith('| fold | 0.61 |\n')).toBe(true);
});
