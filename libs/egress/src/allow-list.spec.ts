import { describe, expect, it } from '@jest/globals';
import { namesAddress, namesHost } from './allow-list.ts';
import { readAddress } from './is-public.ts';

describe('egressAllow (R-NET-1)', () => {
  it.each([
    ['10.0.0.5', '10.0.0.5', true],
    ['10.0.0.5', '10.0.0.50', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    ['0.0.0.0/0', '127.0.0.1', true],
    ['0.0.0.0/0', '::1', false],
    ['::/0', '::1', true],
    ['::/0', '127.0.0.1', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd12:0:0:0:0:0:0:1', 'fd12::1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['10.0.0.0/8', '::ffff:10.0.0.5', true],
    ['::ffff:10.0.0.5', '10.0.0.5', true],
    ['10.0.0.0/8', '64:ff9b::10.0.0.5', true],
    ['inventory.corp', '10.0.0.5', false],
    ['not/a/network', '10.0.0.5', false],
    ['', '10.0.0.5', false],
  ])('%j and the address %s: %s', (entry, address, expected) => {
    expect(namesAddress([entry], readAddress(address))).toBe(expected);
    expect(namesAddress(['192.0.2.1', entry], readAddress(address))).toBe(expected);
  });

  it.each([
    ['inventory.corp', 'inventory.corp', true],
    ['Inventory.Corp.', 'inventory.corp', true],
    ['inventory.corp', 'inventory.corp.', true],
    ['inventory.corp', 'a.inventory.corp', false],
    ['corp', 'inventory.corp', false],
    ['inventory.corp', 'inventory.corp.evil.example', false],
    ['*', 'inventory.corp', false],
  ])('%j and the name %s: %s', (entry, host, expected) => {
    expect(namesHost([entry], host)).toBe(expected);
  });
});
