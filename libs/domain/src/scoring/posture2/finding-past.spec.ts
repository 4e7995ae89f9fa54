import { describe, expect, it } from '@jest/globals';
import type { ObservedInstance } from '../../events.ts';
import type { Finding } from '../../state.ts';
import { dependsOnPast, type FollowedPast, pastWith } from './finding-past.ts';

const instance = (key: string, given: Partial<ObservedInstance> = {}) =>
  ({
    key,
    status: 'fail',
    counted: true,
    workflowStatus: null,
    tags: {},
    ...given,
  }) as unknown as ObservedInstance;

const finding = (given: Partial<Finding>) =>
  ({ state: 'Failed', retiredReason: null, type: 'edr', instances: [], ...given }) as unknown as Finding;

const follow = (...changes: [number, Partial<Finding>][]) =>
  changes.reduce<FollowedPast | null>((past, [at, given]) => pastWith(past, finding(given), at), null)!;

const closed = { workflowStatus: 'Closed', tags: { 'detection-tags': ['true_positive'] } };
const ignored = { workflowStatus: 'Closed', tags: { 'detection-tags': ['ignored'] } };

describe('the past of a finding', () => {
  it('states since when each detection is open or closed', () => {
    const past = follow(
      [1, { instances: [instance('a'), instance('b', closed)] }],
      [2, { instances: [instance('a', closed), instance('b', { ...closed, evidence: 'x' })] }],
      [
        3,
        {
          instances: [
            instance('a', closed),
            instance('b', { ...closed, tags: { ...closed.tags, owner: ['ana'] } }),
          ],
        },
      ],
    );
    expect([past.stateSince('a'), past.stateSince('b'), past.stateSince('c')]).toEqual([2, 1, null]);
  });

  it('goes on if a closed detection gets another verdict', () => {
    const one = (given: Partial<ObservedInstance>) => ({ instances: [instance('a', given)] });
    const past = follow([1, one(closed)], [2, one(ignored)], [3, one(closed)]);
    expect(past.stateSince('a')).toBe(1);
  });

  it('begins again after a pass, and after it was open', () => {
    const one = (given: Partial<ObservedInstance>) => ({ instances: [instance('a', given)] });
    expect(follow([1, one(closed)], [2, one({ status: 'pass' })], [3, one(closed)]).stateSince('a')).toBe(3);
    expect(follow([1, one(closed)], [2, one({})], [3, one(closed)]).stateSince('a')).toBe(3);
  });

  it('keeps a verdict while the finding is not assessed, retired or accepted', () => {
    const of = (...given: Partial<Finding>[]) =>
      follow(...given.map((one, at): [number, Partial<Finding>] => [at, { type: 'ca', ...one }])).verdict;
    const unknown = [instance('a', { status: 'unknown' })];
    const passed = [instance('a', { status: 'pass' })];
    expect(of({ state: 'Qualified' }, { state: 'NotAssessed' })).toBe('passed');
    expect(of({ state: 'Qualified' }, { state: 'Retired', instances: unknown })).toBe('passed');
    expect(of({ state: 'Retired', retiredReason: 'expired', instances: passed })).toBe('passed');
    expect(of({ state: 'Qualified' }, { state: 'Failed' }, { state: 'NotAssessed' })).toBe('failed');
    expect(of({ state: 'Qualified' }, { state: 'AcceptedFailed' })).toBe('failed');
    expect(of({ state: 'NotAssessed' })).toBe(null);
  });

  it('ends when the asset is deleted', () => {
    const deleted = {
      state: 'Retired',
      retiredReason: 'assetDeleted',
      instances: [instance('a', { status: 'pass' })],
    } as const;
    const past = follow(
      [1, { type: 'ca', state: 'Qualified' }],
      [2, { type: 'ca', ...deleted, instances: [...deleted.instances] }],
    );
    expect(past.verdict).toBe(null);
    expect(pastWith(past, finding({ type: 'ca', state: 'NotAssessed' }), 3).verdict).toBe(null);
  });

  it.each<[string, boolean, Partial<Finding>]>([
    ['a closed detection', true, { instances: [instance('a', closed)] }],
    ['an open detection', false, { instances: [instance('a')] }],
    ['a control that is not assessed', true, { type: 'ca', state: 'NotAssessed' }],
    ['a control that passes', false, { type: 'uba', state: 'Qualified' }],
    ['a vulnerability that is not assessed', false, { type: 'va', state: 'NotAssessed' }],
  ])('of %s is required: %s', (_, expected, given) => {
    expect(dependsOnPast(finding(given))).toBe(expected);
  });
});
