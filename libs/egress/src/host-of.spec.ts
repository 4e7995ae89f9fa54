import { expect, it } from '@jest/globals';
import { hostOf } from './host-of.ts';

it.each([
  ['https://[2001:db8::1]:8443/a', '2001:db8::1'],
  ['smtp://[::1]', '::1'],
  ['https://mail.example:465', 'mail.example'],
  ['https://192.0.2.1', '192.0.2.1'],
])('the host of %s is %s', (url, host) => {
  expect(hostOf(new URL(url))).toBe(host);
});
