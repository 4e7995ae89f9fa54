import { expect, it } from '@jest/globals';
import type { Asset, Settings, Signal } from '#libs/domain';
import type { NamedAsset } from '../opened-assets.ts';
import { ListedHosts } from './listed-hosts.ts';

const host = (name: string, entityOnly = true) =>
  ({ entityOnly, entity: { type: 'machine', name } }) as Signal;

const asset = (name: string, aliases: string[], fqdn: string | null = null, isSole = true): NamedAsset => {
  const [key, of] = ['machine:web01', { name, aliases, fqdn } as Asset];
  return { key, asset: of, stored: { assetNo: 1, entityKey: key, asset: of, isSole } };
};

it.each<[string, string, NamedAsset, Settings['assetMatching'], boolean]>([
  ['its name, in another case', 'WEB01', asset('web01', ['web01']), 'fqdn', true],
  ['an earlier name', 'web01.acme.com', asset('web01', ['web01', 'web01.acme.com']), 'fqdn', true],
  ['another FQDN of one asset', 'web01.acme.com', asset('web01.b.com', [], 'web01.b.com'), 'name', true],
  ['the FQDN of another asset', 'web01.acme.com', asset('web01.b.com', [], 'web01.b.com'), 'fqdn', false],
  ['an FQDN that it may have got', 'web01.acme.com', asset('web01', ['web01']), 'fqdn', true],
  ['an FQDN of another asset', 'web01.acme.com', asset('web01', ['web01'], null, false), 'fqdn', false],
  ['its name beside others', 'web01', asset('web01', ['web01'], null, false), 'fqdn', true],
  ['another host', 'web02', asset('web01', ['web01']), 'name', false],
])('an asset is listed by %s', (_, name, listed, matching, expected) => {
  const hosts = new ListedHosts();
  hosts.add(host(name));
  expect(hosts.has(listed, matching)).toBe(expected);
});

it('a detection lists no host', () => {
  const hosts = new ListedHosts();
  hosts.add(host('web01', false));
  expect(hosts.has(asset('web01', ['web01']), 'name')).toBe(false);
});
