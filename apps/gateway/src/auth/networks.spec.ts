import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isNetwork, isWithin } from './networks.ts';

describe('isNetwork', () => {
  it.each(['10.0.0.0/8', '203.0.113.7', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0'])('takes %s', (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each([
    '10',
    '10/8',
    '10.0.0.0/33',
    '0x7f.1',
    '::/129',
    '::ffff:10.0.0.1',
    'host',
    '',
    '10.0.0.0/',
    7,
    null,
  ])('refuses %j', (text) => {
    expect(isNetwork(text)).toBe(false);
  });
});

describe('isWithin', () => {
  it.each([
    ['10.1.2.3', '10.0.0.0/8', true],
    ['11.1.2.3', '10.0.0.0/8', false],
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.8', '203.0.113.7', false],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['10.1.2.3', '::/0', false],
    ['::1', '0.0.0.0/0', false],
    ['not an address', '0.0.0.0/0', false],
  ])('%s in %s: %j', (address, network, expected) => {
    expect(isWithin(address, [network])).toBe(expected);
  });

  it('is in no network of an empty list', () => {
    expect(isWithin('10.0.0.1', [])).toBe(false);
  });

  it('is in the network of its own first bits, and in no other of that length', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    fc.assert(
      fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), (one, two, bits) => {
        const number = (parts: number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);
        const size = 2 ** (32 - bits);
        const isSame = Math.floor(number(one) / size) === Math.floor(number(two) / size);
        expect(isWithin(one.join('.'), [`${two.join('.')}/${bits}`])).toBe(isSame);
      }),
    );
  });
});
