import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readInstant } from './read-instant.ts';

describe('readInstant (R-SIG-14)', () => {
  it.each([
    ['2030-01-31T00:00:00.000Z', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T00:00:00Z', '2030-01-31T00:00:00.000Z'],
    [' 2030-01-31T00:00:00Z ', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T00:00Z', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T05:30:00+05:30', '2030-01-31T00:00:00.000Z'],
    ['2030-01-30T19:00:00-0500', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T02:00:00,5+02', '2030-01-31T00:00:00.500Z'],
    ['2030-01-31T00:00:00.123456789Z', '2030-01-31T00:00:00.123Z'],
    ['2030-01-31T23:59:60Z', '2030-02-01T00:00:00.000Z'],
    ['2030-01-31T23:59:59+23:59', '2030-01-31T00:00:59.000Z'],
    ['2030-01-31T00:00:00-24:00', '2030-02-01T00:00:00.000Z'],
    ['20300131T000000Z', '2030-01-31T00:00:00.000Z'],
    ['2028-02-29T00:00:00z', '2028-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999+00:01', '9999-12-31T23:58:59.999Z'],
    ['0001-01-01T00:00:00-01:00', '0001-01-01T01:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(readInstant(text)).toBe(Date.parse(instant));
  });

  it.each([
    ['no zone', '2030-01-31T00:00:00'],
    ['no time', '2030-01-31'],
    ['a day that is not there', '2030-02-30T00:00:00Z'],
    ['a leap day out of a leap year', '2030-02-29T00:00:00Z'],
    ['day 0', '2030-01-00T00:00:00Z'],
    ['day 99', '2030-01-99T00:00:00Z'],
    ['month 0', '2030-00-31T00:00:00Z'],
    ['month 13', '2030-13-01T00:00:00Z'],
    ['hour 25', '2030-01-31T25:00:00Z'],
    ['an American date', '01/31/2030'],
    ['minute 60', '2030-01-31T00:60:00Z'],
    ['second 61', '2030-01-31T00:00:61Z'],
    ['a zone with 60 minutes', '2030-01-31T00:00:00+01:60'],
    ['a zone more than a day away', '2030-01-31T00:00:00-24:01'],
    ['one in the year 0 that is in the year 1 in UTC', '0000-12-31T23:30:00-01:00'],
    ['words', 'tomorrow'],
    ['nothing', ''],
    ['seconds since 1970', 1_893_456_000],
    ['one in the year 10000 in UTC', '9999-12-31T23:59:59-05:00'],
    ['a leap second into the year 10000', '9999-12-31T23:59:60Z'],
    ['one before the year 1 in UTC', '0001-01-01T00:00:00+01:00'],
  ])('%s is not valid', (_, text) => {
    expect(readInstant(text)).toBeNull();
  });

  it('reads back what toISOString writes', () => {
    const times = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(times, (at) => expect(readInstant(at.toISOString())).toBe(at.getTime())));
  });
});
