import { describe, expect, it } from '@jest/globals';
import { nextSync, type PastSync } from './next-sync.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);
const daily = { createdAt: at('03-01T09:00'), config: { autoSyncDays: 1 } };
const weekly = { ...daily, config: { autoSyncDays: 7 } };
const past = (requested: string, given: Partial<PastSync> = {}): PastSync => ({
  action: 'scheduled',
  retry: 0,
  requestedAt: at(requested),
  finishedAt: at(requested) + 60_000,
  hasFailed: false,
  ...given,
});

describe('the next automatic sync', () => {
  it.each([
    ['is due at 01:15 UTC, days after the day of the last one', [past('03-02T01:15')], '03-09T01:15'],
    ['counts from the creation where there was none', [], '03-08T01:15'],
    ['counts a manual one that came to its end', [past('03-04T23:59', { action: 'manual' })], '03-11T01:15'],
    [
      'is not delayed by a manual one that failed',
      [past('03-05T10:00', { action: 'manual', hasFailed: true }), past('03-02T01:15')],
      '03-09T01:15',
    ],
    ['is not repeated while one runs', [past('03-02T01:15', { finishedAt: null })], '03-09T01:15'],
  ] as const)('%s', (_, syncs, expected) => {
    expect(nextSync(weekly, syncs)).toEqual({ at: at(expected), retry: 0 });
  });

  it('is none without a frequency', () => {
    expect(nextSync({ ...daily, config: { autoSyncDays: null } }, [])).toBeNull();
  });

  it('comes 5, 15 and 60 minutes after the end of one that failed, then by the frequency', () => {
    const failed = (requested: string, retry: number) => past(requested, { retry, hasFailed: true });
    const first = failed('03-02T01:15', 0);
    expect(nextSync(weekly, [first])).toEqual({ at: at('03-02T01:21'), retry: 1 });
    const second = failed('03-02T01:21', 1);
    expect(nextSync(weekly, [second, first])).toEqual({ at: at('03-02T01:37'), retry: 2 });
    const third = failed('03-02T01:37', 2);
    expect(nextSync(weekly, [third, second, first])).toEqual({ at: at('03-02T02:38'), retry: 3 });
    const fourth = failed('03-02T02:38', 3);
    expect(nextSync(weekly, [fourth, third, second, first])).toEqual({ at: at('03-09T01:15'), retry: 0 });
    const mended = past('03-02T01:21', { retry: 1 });
    expect(nextSync(weekly, [mended, first])).toEqual({ at: at('03-09T01:15'), retry: 0 });
  });

  it('is a repetition also after failed manual ones, and not after a successful one', () => {
    const failed = past('03-02T01:15', { hasFailed: true });
    const manual = (hasFailed: boolean) => past('03-02T01:18', { action: 'manual', hasFailed });
    expect(nextSync(weekly, [manual(true), failed])).toEqual({ at: at('03-02T01:21'), retry: 1 });
    expect(nextSync(weekly, [manual(false), failed])).toEqual({ at: at('03-09T01:15'), retry: 0 });
  });

  it('is the daily one if that comes before the repetition', () => {
    const failed = past('03-02T01:15', { retry: 2, hasFailed: true, finishedAt: at('03-03T01:00') });
    expect(nextSync(daily, [failed])).toEqual({ at: at('03-03T01:15'), retry: 0 });
  });
});
