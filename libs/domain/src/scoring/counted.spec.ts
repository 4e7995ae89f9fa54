import { describe, expect, it } from '@jest/globals';
import type { FindingState } from '../state.ts';
import { countsForScoring } from './counted.ts';

const TECHNIQUES: Record<string, { revoked: boolean }> = {
  T1059: { revoked: false },
  T1002: { revoked: true },
};
const techniqueOf = (id: string) => TECHNIQUES[id];

const countOf = (cves: string[], techniques: string[], state: FindingState = 'Failed') =>
  countsForScoring({ state, cves, techniques }, techniqueOf);

describe('countsForScoring (R-SCORE-1)', () => {
  it.each([
    ['a well-formed CVE', ['CVE-2024-3094'], []],
    ['a technique that exists', [], ['T1059']],
    ['one good among bad', ['CVE-1'], ['T1002', 'T1059']],
  ])('%s counts', (_, cves, techniques) => {
    expect(countOf(cves, techniques)).toEqual({ counted: true, notCountedBecause: null });
  });

  it.each([
    ['nothing', [], [], 'neither'],
    ['an ill-formed CVE', ['CVE-24-1'], [], 'no CVE'],
    ['a revoked technique', [], ['T1002'], 'not revoked'],
    ['a vendor’s own technique', [], ['CST0007'], 'none of its techniques is valid'],
    ['both bad', ['CVE-24-1'], ['T1002'], 'neither a CVE nor a technique'],
  ])('%s does not, and says why', (_, cves, techniques, reason) => {
    const count = countOf(cves, techniques);
    expect(count.counted).toBe(false);
    expect(count.notCountedBecause).toContain(reason);
  });

  it.each([
    ['Qualified', 'its latest status is Qualified'],
    ['NotAssessed', 'it is not assessed'],
    ['AcceptedFailed', 'its failure is accepted'],
    ['Retired', 'it is retired'],
  ] as const)('%s does not count, as %s', (state, notCountedBecause) => {
    expect(countOf(['CVE-2024-3094'], [], state)).toEqual({ counted: false, notCountedBecause });
  });

  it.each(['Reserved', 'Disputed', 'REJECTED'])(
    'a CVE known as %s does not count; an unknown one does',
    (known) => {
      const facts = { state: 'Failed' as const, cves: ['CVE-2024-3094'], techniques: [] };
      expect(countsForScoring(facts, techniqueOf, () => known).counted).toBe(false);
      expect(countsForScoring(facts, techniqueOf, () => 'Published').counted).toBe(true);
      expect(countsForScoring(facts, techniqueOf, () => undefined).counted).toBe(true);
    },
  );
});
