import { expect, it } from '@jest/globals';
import { sealedMachines } from './sealed-machines.ts';

it.each([
  ['', 'machine:ana-laptop', false],
  ['*', 'machine:ana-laptop', true],
  ['*', 'machine:', true],
  ['*', 'user:ana', false],
  ['ana-laptop', 'machine:ana-laptop', true],
  ['ana', 'machine:ana-laptop', false],
  ['*-LAPTOP', 'machine:ana-laptop', true],
  ['*-laptop', 'machine:ana-laptop-2', false],
  ['phone-*, *-laptop', 'machine:ana-laptop', true],
  ['a*-*top', 'machine:ana-laptop', true],
  ['ana*ana', 'machine:ana', false],
  ['a*a*a', 'machine:aba', false],
  ['10.0.0.*', 'machine:10.0.0.5', true],
  // It looks like the key of a sealed machine.
  ['web*', `machine:~${'A'.repeat(22)}`, true],
])('of the patterns %j, %s is sealed: %s', (patterns, entityKey, expected) => {
  expect(sealedMachines(patterns)(entityKey)).toBe(expected);
});
