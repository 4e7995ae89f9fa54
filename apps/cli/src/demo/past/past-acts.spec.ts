import { expect, it } from '@jest/globals';
import type { Finding } from '#libs/domain';
import { createRandom } from '#libs/sample-data';
import { pastActs } from './past-acts.ts';

const AT = Date.UTC(2026, 2, 1);

const findings = (count: number, state: Finding['state']) =>
  Array.from({ length: count }, (_, i) => ({
    entityKey: `machine:host${i}`,
    finding: { id: `${state} ${i}`, state } as Finding,
  }));

const acts = (given: ReturnType<typeof findings>, needEnd = false) =>
  pastActs(given, AT, createRandom('seed'), { needEnd });

it('accepts a few failed findings, most of them until a later time', () => {
  const accepted = acts(findings(2_000, 'Failed'));
  expect(accepted).toHaveLength(8);
  for (const { payload, at, entityKey } of accepted) {
    expect(payload).toMatchObject({ type: 'FindingAccepted', seenVersion: null });
    if (payload.type !== 'FindingAccepted') continue;
    expect(entityKey).toBe(`machine:host${payload.findingId.split(' ')[1]}`);
    if (payload.until !== null) expect(payload.until).toBeGreaterThan(at);
  }
  const withEnd = accepted.filter(({ payload }) => 'until' in payload && payload.until !== null);
  expect(withEnd.length).toBeGreaterThan(accepted.length / 2);
});

it('accepts only until a later time if acceptances need an end', () => {
  for (const { payload } of acts(findings(2_000, 'Failed'), true))
    expect(payload).toMatchObject({ until: expect.any(Number) });
});

it('has a bound, and does nothing with findings in other states', () => {
  expect(acts(findings(100_000, 'Failed'))).toHaveLength(20);
  expect(acts([...findings(50, 'Retired'), ...findings(50, 'Qualified')])).toEqual([]);
});

it('reverts some accepted findings', () => {
  const reverted = acts(findings(200, 'AcceptedFailed'));
  expect(reverted.length).toBeGreaterThan(5);
  expect(reverted.length).toBeLessThan(50);
  for (const { payload } of reverted)
    expect(payload).toMatchObject({ type: 'FindingReverted', to: 'Failed' });
});

it('is the same for the same seed', () => {
  const given = findings(500, 'Failed');
  expect(acts(given)).toEqual(acts(given));
});
