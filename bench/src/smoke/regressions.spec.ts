import { expect, it } from '@jest/globals';
import { regressions } from './regressions.ts';

it('is content while more than two thirds of the recorded ratio are left', () => {
  expect(regressions({ ingest: 0.41, fold: 0.9 }, { ingest: 0.6, fold: 0.66 })).toEqual([]);
});

it('names figure, recorded and bound of a ratio that has fallen by a third', () => {
  expect(regressions({ ingest: 0.39, fold: 0.7 }, { ingest: 0.6, fold: 0.66 })).toEqual([
    'ingest: its ratio to the baseline is 0.39; 0.60 is recorded, and it must be above 0.40, two thirds of that',
  ]);
});

it('does not take a ratio that was never recorded for a good one', () => {
  expect(regressions({ json: 0.8 }, {})).toEqual([
    'json: no ratio is recorded to compare 0.80 with; npm run bench -- smoke --record',
  ]);
});

it('does not forget a ratio that is not measured any more', () => {
  expect(regressions({ fold: 0.9 }, { fold: 0.9, gone: 0.5 })).toEqual([
    'gone: its ratio is recorded, but it was not measured',
  ]);
});

it('fails a ratio that is no number', () => {
  expect(regressions({ fold: Number.NaN }, { fold: 0.6 })).toHaveLength(1);
});
