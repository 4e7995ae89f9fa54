import { expect, it } from '@jest/globals';
import type { ProjectorsRun } from './projectors-run.ts';
import { scalesOf } from './scaling-report.ts';

const CORES = 4;
const run = (projectors: number, seconds: number, cores: number): ProjectorsRun => ({
  projectors,
  findings: 1_000,
  seconds,
  processes: [],
  busy: { projectors: Array(projectors).fill(cores), postgres: 0.5, kafka: 0.1, others: 0 },
  remarks: {},
});

it('compares each number of projectors with one, over all rounds and in each', () => {
  // The second round has the reverse order.
  const rounds = [
    [run(1, 1, 0.95), run(2, 0.5, 0.9)],
    [run(2, 1, 0.3), run(1, 1, 0.95)],
  ];
  const [one, two] = scalesOf(rounds, CORES);
  expect(one).toMatchObject({
    projectors: 1,
    rate: 1_000,
    ratio: 1,
    ratios: { min: 1, max: 1 },
    limit: "one projector's thread",
  });
  expect(two).toMatchObject({ projectors: 2, rates: { min: 1_000, max: 2_000 }, ratios: { min: 1, max: 2 } });
  expect(two!.rate).toBeCloseTo(2_000 / 1.5);
  // The mean of 0.5 s with 0.9 cores and 1 s with 0.3 cores.
  expect(two!.busy.projectors).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
  expect(two!.limit).toBe('PostgreSQL');
});
