import { expect, it } from '@jest/globals';
import { dueValueOf } from '../../apps/console/src/findings/triage/due-value.ts';

const MORNING = '2026-03-31T08:00:00.000Z';

it.each([
  ['keeps the time of day of a date that the user leaves', '2026-03-31', MORNING, 'user', MORNING],
  ['is another date', '2026-04-01', MORNING, 'user', '2026-04-01'],
  ['is no date any more', '', MORNING, 'user', null],
  ['is the end of the day of the SLA if a user sets it', '2026-03-31', MORNING, 'sla', '2026-03-31'],
  ['is the first date', '2026-03-31', null, null, '2026-03-31'],
  ['is none as before', '', null, null, null],
] as const)('the due date of a finding %s', (_, date, due, dueBy, value) => {
  expect(dueValueOf(date, { due, dueBy })).toBe(value);
});

it('the due date of many findings is that of the form', () => {
  expect(['2026-03-31', ''].map((date) => dueValueOf(date, undefined))).toEqual(['2026-03-31', null]);
});
