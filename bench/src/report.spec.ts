import { expect, it } from '@jest/globals';
import { type Round, resultOf, type SideRun } from './benchmark.ts';
import type { Machine } from './machine.ts';
import { throughputReport } from './report.ts';

const machine = { date: '2026-01-02T03:04:05.000Z', commit: 'abcdef0' } as Machine;
const run = (name: string, seconds: number, peakRssMb: number): SideRun => ({
  findings: 1_000,
  seconds,
  processes: [
    { name, cpuSeconds: 0.1, peakRssMb },
    { name: 'Kafka', cpuSeconds: 0.1, peakRssMb: 400 },
  ],
  remarks: {},
});
const rounds: Round[] = [
  { measured: run('projector', 2, 210), baseline: run('bare writer', 1, 100) },
  { measured: run('projector', 1, 250), baseline: run('bare writer', 1, 120) },
];

it('gives the ratio over all rounds, and the spread of theirs', () => {
  const { figure, baseline, ratio, spread, cpuMicros } = resultOf('fold', rounds, { ratioMin: 0.6 }, machine);
  expect({ figure, baseline, spread, cpuMicros }).toEqual({
    figure: expect.closeTo(2_000 / 3),
    baseline: 1_000,
    spread: { min: 0.5, max: 1 },
    cpuMicros: expect.closeTo(200),
  });
  expect(ratio).toBeCloseTo(2 / 3);
});

it('prints all that the page shows: spread, CPU, peak memory of each process, and the aims', () => {
  const { cells, ratio } = throughputReport(resultOf('fold', rounds, { ratioMin: 0.7 }, machine));
  expect(ratio).toBeCloseTo(2 / 3);
  expect(cells).toEqual({
    'findings/s': '667',
    baseline: '1,000',
    ratio: '0.67',
    spread: 'ratio 0.50 to 1.00 over 2 rounds',
    CPU: '200 µs a finding, baseline 200',
    'peak memory': 'projector 250 MB, Kafka 400 MB',
    'peak memory of the baseline': 'bare writer 120 MB, Kafka 400 MB',
    aims: 'ratio ≥ 0.7: not met; each process ≤ 400 MB: met',
  });
});
