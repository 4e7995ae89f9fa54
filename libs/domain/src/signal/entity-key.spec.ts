import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalAddress, displayName, entityKey, isFqdn } from './entity-key.ts';

describe('entityKey (R-ENT-3)', () => {
  it.each([
    ['a host name keys on its first label', 'web01.acme.com', 'machine:web01'],
    ['without case, spaces and trailing dot', '  WEB01.Acme.com. ', 'machine:web01'],
    ['a bare host name on itself', 'my_host-1', 'machine:my_host-1'],
    ['an IPv4 address on itself', '10.0.0.5', 'machine:10.0.0.5'],
    ['an IPv6 address on its canonical form', '2001:DB8:0:0:0:0:0:7', 'machine:2001:db8::7'],
    ['an IPv4-mapped IPv6 address on the IPv4 address', '::ffff:10.0.0.5', 'machine:10.0.0.5'],
    ['octal looks are no address and no host name', '010.0.0.5', 'machine:010.0.0.5'],
    ['a short form neither', '10.5', 'machine:10.5'],
    ['nor a number too large', '192.168.1.300', 'machine:192.168.1.300'],
    ['a URL on the whole', 'https://Acme.com/x', 'machine:https://acme.com/x'],
    ['an ARN on the whole', 'arn:aws:s3:::bucket', 'machine:arn:aws:s3:::bucket'],
    ['a CIDR on the whole', '10.0.0.0/24', 'machine:10.0.0.0/24'],
    ['a name with a port on the whole', 'web01.acme.com:8080', 'machine:web01.acme.com:8080'],
    ['a name beyond ASCII on the whole', 'bücher.acme.com', 'machine:bücher.acme.com'],
  ])('%s', (_, name, key) => {
    expect(entityKey('machine', name)).toBe(key);
  });

  it('a user keys on the whole name', () => {
    expect(entityKey('user', ' Ana@Acme.com ')).toBe('user:ana@acme.com');
    expect(entityKey('user', 'web01.acme.com')).toBe('user:web01.acme.com');
  });

  it('keeps two addresses that share a first number apart', () => {
    expect(entityKey('machine', '10.0.0.5')).not.toBe(entityKey('machine', '10.0.0.6'));
  });

  it('is idempotent: the key of a key is the key', () => {
    const name = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.ipV4(),
      fc.ipV6(),
      fc.domain(),
      fc.webUrl(),
      fc.stringMatching(/^[A-Za-z0-9.:_ -]{1,20}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom('machine' as const, 'user' as const), name, (type, text) => {
        const key = entityKey(type, text);
        expect(entityKey(type, key.slice(type.length + 1))).toBe(key);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('names', () => {
  it.each([
    ['web01.acme.com', true],
    ['web01.acme.com.', true],
    ['web01', false],
    ['10.0.0.5', false],
    ['2001:db8::7', false],
    ['10.5', false],
    ['ana@acme.com', false],
    ['https://acme.com', false],
  ])('isFqdn(%s) is %s', (name, expected) => {
    expect(isFqdn(name)).toBe(expected);
  });

  it('are shown trimmed and without a trailing dot, in their case (R-ENT-2)', () => {
    expect(displayName(' Web01.acme.com. ')).toBe('Web01.acme.com');
    expect(displayName(' . ')).toBe('');
  });

  it.each([
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.256', null],
    ['010.0.0.5', null],
    ['10.0.5', null],
    ['2001:DB8:0::7', '2001:db8::7'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['2001:db8', null],
    ['web01', null],
  ])('%s is the address %s', (text, address) => {
    expect(canonicalAddress(text)).toBe(address);
  });
});
