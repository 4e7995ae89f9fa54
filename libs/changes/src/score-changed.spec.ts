import { describe, expect, it } from '@jest/globals';
import { type ScoreChangeRow, scoreChanged } from './score-changed.ts';

const row: ScoreChangeRow = {
  sequence: 7,
  at: 1_000,
  asset_id: 'asset',
  asset_name: 'web01',
  score: 821,
  previous_score: null,
  likelihood: 109_400,
  previous_likelihood: null,
  likelihood_best: null,
  previous_likelihood_best: null,
  is_gone: false,
  model: 'posture-1',
  catalogue: 'none',
};

describe('a score after a change', () => {
  it('is published in points of 100 and likelihoods of 1, with the previous values', () => {
    expect(scoreChanged({ ...row, previous_score: 0, previous_likelihood: 0 }, 3)).toEqual({
      assetId: 'asset',
      assetName: 'web01',
      score: 8.21,
      breachLikelihood: 0.1094,
      previousScore: 0,
      previousBreachLikelihood: 0,
      at: 1_000,
      model: 'posture-1',
      catalogue: 'none',
      change: { name: 'changed', at: 1_000, sequence: 7, partition: 3 },
    });
  });

  it('is null if there is none, and of a deleted asset there is none', () => {
    const gone = { ...row, score: null, likelihood: null, previous_score: 821, is_gone: true };
    expect(scoreChanged(gone, 3)).toMatchObject({
      score: null,
      breachLikelihood: null,
      previousScore: 8.21,
      previousBreachLikelihood: null,
      change: { name: 'deleted' },
    });
  });
});
