import { describe, expect, it } from '@jest/globals';
import { isPublic, readAddress } from './is-public.ts';

const verdict = (address: string) => isPublic(readAddress(address));

/** One of each range of IANA's special-purpose registries, its first or last address if a mistake is likely there. */
const NOT_PUBLIC = [
  ['this network', ['0.0.0.0', '0.255.255.255']],
  [
    'private',
    ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ],
  ['carrier-grade NAT', ['100.64.0.0', '100.127.255.255']],
  ['loopback', ['127.0.0.1', '127.255.255.255']],
  ['link-local', ['169.254.0.1', '169.254.255.255']],
  ['protocol assignments', ['192.0.0.1', '192.0.0.192']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.255']],
  ['6to4 relays', ['192.88.99.1']],
  ['benchmarks', ['198.18.0.1', '198.19.255.255']],
  ['multicast', ['224.0.0.1', '239.255.255.255']],
  ['reserved', ['240.0.0.1', '255.255.255.254']],
  ['broadcast', ['255.255.255.255']],
  [
    'metadata of clouds',
    ['169.254.169.254', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
  ],
  ['no address', ['::']],
  ['loopback in IPv6', ['::1']],
  [
    'IPv4 mapped',
    [
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:10.0.0.1',
      '::ffff:169.254.169.254',
      '::ffff:168.63.129.16',
    ],
  ],
  ['IPv4-compatible', ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8']],
  ['IPv4-translated', ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8']],
  ['NAT64', ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '64:ff9b::168.63.129.16']],
  ['local NAT64', ['64:ff9b:1::8.8.8.8', '64:ff9b:1::7f00:1']],
  ['discard', ['100::1']],
  ['Teredo', ['2001::1', '2001:0:ffff::1']],
  ['benchmarks in IPv6', ['2001:2::1']],
  ['ORCHID', ['2001:10::1', '2001:20::1']],
  ['documentation in IPv6', ['2001:db8::1', '3fff::1']],
  ['6to4', ['2002:7f00:1::1', '2002:a00:1::1', '2002:808:808::1']],
  ['segment routing', ['5f00::1']],
  ['unique local', ['fc00::1', 'fdff::1']],
  ['link-local in IPv6', ['fe80::1', 'fe80::1%eth0', 'febf::1']],
  ['site-local', ['fec0::1']],
  ['multicast in IPv6', ['ff02::1', 'ff0e::1']],
  ['unassigned', ['1000::1', '4000::1', '8000::1', 'e000::1']],
] as const;

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2400:cb00::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

describe('isPublic (R-NET-1)', () => {
  it.each(NOT_PUBLIC)('is no address of %s: %j', (_, addresses) => {
    expect(addresses.filter(verdict)).toEqual([]);
  });

  it.each(PUBLIC)('is %s', (address) => {
    expect(verdict(address)).toBe(true);
  });
});
