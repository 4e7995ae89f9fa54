import { expect, it, jest } from '@jest/globals';
import { type AssetNames, assetName } from './host-name.ts';

const named = (names: Partial<AssetNames>) =>
  assetName({ fqdns: [], hostnames: [], netbiosNames: [], agentNames: [], addresses: [], id: '', ...names });

it('the names of an asset are compared once, not each with all others', () => {
  const fqdns = Array.from({ length: 1_000 }, (_, i) => `h${i}.acme.com`);
  const lowerCase = jest.spyOn(String.prototype, 'toLowerCase');
  try {
    expect(named({ fqdns, hostnames: ['h999'] })).toBe('h999.acme.com');
    expect(lowerCase.mock.calls.length).toBeLessThan(20 * fqdns.length);
  } finally {
    lowerCase.mockRestore();
  }
});

it.each<[string, Partial<AssetNames>, string | null]>([
  ['its FQDN', { fqdns: ['web01.acme.com'], hostnames: ['web01'] }, 'web01.acme.com'],
  [
    'the FQDN that a host name confirms, in any order',
    { fqdns: ['10-0-0-5.provider.example', 'web01.acme.com'], hostnames: ['WEB01'] },
    'web01.acme.com',
  ],
  [
    'the FQDN that a NetBIOS name of 15 characters confirms',
    { fqdns: ['balancer.acme.com', 'prodwebserver01.acme.com'], netbiosNames: ['PRODWEBSERVER01'] },
    'prodwebserver01.acme.com',
  ],
  ['the first FQDN by the alphabet', { fqdns: ['b.acme.com', 'a.acme.com'] }, 'a.acme.com'],
  [
    'a host name that is an FQDN',
    { hostnames: ['web01.acme.com'], netbiosNames: ['WEB01'] },
    'web01.acme.com',
  ],
  ['its host name', { hostnames: ['web01'], addresses: ['10.0.0.5'] }, 'web01'],
  ['its NetBIOS name', { netbiosNames: ['WEB01'], addresses: ['10.0.0.5'] }, 'WEB01'],
  [
    'its NetBIOS name without the domain',
    { netbiosNames: ['HALDEN\\WEB01'], addresses: ['10.0.0.5'] },
    'WEB01',
  ],
  ['the name of its agent', { agentNames: ['web01'], addresses: ['10.0.0.5'] }, 'web01'],
  [
    'its address before a NetBIOS name that may be cut, so that hosts stay apart',
    { netbiosNames: ['PRODWEBSERVER-0'], addresses: ['10.0.0.5'], id: 'x' },
    '10.0.0.5',
  ],
  ['its id before such a NetBIOS name', { netbiosNames: ['PRODWEBSERVER-0'], id: 'x' }, 'x'],
  ['no address in place of a name', { hostnames: ['10.0.0.5'], addresses: ['10.0.0.5'] }, '10.0.0.5'],
  ['no part of a URL', { fqdns: ['https://web01/'], addresses: ['10.0.0.5'] }, '10.0.0.5'],
  ['its first address', { addresses: ['fe80::1', '10.0.0.5'], id: 'x' }, '10.0.0.5'],
  ['no name that every machine has', { fqdns: ['localhost.localdomain'], hostnames: ['web01'] }, 'web01'],
  [
    'its address if it has only such names',
    { hostnames: ['localhost'], addresses: ['127.0.0.1', '10.0.0.5'] },
    '10.0.0.5',
  ],
  [
    'its id if every machine has its address',
    { netbiosNames: ['LOCALHOST'], addresses: ['127.0.0.1'], id: 'x' },
    'x',
  ],
  ['its id', { id: '95c2725c' }, '95c2725c'],
  ['nothing', {}, null],
])('an asset is called by %s', (_, names, expected) => {
  expect(named(names)).toBe(expected);
  const reversed = Object.fromEntries(
    Object.entries(names).map(([field, list]) => [field, Array.isArray(list) ? [...list].reverse() : list]),
  );
  expect(named(reversed)).toBe(expected);
});
