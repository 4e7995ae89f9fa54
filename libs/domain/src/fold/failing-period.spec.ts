import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS, event, Scenario, signal, T0, upload } from '../../../../test/support/scenario.ts';
import type { InstanceStatus, IntakePayload } from '../events.ts';
import { assetId, findingId } from '../signal/event-ids.ts';
import type { Finding } from '../state.ts';

const on = { findingId: findingId(assetId('machine:web01'), 'va', 'a'), seenVersion: null };
const accepted = (until: number | null = null): IntakePayload => ({
  type: 'FindingAccepted',
  ...on,
  rationale: 'later',
  until,
});
const reverted = (to: 'Failed' | 'NotAssessed'): IntakePayload => ({
  type: 'FindingReverted',
  ...on,
  to,
  rationale: null,
});
const swept: IntakePayload = { type: 'EntitySwept', deleteIdleSince: null };

/** A finding, by what happens on each day, from day 0. */
class Days {
  readonly run = new Scenario();
  private day = -1;

  constructor(private rules = 6) {}

  /** Of the next steps. */
  under(rules: number): this {
    this.rules = rules;
    return this;
  }

  scan(status: InstanceStatus, given: Parameters<typeof signal>[2] = {}): this {
    this.day += 1;
    this.run.fold(
      ...upload(this.day, T0 + this.day * DAY_MS, [signal('a', status, given)], { rules: this.rules }),
    );
    return this;
  }

  act(payload: IntakePayload): this {
    this.day += 1;
    const cause = { kind: 'user', user: 'ben' } as const;
    this.run.fold(event(payload, T0 + this.day * DAY_MS, cause, { rules: this.rules }));
    return this;
  }

  /** Days of its beginning and end. */
  get period(): [number | undefined, number | null | undefined] {
    const { failedSince, settledAt } = this.run.finding('a')!;
    const dayOf = (ms: number) => (ms - T0) / DAY_MS;
    return [
      typeof failedSince === 'number' ? dayOf(failedSince) : undefined,
      typeof settledAt === 'number' ? dayOf(settledAt) : settledAt,
    ];
  }
}

describe('the failing period of a finding (R-SLA-1)', () => {
  it('begins when it becomes Failed, and ends when it becomes Qualified', () => {
    const days = new Days().scan('pass');
    expect(days.period).toEqual([undefined, undefined]);
    expect(days.scan('fail').period).toEqual([1, undefined]);
    expect(days.scan('fail').period).toEqual([1, undefined]);
    expect(days.scan('pass').period).toEqual([1, 3]);
    expect(days.scan('unknown').period).toEqual([1, 3]);
  });

  it('begins again with the next failure', () => {
    expect(new Days().scan('fail').scan('pass').scan('pass').scan('fail').period).toEqual([3, null]);
    expect(new Days().scan('fail').scan('pass').scan('fail').scan('pass').period).toEqual([2, 3]);
  });

  it('continues while the finding is Not Assessed or accepted', () => {
    expect(new Days().scan('fail').scan('unknown').scan('fail').period).toEqual([0, undefined]);
    expect(new Days().scan('fail').scan('unknown').scan('pass').period).toEqual([0, 2]);
    expect(new Days().scan('fail').act(accepted()).act(reverted('Failed')).period).toEqual([0, undefined]);
    const ended = new Days()
      .scan('fail')
      .act(accepted(T0 + 1.5 * DAY_MS))
      .act(swept);
    expect(ended.run.states).toEqual({ a: 'NotAssessed' });
    expect(ended.scan('fail').period).toEqual([0, undefined]);
  });

  it('begins at the first sight of a new finding that is Failed, not after its event', () => {
    expect(new Days().scan('fail', { firstSeen: T0 - 30 * DAY_MS }).period).toEqual([-30, undefined]);
    expect(new Days().scan('fail', { firstSeen: T0 + 30 * DAY_MS }).period).toEqual([0, undefined]);
    expect(new Days().scan('pass', { firstSeen: T0 - 30 * DAY_MS }).scan('fail').period).toEqual([
      1,
      undefined,
    ]);
  });

  it('ends when the finding expires, not when that is folded', () => {
    const days = new Days()
      .scan('fail', { expiresAt: T0 + 1.5 * DAY_MS })
      .act(swept)
      .act(swept);
    expect(days.run.states).toEqual({ a: 'Retired' });
    expect(days.period).toEqual([0, 1.5]);
  });

  it('is not stored under earlier rules, and is that of readers from the first change on', () => {
    const days = new Days(5)
      .scan('fail', { firstSeen: T0 - DAY_MS })
      .scan('unknown')
      .scan('fail');
    expect(Object.keys(days.run.finding('a')!)).not.toContain('failedSince');
    const tag = event({ type: 'FindingTagged', ...on, add: ['x'], remove: [] }, T0 + 5 * DAY_MS);
    days.run.fold(tag);
    expect(days.period).toEqual([-1, undefined]);
  });

  it('moves with each change once it is stored, also under earlier rules (ADR-0154)', () => {
    const failing = new Days(5).scan('fail').under(6).scan('pass').under(5).scan('fail');
    expect(failing.period).toEqual([2, null]);
    const tagged: IntakePayload = { type: 'FindingTagged', ...on, add: ['x'], remove: [] };
    expect(failing.under(6).act(tagged).period).toEqual([2, null]);
    expect(new Days(5).scan('pass').under(6).scan('fail').under(5).scan('pass').period).toEqual([1, 2]);
    const expired = new Days(1)
      .scan('fail', { expiresAt: T0 + 0.5 * DAY_MS })
      .under(6)
      .act(swept);
    expect(expired.under(1).scan('fail').period).toEqual([2, null]);
  });

  it('never ends before it begins, and is open exactly if the finding failed last', () => {
    const steps = fc.constantFrom('fail', 'pass', 'unknown', 'accept', 'revert', 'hold', 'sweep' as const);
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 12 }), (given) => {
        const days = new Days().scan('fail');
        let hasFailedLast = true;
        for (const step of given) {
          takeStep(days, step);
          const { state, failedSince, settledAt } = days.run.finding('a')!;
          if (state === 'Failed') hasFailedLast = true;
          if (state === 'Qualified' || state === 'Retired') hasFailedLast = false;
          expect(typeof settledAt !== 'number').toBe(hasFailedLast);
          if (typeof settledAt === 'number') expect(settledAt).toBeGreaterThan(failedSince as number);
        }
      }),
    );
  });
});

function takeStep(
  days: Days,
  step: 'accept' | 'revert' | 'hold' | 'sweep' | InstanceStatus,
): Finding['state'] {
  switch (step) {
    case 'accept':
      return days.act(accepted()).run.finding('a')!.state;
    case 'revert':
      return days.act(reverted('NotAssessed')).run.finding('a')!.state;
    case 'hold':
      return days.act(reverted('Failed')).run.finding('a')!.state;
    case 'sweep':
      return days.act(swept).run.finding('a')!.state;
    default:
      return days.scan(step).run.finding('a')!.state;
  }
}
