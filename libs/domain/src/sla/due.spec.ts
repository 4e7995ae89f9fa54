import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DAY_MS,
  instance,
  observation,
  Scenario,
  signal,
  T0,
  upload,
} from '../../../../test/support/scenario.ts';
import { severityLevelOf } from '../severity-level.ts';
import type { Finding } from '../state.ts';
import { dueDateOf, slaStateOf } from './due.ts';
import { distinguishesDecisions, NO_SLA_FACTS, type Sla, slaDays, slaProblem } from './sla.ts';

const SLA: Sla = {
  severity: { critical: 7, high: 30 },
  ssvc: { Act: 3, Track: 60 },
  kev: 14,
  exceptionsNeedEnd: false,
};
const ACT = { decision: 'Act', isKnownExploited: false } as const;
const KNOWN = { decision: 'Track', isKnownExploited: true } as const;

const scanned = (value: number, ...statuses: ('fail' | 'pass')[]): Finding => {
  const run = new Scenario();
  for (const [day, status] of statuses.entries()) {
    const one = instance(status);
    const instances = [{ ...one, severity: { ...one.severity, value } }];
    run.fold(
      ...upload(day + 1, T0 + day * DAY_MS, [
        signal('a', status, { observations: [observation('va', instances)] }),
      ]),
    );
  }
  return run.finding('a')!;
};

describe('the days of an SLA (R-SLA-2)', () => {
  it('are the fewest that apply', () => {
    expect(slaDays(SLA, 'critical', NO_SLA_FACTS)).toBe(7);
    expect(slaDays(SLA, 'critical', ACT)).toBe(3);
    expect(slaDays(SLA, 'critical', KNOWN)).toBe(7);
    expect(slaDays(SLA, 'high', KNOWN)).toBe(14);
    expect(slaDays(SLA, 'low', NO_SLA_FACTS)).toBeNull();
    expect(slaDays(SLA, 'low', { decision: 'Track', isKnownExploited: false })).toBe(60);
  });

  it.each([
    [10, 'critical'],
    [9, 'critical'],
    [8.99, 'high'],
    [4, 'medium'],
    [0.1, 'low'],
    [0.09, 'info'],
    [0, 'info'],
  ])('are those of the level of a severity: %s is %s', (value, level) => {
    expect(severityLevelOf(value)).toBe(level);
  });

  it('have to be given, and depend on decisions only if they say so', () => {
    const none = { severity: {}, ssvc: {}, kev: null, exceptionsNeedEnd: true };
    expect(slaProblem(none)).toMatch(/must have days/);
    expect(slaProblem({ ...none, kev: 1 })).toBeNull();
    expect([SLA, { ...none, severity: { low: 1 } }, { ...none, kev: 1 }].map(distinguishesDecisions)).toEqual(
      [true, false, true],
    );
  });
});

describe('the due date of a finding (R-SLA-3)', () => {
  it('is that of the SLA after the beginning of its failing period', () => {
    const finding = scanned(9.8, 'pass', 'fail');
    expect(dueDateOf(finding, 'Failed', SLA, NO_SLA_FACTS)).toEqual({ at: T0 + 8 * DAY_MS, by: 'sla' });
    expect(dueDateOf(finding, 'NotAssessed', SLA, ACT)).toEqual({ at: T0 + 4 * DAY_MS, by: 'sla' });
    expect(dueDateOf(finding, 'AcceptedFailed', SLA, ACT)).toBeNull();
    expect(dueDateOf(finding, 'Failed', null, ACT)).toBeNull();
    expect(dueDateOf(scanned(2, 'fail'), 'Failed', SLA, NO_SLA_FACTS)).toBeNull();
  });

  it('is that of a user, if there is one', () => {
    const due = { at: T0, reason: null };
    const triage = { assignee: null, tags: [], due, tickets: [], comments: 0 };
    const finding = { ...scanned(9.8, 'fail'), triage };
    expect(dueDateOf(finding, 'Failed', SLA, ACT)).toEqual({ at: T0, by: 'user' });
    expect(dueDateOf(finding, 'Qualified', SLA, ACT)).toEqual({ at: T0, by: 'user' });
  });

  it('counts from firstSeen, if the beginning is not stored', () => {
    const { failedSince: _, ...earlier } = scanned(9.8, 'fail');
    expect(dueDateOf(earlier, 'Failed', SLA, NO_SLA_FACTS)?.at).toBe(earlier.firstSeen + 7 * DAY_MS);
    expect(dueDateOf({ ...earlier, state: 'NotAssessed' }, 'NotAssessed', SLA, NO_SLA_FACTS)).toBeNull();
  });
});

describe('the state of a finding by SLA (R-SLA-4)', () => {
  it('is met or missed for a Qualified finding', () => {
    const fixed = scanned(9.8, 'fail', 'pass');
    expect(slaStateOf(fixed, 'Qualified', null, SLA, T0)).toBe('met');
    expect(slaStateOf(fixed, 'Qualified', null, { ...SLA, severity: { critical: 0.5 } }, T0)).toBe('missed');
    expect(slaStateOf(scanned(9.8, 'pass'), 'Qualified', null, SLA, T0)).toBeNull();
    expect(slaStateOf(fixed, 'Retired', null, SLA, T0)).toBeNull();
  });

  it('is due until the due date, and then overdue', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 * DAY_MS }), (ms) => {
        const finding = scanned(9.8, 'fail');
        const due = dueDateOf(finding, 'Failed', SLA, NO_SLA_FACTS);
        const state = slaStateOf(finding, 'Failed', due, SLA, T0 + ms);
        expect(state).toBe(ms > 7 * DAY_MS ? 'overdue' : 'due');
      }),
      { numRuns: 50 },
    );
  });
});
