import { expect, it } from '@jest/globals';
import { changedAssets } from '../../apps/console/src/findings/bulk/changed-assets.ts';

const asset = (assetId: string, score: number | null, scoreAfter: number | null) => ({
  assetId,
  name: assetId,
  score,
  scoreAfter,
});
const [falls, ends, stays, unscored] = [
  asset('falls', 50, 40),
  asset('ends', 5, null),
  asset('stays', 30, 30),
  asset('unscored', null, null),
];

it('shows only assets whose score changes, and counts only them', () => {
  const outcome = { assets: [falls, ends, stays, unscored], otherAssets: 7 };
  expect(changedAssets(outcome, 5)).toEqual({ shown: [falls, ends], others: 0, isAtMost: false });
  expect(changedAssets(outcome, 1)).toEqual({ shown: [falls], others: 1, isAtMost: false });
  expect(changedAssets({ assets: [stays], otherAssets: 0 }, 5).shown).toEqual([]);
});

it('says at most how many change if the service does not list them all', () => {
  const outcome = { assets: [falls, ends], otherAssets: 7 };
  expect(changedAssets(outcome, 1)).toEqual({ shown: [falls], others: 8, isAtMost: true });
  expect(changedAssets({ ...outcome, otherAssets: 0 }, 1)).toMatchObject({ others: 1, isAtMost: false });
});
