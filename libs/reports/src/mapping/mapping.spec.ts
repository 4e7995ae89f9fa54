import { describe, expect, it } from '@jest/globals';
import { hostOfTarget } from './host-of-target.ts';
import { cvesIn, cwesIn, techniquesIn } from './ids.ts';
import { instantOf, instantOfEpoch } from './instants.ts';
import { plainText } from './plain-text.ts';

describe('times as scanners write them', () => {
  it.each([
    ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01 00:00:00 UTC', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
    ['2025-12-31 17:00:00 -0700 -0700', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 02:00:00.5 +0200 CEST', '2026-01-01T00:00:00.500Z'],
    ['2025-12-31T20:00:00.000-0400', '2026-01-01T00:00:00.000Z'],
    ['2026/01/01', '2026-01-01T00:00:00.000Z'],
    ['Thu Jan  1 15:07:52 2026', '2026-01-01T15:07:52.000Z'],
    ['Sun, 22 Jun 2025 04:04:14', '2025-06-22T04:04:14.000Z'],
    ['Feb 03, 2026 12:30 AM', '2026-02-03T00:30:00.000Z'],
    ['Feb 03, 2026 07:00 PM', '2026-02-03T19:00:00.000Z'],
    ['Jan 5, 2026 20:24:08 MST', '2026-01-06T03:24:08.000Z'],
    ['11 Mar 2026 01:07PM GMT-0430', '2026-03-11T17:37:00.000Z'],
    ['11 Mar 2026 01:07PM GMT', '2026-03-11T13:07:00.000Z'],
    ['20260105T102408123', '2026-01-05T10:24:08.000Z'],
    ['Jan 5, 2026 10:24:08 UTC', '2026-01-05T10:24:08.000Z'],
    ['05/13/2021 07:08:28', '2021-05-13T07:08:28.000Z'],
    ['05/13/2021 07:08:28 PM', '2021-05-13T19:08:28.000Z'],
    ['05/13/2021, 12:08AM', '2021-05-13T00:08:00.000Z'],
    ['05/13/2021 at 17:08:28 (GMT-0700)', '2021-05-14T00:08:28.000Z'],
    ['05/13/2021 at 05:08:28 PM (GMT+02:00)', '2021-05-13T15:08:28.000Z'],
    ['05/13/2021 07:08:28 CET', '2021-05-13T06:08:28.000Z'],
    ['05/13/2021 07:08:28 XYZ', null],
    ['05/13/2021 07:08:28 or later', null],
    ['2026-01-01 01:00:00 CET', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01 01:00:00 PM', '2026-01-01T13:00:00.000Z'],
    ['2026-01-01 12:30 am EST', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01 01:00:00 ist', null],
    ['05/13/2021 07:08:28 ist', null],
    ['2026-01-01 01:00:00 XYZ', null],
    ['Thu Jan 01 02:00:00 CEST 2026', '2026-01-01T00:00:00.000Z'],
    ['THU JAN 01 02:00:00 2026', '2026-01-01T02:00:00.000Z'],
    ['Jan 5, 2026 10:24:08 IST', null],
    ['Jan 5, 2026 10:24:08 GMT+2', '2026-01-05T08:24:08.000Z'],
    ['Sat Apr 11 09:30:00 -0700 2026', '2026-04-11T16:30:00.000Z'],
    ['Sat Apr 11 09:30:00 +01:00 2026', '2026-04-11T08:30:00.000Z'],
    ['11-Apr-2026 09:30', '2026-04-11T09:30:00.000Z'],
    ['20240506121800', '2024-05-06T12:18:00.000Z'],
    ['20240506', '2024-05-06T00:00:00.000Z'],
    ['20241306', null],
    ['12340506', null],
    ['20240506256000', null],
    ['28/02/2021', '2021-02-28T00:00:00.000Z'],
    ['02/30/2021', null],
    ['yesterday', null],
    ['', null],
  ])('%s', (text, instant) => expect(instantOf(text)).toBe(instant));

  it.each([1767225600, 1767225600_000, 1767225600_000_000, 1767225600e9])(
    'the unit of the epoch %d is detected from its size',
    (epoch) => expect(instantOfEpoch(epoch)).toBe('2026-01-01T00:00:00.000Z'),
  );

  it.each([20240506121800, 1e11, 4102444800, 0, -1])(
    '%d is no epoch: in no unit from 1990 to 2100',
    (value) => expect(instantOfEpoch(value)).toBeNull(),
  );
});

describe('hosts of targets', () => {
  it.each([
    ['https://web.halden.example/a?b', { name: 'web.halden.example', address: null, port: 443 }],
    ['http://user:secret@web:8080', { name: 'web', address: null, port: 8080 }],
    ['10.0.0.5', { name: '10.0.0.5', address: '10.0.0.5', port: null }],
    ['10.0.0.5:22', { name: '10.0.0.5', address: '10.0.0.5', port: 22 }],
    ['[2001:DB8::7]:443', { name: '2001:DB8::7', address: '2001:db8::7', port: 443 }],
    ['2001:db8::7', { name: '2001:db8::7', address: '2001:db8::7', port: null }],
    ['web.halden.example/path', { name: 'web.halden.example', address: null, port: null }],
    ['https://[::1', null],
    ['two words', null],
    [null, null],
  ])('%s', (target, host) => expect(hostOfTarget(target)).toEqual(host));
});

describe('texts', () => {
  it('of HTML keep text outside tags', () => {
    expect(plainText('<p>a &lt; b<br/>c < d &amp; &#101;</p>')).toBe('a < b\nc < d & e');
    expect(plainText('<p> </p>')).toBeNull();
  });

  it('give ids in one form, and no lookalikes', () => {
    expect(cvesIn('cve-2024-12345, XCVE-2024-1', 'CVE-2024-12345')).toEqual(['CVE-2024-12345']);
    expect(cwesIn('external/cwe/cwe-079', 'CWE-79: x', 'CWE 0022')).toEqual(['CWE-79', 'CWE-22']);
    expect(techniquesIn('attack.T1059.001', 'T1059.001 and T10599')).toEqual(['T1059.001']);
  });
});
