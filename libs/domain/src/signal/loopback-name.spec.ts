import { expect, it } from '@jest/globals';
import { isLoopbackName } from './loopback-name.ts';

it.each([
  'localhost',
  'LOCALHOST.',
  'localhost.localdomain',
  'localhost6.localdomain6',
  'localhost.acme.com',
  'ip6-localhost',
  '127.0.1.1',
  '::1',
])('%s is a name that every machine has', (name) => {
  expect(isLoopbackName(name)).toBe(true);
});

it.each(['localhost-web', 'localhost7', 'web01.localhost', 'my-localhost', '10.127.0.1', '::11', ''])(
  '%p may be the name of one machine',
  (name) => {
    expect(isLoopbackName(name)).toBe(false);
  },
);
