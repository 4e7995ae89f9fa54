import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { readInstant } from './read-instant.ts';

const byDriver = (text: string): number =>
  Number(pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)(text));

/** As PostgreSQL writes it: without zeros at the end of the fraction. */
const textOf = (ms: number, micros: number, zone: string): string => {
  const digits = `${String(ms % 1000).padStart(3, '0')}${String(micros).padStart(3, '0')}`.replace(/0+$/, '');
  const seconds = new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}${digits && `.${digits}`}${zone}`;
};

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');
const times = fc.oneof(
  fc.integer({ min: 0, max: YEAR_9999 }),
  fc.integer({ min: YEAR_1, max: YEAR_9999 }).map((ms) => 1000 * Math.floor(ms / 1000)),
);

describe('a time of PostgreSQL', () => {
  it('is read to the millisecond, as the driver reads it', () => {
    const zones = fc.constantFrom('+00', '+00', '+02', '-05', '+05:30', '+00:19:32');
    fc.assert(
      fc.property(times, fc.nat(999), zones, (ms, micros, zone) => {
        const text = textOf(ms, micros, zone);
        expect(readInstant(text)).toBe(byDriver(text));
        if (zone === '+00') expect(readInstant(text)).toBe(ms);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '12026-01-31 12:00:00.5+00',
    '12026-01-31 12:00:00+00',
    '0099-12-31 23:59:59.999+00',
    '0100-01-01 00:00:00+00',
    '1969-12-31 23:59:59.999+00',
  ])('%s is read as by the driver', (text) => {
    expect(readInstant(text)).toBe(byDriver(text));
  });
});
