import { describe, expect, it } from '@jest/globals';
import { FINDING_TYPES } from './events.ts';
import { assetTyping, DEFAULT_SETTINGS, isPlatformAtLeast } from './settings.ts';

describe('settings', () => {
  it('start with 90 days for every type and platform 4.1 (R-EXP-1, R-EXP-5)', () => {
    expect(Object.keys(DEFAULT_SETTINGS.retirementDays)).toEqual([...FINDING_TYPES]);
    expect(new Set(Object.values(DEFAULT_SETTINGS.retirementDays))).toEqual(new Set([90]));
    expect(DEFAULT_SETTINGS).toMatchObject({ version: 0, retentionDays: 90, platformVersion: '4.1' });
  });

  it('a name that no pattern matches has the mapping’s default type (R-ASSET-9)', () => {
    expect(assetTyping('CentOS 7', DEFAULT_SETTINGS).type).toBe('CentOS');
    expect(assetTyping('Plan 9', DEFAULT_SETTINGS).type).toBe('Other');
    expect(assetTyping(null, DEFAULT_SETTINGS).type).toBe('Other');
  });

  it.each([
    ['4.1', true],
    ['4.1.2', true],
    ['4.10', true],
    ['5', true],
    ['4.0', false],
    ['4', false],
    ['3.9', false],
  ])('platform %s is at least 4.1: %s (R-SIG-18)', (platformVersion, expected) => {
    expect(isPlatformAtLeast('4.1', { platformVersion })).toBe(expected);
  });
});
