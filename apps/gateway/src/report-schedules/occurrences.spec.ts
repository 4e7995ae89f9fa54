import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calendarProblem, lastDue, nextAfter, nextTimes } from './occurrences.ts';

const BERLIN = 'Europe/Berlin';
const at = (time: string) => Date.parse(time);
const iso = (time: number | null) => time && new Date(time).toISOString();
const daily = { cron: '30 2 * * *', timeZone: BERLIN };

describe('the times of a calendar (R-SEND-1)', () => {
  it('are in the time of the zone, in summer and winter', () => {
    const mondays = { cron: '0 8 * * 1', timeZone: BERLIN };
    expect(nextTimes(mondays, at('2026-03-16T07:00:00Z'), 3).map(iso)).toEqual([
      '2026-03-23T07:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
      '2026-04-06T06:00:00.000Z',
    ]);
  });

  it('of one hour that daylight saving time skips or repeats occur once', () => {
    expect(nextTimes(daily, at('2026-03-28T12:00:00Z'), 2).map(iso)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(nextTimes(daily, at('2026-10-24T12:00:00Z'), 2).map(iso)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });

  it('of several hours occur whenever the clock shows them', () => {
    const times = (cron: string, after: string) =>
      nextTimes({ cron, timeZone: BERLIN }, at(after), 3).map((time) =>
        new Date(time).toLocaleTimeString('de-DE', { timeZone: BERLIN, timeStyle: 'short' }),
      );
    expect(times('30 1,2 * * *', '2026-10-24T22:00:00Z')).toEqual(['01:30', '02:30', '02:30']);
    expect(times('0 */2 * * *', '2026-03-28T22:00:00Z')).toEqual(['00:00', '04:00', '06:00']);
  });

  it('come after the instant, to the millisecond', () => {
    const first = at('2026-06-01T00:30:00Z');
    expect([nextAfter(daily, first - 1), nextAfter(daily, first)]).toEqual([
      first,
      at('2026-06-02T00:30:00Z'),
    ]);
  });
});

describe('the last time that is due', () => {
  it('is the last one of all missed, and the due one itself if no other has come', () => {
    const due = at('2026-06-01T00:30:00Z');
    expect(lastDue(daily, due, due)).toBe(due);
    expect(iso(lastDue(daily, due, at('2026-06-05T00:29:59.999Z')))).toBe('2026-06-04T00:30:00.000Z');
    expect(iso(lastDue(daily, due, at('2026-06-05T00:30:00Z')))).toBe('2026-06-05T00:30:00.000Z');
  });

  it('and the next one follow each other without a gap, whenever the service looks', () => {
    const instant = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-12-31T00:00:00Z') });
    const crons = fc.constantFrom('0 * * * *', '30 2 * * *', '15 8 * * 1', '0 8 1 * *', '0 8 L * *');
    const zones = fc.constantFrom('UTC', BERLIN, 'America/St_Johns', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(instant, fc.nat(400 * 86_400_000), crons, zones, (begin, laterMs, cron, timeZone) => {
        const calendar = { cron, timeZone };
        const due = nextAfter(calendar, begin)!;
        const until = due + laterMs;
        const last = lastDue(calendar, due, until);
        expect(last).toBeGreaterThanOrEqual(due);
        expect(last).toBeLessThanOrEqual(until);
        expect(nextAfter(calendar, last)).toBeGreaterThan(until);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what is no calendar is named', () => {
  const problem = (cron: string) => calendarProblem({ cron, timeZone: BERLIN }, at('2026-03-02T08:00:00Z'));

  it.each(['0 8 * * 1', '59 23 1 1 *', '0 8 L * *', '0 8 * * MON#1', '0 */6 * * 1-5', '0 0 29 2 *'])(
    'not %s',
    (cron) => {
      expect(problem(cron)).toBeNull();
    },
  );

  it.each([
    ['', 'five fields'],
    ['0 0 8 * * 1', 'five fields'],
    ['0  8 * * 1', 'five fields'],
    ['@weekly', 'five fields'],
    ['* 8 * * 1', 'one minute'],
    ['*/5 8 * * 1', 'one minute'],
    ['0,30 8 * * 1', 'one minute'],
    ['60 8 * * 1', 'an expression'],
    ['0 25 * * 1', 'an expression'],
    ['0 8 * * x', 'an expression'],
    ['0 0 31 2 *', 'a time that comes'],
  ])('%s: %s', (cron, expected) => {
    expect(problem(cron)).toContain(expected);
  });
});
