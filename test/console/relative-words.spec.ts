import { expect, it } from '@jest/globals';
import { relativeWords } from '../../apps/console/src/parts/relative-words.ts';

const wordsIn = (locale: string, now: string, at: string, timeZone = 'Europe/Berlin') =>
  relativeWords(at, Date.parse(now), locale, timeZone);

it.each([
  ['2026-11-30T17:22:00Z', '2026-11-29T12:00:00Z', 'yesterday'],
  ['2026-11-30T17:22:00Z', '2026-11-29T00:00:00Z', 'yesterday'],
  ['2026-11-30T17:22:00Z', '2026-11-28T22:00:00Z', '2 days ago'],
  ['2026-11-30T17:22:00Z', '2026-11-29T20:00:00Z', '21 hours ago'],
  // 23:30 there: a day and ten minutes on, it is the day after the next.
  ['2026-11-30T22:30:00Z', '2026-12-01T23:10:00Z', 'in 2 days'],
  // An hour before midnight, when the clock is put back.
  ['2026-10-24T22:10:00Z', '2026-10-25T22:20:00Z', 'today'],
])('at %s, %s is %s', (now, at, words) => {
  expect(wordsIn('en', now, at)).toBe(words);
});

it.each([
  ['2026-12-01T08:00:00Z', 'tomorrow', 'morgen'],
  ['2026-11-30T22:00:00Z', 'in 2 days', 'übermorgen'],
  // The day after in Berlin.
  ['2026-11-30T23:30:00Z', 'in 2 days', 'übermorgen'],
  ['2026-12-04T01:00:00Z', '2 days ago', 'vorgestern'],
])('at %s, a due date of 2 December in UTC is %s, %s', (now, english, german) => {
  const due = '2026-12-02T23:59:59.999Z';
  expect(['en', 'de'].map((locale) => wordsIn(locale, now, due))).toEqual([english, german]);
});

it.each([
  ['2026-11-30T18:00:00Z', '2027-01-13T23:59:59.999Z', 'in 1 month', 'in 1 Monat'],
  ['2026-12-01T09:00:00Z', '2026-10-18T09:00:00Z', '1 month ago', 'vor 1 Monat'],
  ['2026-12-01T09:00:00Z', '2027-12-31T09:00:00Z', 'in 1 year', 'in 1 Jahr'],
])('at %s, %s is %s, and not named as a month or a year of the calendar', (now, at, english, german) => {
  expect(['en', 'de'].map((locale) => wordsIn(locale, now, at))).toEqual([english, german]);
});
