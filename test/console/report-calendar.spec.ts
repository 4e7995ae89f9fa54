import { describe, expect, it } from '@jest/globals';
import { cronOf, type When, whenOf } from '../../apps/console/src/settings/reports/calendar.ts';

describe('the times of a report as people choose them', () => {
  it.each([
    ['0 8 * * *', { often: 'daily', time: '08:00' }],
    ['5 17 * * 1', { often: 'weekly', time: '17:05', weekday: '1' }],
    ['0 0 * * 0', { often: 'weekly', time: '00:00', weekday: '0' }],
    ['30 6 15 * *', { often: 'monthly', time: '06:30', monthDay: '15' }],
    ['0 8 L * *', { often: 'monthly', time: '08:00', monthDay: 'L' }],
  ])('%s is read and written again', (cron, expected) => {
    expect(whenOf(cron)).toMatchObject(expected);
    expect(cronOf(whenOf(cron))).toBe(cron);
  });

  it.each(['0 */6 * * *', '0 8 1 * 1', '0 8 * * 1-5', '0 8 * 6 1', '0 8 31 * *', 'anything'])(
    '%s stays as it is',
    (cron) => {
      expect(whenOf(cron)).toMatchObject({ often: 'other', cron });
      expect(cronOf(whenOf(cron))).toBe(cron);
    },
  );

  it('a Sunday has two numbers', () => {
    expect(cronOf(whenOf('0 8 * * 7'))).toBe('0 8 * * 0');
  });

  it('without a time there is no expression; spaces between fields are one', () => {
    expect(cronOf({ ...whenOf('0 8 * * 1'), time: '' })).toBe('');
    const typed: When = { ...whenOf(''), cron: '  0  8 * * 1 ' };
    expect(cronOf(typed)).toBe('0 8 * * 1');
  });
});
