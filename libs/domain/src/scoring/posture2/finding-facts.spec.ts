import { describe, expect, it } from '@jest/globals';
import type { ObservedInstance } from '../../events.ts';
import type { Finding, FindingState } from '../../state.ts';
import { assessedFindingOf, detectionState } from './finding-facts.ts';

const instance = (key: string, given: Partial<ObservedInstance> = {}) =>
  ({
    key,
    status: 'fail',
    counted: true,
    workflowStatus: null,
    severity: { value: 7, version: null, vector: null },
    cves: [],
    techniques: ['T1486'],
    tags: {},
    ...given,
  }) as unknown as ObservedInstance;

const finding = (state: FindingState, instances: ObservedInstance[], type = 'edr') =>
  ({ id: 'f1', name: 'Finding', state, type, instances }) as unknown as Finding;

const SEEN = { expiresAt: 10, retainUntil: 20 };

describe('what posture-2 requires of a finding', () => {
  it.each([
    ['new', [], 'unreviewed'],
    ['In Progress', [], 'unreviewed'],
    ['Re-Opened', ['True_Positive'], 'confirmed'],
    [null, ['true positive'], 'confirmed'],
    ['Closed', ['true_positive', 'ignored'], 'resolved'],
    ['True Positive', [], 'resolved'],
    ['closed', ['ignored'], 'ignored'],
    ['ignored', [], 'ignored'],
    ['closed', [], 'unreviewed'],
    [null, [], 'unreviewed'],
  ])('a detection with status %s and tags %j is %s', (workflowStatus, tags, state) => {
    expect(detectionState({ workflowStatus, tags: { 'detection-tags': tags } })).toBe(state);
  });

  it('is its failing, counted detections, the closed ones since the instant that the history states', () => {
    const instances = [
      instance('open'),
      instance('closed', { workflowStatus: 'closed', tags: { a: ['true_positive'] } }),
      instance('passing', { status: 'pass' }),
      instance('uncounted', { counted: false }),
    ];
    const past = { verdict: null, stateSince: (key: string) => (key === 'closed' ? 5 : 1) };
    expect(assessedFindingOf(finding('Failed', instances), SEEN, past)).toMatchObject({
      type: 'edr',
      techniques: ['T1486'],
      activeUntil: 10,
      detections: [
        { state: 'unreviewed', closedAt: null },
        { state: 'resolved', closedAt: 5 },
      ],
    });
    expect(assessedFindingOf(finding('Failed', instances, 'va'), SEEN).detections).toEqual([]);
  });

  it('is what its failing, counted instances state, each once; what all state if none fails', () => {
    const states = (value: number, technique: string) => ({
      severity: { value, version: null, vector: null },
      cves: [],
      techniques: [technique],
    });
    const stating = (key: string, value: number, technique: string, given: object = {}) =>
      instance(key, { ...states(value, technique), ...given } as object);
    const failuresOf = (...instances: ObservedInstance[]) =>
      assessedFindingOf(finding('Failed', instances), SEEN).failures;
    const passing = stating('passing', 9, 'T1486', { status: 'pass' });
    expect(
      failuresOf(
        stating('a', 5, 'T1059'),
        stating('b', 5, 'T1059'),
        passing,
        stating('c', 2, 'T1059'),
        stating('uncounted', 8, 'T1190', { counted: false }),
      ),
    ).toEqual([states(5, 'T1059'), states(2, 'T1059')]);
    expect(failuresOf(passing, stating('unknown', 1, 'T1082', { status: 'unknown' }))).toEqual([
      states(9, 'T1486'),
      states(1, 'T1082'),
    ]);
    expect(failuresOf(stating('a', 5, 'T1059'))).toEqual([states(5, 'T1059')]);
  });

  it.each([
    ['Failed', 'fail', 'passed', 'failed'],
    ['AcceptedFailed', 'fail', 'passed', 'failed'],
    ['Qualified', 'pass', 'failed', 'passed'],
    ['NotAssessed', 'unknown', 'passed', 'passed'],
    ['NotAssessed', 'unknown', null, null],
    ['Retired', 'pass', null, 'passed'],
    ['Retired', 'fail', null, 'failed'],
    ['Retired', 'unknown', 'passed', 'passed'],
  ] as const)('the last verdict of %s with %s, after %s, is %s', (state, status, verdict, last) => {
    const past = { verdict, stateSince: () => null };
    const given = finding(state, [instance('a', { status })], 'ca');
    expect(assessedFindingOf(given, SEEN, past).lastVerdict).toBe(last);
  });
});
