import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  afterQuiet,
  GATHER_MS,
  nextCheck,
  type SendingTimes,
  sendingTime,
  sendingTimeAfterChange,
} from './sending-times.ts';

const BERLIN = 'Europe/Berlin';
const NIGHT = { from: '22:00', to: '07:00' };
const at = (time: string) => Date.parse(time);
const iso = (time: number) => new Date(time).toISOString();
const times = (given: Partial<SendingTimes> = {}): SendingTimes => ({
  ...{ timeZone: BERLIN, schedule: 'immediate', dailyAt: '08:00', weekday: 1, quiet: null },
  ...given,
});

describe('when a message is sent (R-NOTE-6)', () => {
  it('immediately: what happens within half a minute is one message', () => {
    expect(sendingTime(times(), at('2026-06-01T10:00:00Z'))).toBe(at('2026-06-01T10:00:30Z'));
  });

  it('at the next digest, in the time of the zone, in summer and winter', () => {
    const daily = times({ schedule: 'daily' });
    expect(iso(sendingTime(daily, at('2026-03-28T07:00:00Z')))).toBe('2026-03-29T06:00:00.000Z');
    expect(iso(sendingTime(daily, at('2026-10-24T06:00:00Z')))).toBe('2026-10-25T07:00:00.000Z');
    const sundays = times({ schedule: 'weekly', weekday: 7 });
    expect(iso(sendingTime(sundays, at('2026-06-01T10:00:00Z')))).toBe('2026-06-07T06:00:00.000Z');
  });

  it('after quiet hours, also of a digest within them', () => {
    const night = times({ quiet: NIGHT });
    expect(iso(sendingTime(night, at('2026-06-01T20:30:00Z')))).toBe('2026-06-02T05:00:00.000Z');
    expect(iso(sendingTime(night, at('2026-06-01T12:00:00Z')))).toBe('2026-06-01T12:00:30.000Z');
    const early = times({ schedule: 'daily', dailyAt: '05:30', quiet: NIGHT });
    expect(iso(sendingTime(early, at('2026-06-01T12:00:00Z')))).toBe('2026-06-02T05:00:00.000Z');
  });
});

describe('when what waits is sent after preferences were saved (R-NOTE-6)', () => {
  /** Mondays at 6:00, which are quiet. */
  const weekly = times({ schedule: 'weekly', dailyAt: '06:00', quiet: NIGHT });
  const END = '2026-06-01T05:00:00.000Z';
  const sentAt = (before: SendingTimes, planned: string, changes: Partial<SendingTimes>, now: string) =>
    iso(
      sendingTimeAfterChange({ ...before, nextMessageAt: at(planned) }, { ...before, ...changes }, at(now)),
    );

  it('a digest that waits for the end of quiet hours is not postponed to the next one', () => {
    expect(sentAt(weekly, END, {}, '2026-06-01T04:30:00Z')).toBe(END);
    expect(sentAt(weekly, END, { quiet: null }, '2026-06-01T04:30:00Z')).toBe(END);
    const longer = { quiet: { from: '22:00', to: '09:00' } };
    expect(sentAt(weekly, END, longer, '2026-06-01T04:30:00Z')).toBe('2026-06-01T07:00:00.000Z');
  });

  it('a message that is due already is not postponed, whatever was saved', () => {
    const now = '2026-06-01T05:00:01.000Z';
    expect(sentAt(weekly, END, { schedule: 'daily', dailyAt: '12:00' }, now)).toBe(now);
  });

  it('otherwise at the next time, and without the former quiet hours', () => {
    const monday = '2026-06-01T08:00:00Z';
    expect(sentAt(weekly, '2026-06-08T05:00:00Z', { schedule: 'immediate' }, monday)).toBe(
      '2026-06-01T08:00:30.000Z',
    );
    expect(sentAt(weekly, '2026-06-08T05:00:00Z', { weekday: 3 }, monday)).toBe('2026-06-03T05:00:00.000Z');
    const immediate = times({ quiet: NIGHT });
    expect(sentAt(immediate, END, { quiet: null }, '2026-06-01T01:00:00Z')).toBe('2026-06-01T01:00:30.000Z');
  });
});

describe('quiet hours', () => {
  const sentAfter = (quiet: { from: string; to: string }, time: string) =>
    iso(afterQuiet({ timeZone: BERLIN, quiet }, at(time)));

  it('contain their beginning and not their end', () => {
    expect(sentAfter(NIGHT, '2026-06-01T20:00:00Z')).toBe('2026-06-02T05:00:00.000Z');
    expect(sentAfter(NIGHT, '2026-06-01T19:59:59.999Z')).toBe('2026-06-01T19:59:59.999Z');
    expect(sentAfter(NIGHT, '2026-06-02T05:00:00Z')).toBe('2026-06-02T05:00:00.000Z');
    const noon = { from: '12:00', to: '13:00' };
    expect(sentAfter(noon, '2026-06-01T10:30:00Z')).toBe('2026-06-01T11:00:00.000Z');
    expect(sentAfter(noon, '2026-06-01T11:00:00Z')).toBe('2026-06-01T11:00:00.000Z');
  });

  it('end once in the night in which the clock repeats an hour, and when the clock is set if their end is skipped', () => {
    const untilHalfPastTwo = { from: '22:00', to: '02:30' };
    expect(sentAfter(untilHalfPastTwo, '2026-10-24T23:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    // 2:10 for the second time.
    expect(sentAfter(untilHalfPastTwo, '2026-10-25T01:10:00Z')).toBe('2026-10-25T01:10:00.000Z');
    expect(sentAfter(untilHalfPastTwo, '2026-03-28T23:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('delay by less than a day and an hour, to an instant that is not quiet, in every zone', () => {
    const instant = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2028-12-31T00:00:00Z') });
    const clock = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
    const zones = fc.constantFrom('UTC', BERLIN, 'America/St_Johns', 'Australia/Lord_Howe');
    fc.assert(
      fc.property(instant, clock, clock, zones, (now, from, to, timeZone) => {
        fc.pre(from !== to);
        const given = { timeZone, quiet: { from, to } };
        const sent = afterQuiet(given, now);
        expect(sent).toBeGreaterThanOrEqual(now);
        expect(sent - now).toBeLessThan(25 * 3_600_000);
        expect(afterQuiet(given, sent)).toBe(sent);
        const local = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(now);
        const isQuiet = from < to ? local >= from && local < to : local >= from || local < to;
        // But for the hours around a change of the clock.
        const offsets = [-3, 3].map((hours) => offsetAt(timeZone, now + hours * 3_600_000));
        if (offsets[0] === offsets[1]) expect(sent > now).toBe(isQuiet);
      }),
      { numRuns: 300 },
    );
  });
});

it('due dates are looked at once a day, whatever the schedule is', () => {
  expect(iso(nextCheck({ dailyAt: '08:00', timeZone: BERLIN }, at('2026-06-01T06:00:00Z')))).toBe(
    '2026-06-02T06:00:00.000Z',
  );
  expect(GATHER_MS).toBeLessThan(60_000);
});

const offsetAt = (timeZone: string, time: number): string =>
  new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')!.value;
