import { expect, it } from '@jest/globals';
import { runAll } from './all.ts';
import type { Benchmark, BenchOptions } from './benchmark.ts';
import type { Machine } from './machine.ts';

const asked: [string, BenchOptions][] = [];
const benchmark = (name: string, rounds: number, logs: Benchmark['logs'], fails = false): Benchmark => ({
  name,
  summary: '',
  defaults: { findings: 1_000, rounds },
  logs,
  run: async (options) => {
    asked.push([name, options]);
    if (fails) throw new Error('no disk left');
    return { name, machine: {} as Machine, lines: [], cells: {}, figures: {} };
  },
});

it('runs each benchmark on its logs in at least five rounds, continues after a failure, and names it', async () => {
  const told: string[] = [];
  const reports: [string, string][] = [];
  const failed = await runAll(
    [
      benchmark('ingest', 2, ['kafka', 'postgres']),
      benchmark('broken', 9, ['kafka'], true),
      benchmark('mix', 1, ['postgres']),
    ],
    { size: {}, onReport: async ({ name }, command) => void reports.push([name, command]) },
    { say: (line) => told.push(line) },
  );
  expect(failed).toEqual(['broken']);
  expect(told.find((line) => line.startsWith('broken has failed'))).toContain('no disk left');
  expect(asked.map(([name, { log, rounds }]) => [name, log, rounds])).toEqual([
    ['ingest', 'kafka', 5],
    ['ingest', 'postgres', 5],
    ['broken', 'kafka', 9],
    ['mix', 'postgres', 1],
  ]);
  expect(reports).toEqual([
    ['ingest', 'npm run bench -- ingest --log kafka --findings 1000 --rounds 5'],
    ['ingest --log postgres', 'npm run bench -- ingest --log postgres --findings 1000 --rounds 5'],
    ['mix', 'npm run bench -- mix --log postgres --findings 1000 --rounds 1'],
  ]);
});
