import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { context, described, entity, named, passed, signal } from './signals.ts';
import { MINUTE_MS, Site } from './site.ts';

const MAPPING = '/settings/os-to-safe-asset-type-mapping';
const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Every name is a signal; returns the number of resulting assets. */
async function assetsOf(site: Site, names: string[], type = 'machine'): Promise<number> {
  const before = new Set((await site.client.all('/api/v3/assets')).map(({ id }) => id));
  for (const name of names) await site.upload([signal(name, entity(name, undefined, type))]);
  const after = await site.client.all('/api/v3/assets');
  return after.filter(({ id }) => !before.has(id)).length;
}

/** The values of a custom field on an asset with a tag of that name. */
async function filled(site: Site, host: string, tags: object) {
  const { unrecognisedTags } = await site.upload([signal(host, entity(host, { tags }))]);
  const { customFields, tags: plain } = await site.asset(host);
  return { unrecognisedTags, customFields, plain };
}

async function recognisedField(site: Site, given: object): Promise<void> {
  const { status } = await site.post('/api/v3/custom-fields', given);
  expect(status).toBe(200);
  await site.pass(15 * MINUTE_MS);
}

export const ENTITIES: Row[] = [
  {
    rule: 'R-ENT-2',
    says: 'a name is trimmed, lower-cased and loses a trailing dot',
    holds: async (site) => {
      const host = site.host();
      expect(await assetsOf(site, [host, `  ${host.toUpperCase()} `, `${host}.`])).toBe(1);
    },
  },
  {
    rule: 'R-ENT-3',
    says: 'a machine named by an IP address keys on that address in canonical form (IPv4 and IPv6)',
    holds: async (site) => {
      const [one, other] = [site.address(), site.address()];
      expect(await assetsOf(site, [one, ` ${one} `, `::ffff:${one}`, other])).toBe(2);
      expect(await assetsOf(site, ['2001:DB8::77', '2001:db8:0:0:0:0:0:77', '2001:db8::78'])).toBe(2);
    },
  },
  {
    rule: 'R-ENT-3',
    says: 'a machine named by a host name keys on its first label',
    holds: async (site) => {
      const host = site.host();
      expect(await assetsOf(site, [host, `${host}.one.example`, `${host}.two.example`])).toBe(1);
      expect(await assetsOf(site, [`${host}-a_b.one.example`, `${host}-a_b`])).toBe(1);
    },
  },
  {
    rule: 'R-ENT-3',
    says: 'a user keys on the whole name',
    holds: async (site) => {
      const name = site.host();
      const names = [`${name}@acme.example`, `${name.toUpperCase()}@Acme.example`, `${name}@other.example`];
      expect(await assetsOf(site, names, 'user')).toBe(2);
      expect(await assetsOf(site, [`${name}.a`, `${name}.b`], 'user')).toBe(2);
    },
  },
  ...[
    ['a URL', (host: string) => [`https://${host}.example/a`, `https://${host}.example/b`]],
    ['an ARN', (host: string) => [`arn:aws:s3:::${host}.a`, `arn:aws:s3:::${host}.b`]],
    ['a CIDR', () => ['10.78.0.0/16', '10.78.0.0/24']],
    ['a name with a port', (host: string) => [`${host}.example:80`, `${host}.example:443`, host]],
  ].map(
    ([what, names]): Row => ({
      rule: 'R-ENT-3',
      says: `anything else keys on the whole string: ${what}`,
      holds: async (site) => {
        const all = (names as (host: string) => string[])(site.host());
        expect(await assetsOf(site, all)).toBe(all.length);
      },
    }),
  ),
  {
    rule: 'R-ENT-1',
    says: '`entity.type` accepts `machine`, and `user` or `identity` (the same thing)',
    holds: async (site) => {
      const name = site.host();
      expect(await assetsOf(site, [name], 'user')).toBe(1);
      expect(await assetsOf(site, [name], 'identity')).toBe(0);
      expect(await assetsOf(site, [name], 'Machine')).toBe(1);
      expect((await site.assets(name)).map(({ entityType }) => entityType).sort()).toEqual([
        'machine',
        'user',
      ]);
    },
  },
  ...['file', 'organization'].map(
    (type): Row => ({
      rule: 'R-ENT-1',
      says: `\`${type}\` is a 400 that says what is accepted`,
      holds: (site) =>
        site.expectRefused(signal('any', entity('any', undefined, type)), /entity\.type.*machine.*user/),
    }),
  ),
  {
    rule: 'R-ENT-5',
    says: 'the key is the partition key of the log: everything about one entity is totally ordered',
    holds: async (site) => {
      const host = site.host();
      const names = ['one', 'two', 'three', 'four', 'five'].map((label) => `${host}.${label}.example`);
      await site.upload(names.map((name, i) => named(`finding ${i}`, name)));
      const found = await site.findings(host);
      const positions = await Promise.all(found.map(async ({ id }) => (await site.history(id))[0].position));
      expect(new Set(positions.map(({ partition }) => partition)).size).toBe(1);
      expect(new Set(positions.map(({ offset }) => offset)).size).toBe(names.length);
    },
  },
  {
    rule: 'R-ENT-7',
    says: '`hostname` and `fqdn` tags are metadata, never the key',
    holds: async (site) => {
      const [host, other] = [site.host(), site.host()];
      const tags = { hostname: [other], fqdn: [`${other}.acme.example`] };
      await site.upload([signal(host, entity(host, { tags })), signal(other)]);
      expect(await site.asset(host)).toMatchObject({ hostname: other, fqdn: `${other}.acme.example` });
      expect((await site.asset(other)).aliases).toEqual([other]);
    },
  },
  {
    rule: 'R-ASSET-1',
    says: 'within one entity key there is one asset; it lists every name it was called as `aliases`',
    holds: async (site) => {
      const host = site.host();
      const names = [host, `${host}.one.example`, `${host}.two.example`];
      await site.upload(names.map((name) => signal(name)));
      expect((await site.asset(host)).aliases).toEqual(names);
    },
  },
  {
    rule: 'R-ASSET-4',
    says: 'an upload’s outcome lists `merged` names: another FQDN than the asset’s',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(`${host}.one.example`)]);
      const { id } = await site.asset(host);
      const name = `${host}.two.example`;
      const upload = await site.upload([signal(host), signal(`${host}.one.example`), signal(name)]);
      expect(upload.merged).toEqual([{ name, assetId: id }]);
    },
  },
  {
    rule: 'R-ASSET-2',
    says: '`assetMatching: fqdn` keeps two different FQDNs with the same first label apart',
    holds: (site) =>
      site.withSettings({ assetMatching: 'fqdn' }, async () => {
        const host = site.host();
        expect(await assetsOf(site, [`${host}.one.example`, `${host}.two.example`])).toBe(2);
      }),
  },
  {
    rule: 'R-ASSET-2',
    says: 'with `fqdn` a bare host name joins the only possible asset, and otherwise is a separate asset',
    holds: (site) =>
      site.withSettings({ assetMatching: 'fqdn' }, async () => {
        const host = site.host();
        expect(await assetsOf(site, [`${host}.one.example`, host])).toBe(1);
        const other = site.host();
        expect(await assetsOf(site, [`${other}.one.example`, `${other}.two.example`, other])).toBe(3);
      }),
  },
  {
    rule: 'R-ASSET-3',
    says: 'a name never matches across keys: an IP-named asset is not merged with a host that lists the IP',
    holds: async (site) => {
      const [host, address] = [site.host(), site.address()];
      await site.upload([
        signal(host, entity(host, { ipAddresses: [{ name: 'Ip', ipv4: address }] })),
        signal(address),
      ]);
      expect(await site.asset(host)).toMatchObject({ ipAddresses: [address], aliases: [host] });
      expect(await site.asset(address)).toMatchObject({ aliases: [address] });
    },
  },
  {
    rule: 'R-ASSET-5',
    says: '`assetMatchingCriteria` is validated (`fqdn`, `assetName`, `ipAddress`)',
    holds: async (site) => {
      const entries = (criteria: string[]) => ({
        '1.json': signal(site.host()),
        'config.json': { assetMatchingCriteria: criteria },
      });
      expect((await site.zip(entries(['fqdn', 'assetName', 'ipAddress']))).status).toBe(200);
      await site.expectZipRefused(
        entries(['macAddress']),
        /assetMatchingCriteria.*fqdn.*assetName.*ipAddress/,
      );
    },
  },
  {
    rule: 'R-ASSET-5',
    says: '`assetMatchingCriteria` is recorded, does not change matching, and `warnings` says so',
    holds: async (site) => {
      const host = site.host();
      const names = [`${host}.one.example`, `${host}.two.example`];
      const config = { assetMatchingCriteria: ['fqdn'] };
      const { id, warnings } = await site.upload(
        names.map((name) => signal(name)),
        config,
      );
      expect(warnings).toMatchObject([
        { field: 'assetMatchingCriteria', message: expect.stringMatching(/setting assetMatching/) },
      ]);
      expect((await site.gateway.eventsOf(id))[0]!.envelope.upload).toMatchObject(config);
      expect((await site.asset(host)).aliases).toEqual(names);
    },
  },
  {
    rule: 'R-ASSET-6',
    says: 'if an event may change metadata, an FQDN replaces a bare host name',
    holds: async (site) => {
      const host = site.host();
      const fqdn = `${host}.acme.example`;
      await site.upload([signal(host)]);
      await site.upload([signal(fqdn)]);
      expect(await site.asset(host)).toMatchObject({ name: fqdn, fqdn, aliases: [host, fqdn] });
      await site.upload([signal(host)]);
      expect(await site.asset(host)).toMatchObject({ name: fqdn, fqdn });
    },
  },
  {
    rule: 'R-ASSET-6',
    says: 'otherwise the name only joins `aliases`',
    holds: async (site) => {
      const host = site.host();
      const fqdn = `${host}.acme.example`;
      await site.upload([signal(host)]);
      await site.json(signal(fqdn));
      await site.upload([signal(`${host}.other.example`)], { shouldUpdateExistingAssetsMetadata: false });
      expect(await site.asset(host)).toMatchObject({
        name: host,
        fqdn: null,
        aliases: [host, fqdn, `${host}.other.example`],
      });
    },
  },
  {
    rule: 'R-ASSET-7',
    says: 'asset and finding ids are UUIDv5 of their keys: the same everywhere',
    holds: async (site) => {
      const host = site.host();
      const here = await site.findingOf(host, signal(host));
      const there = await Site.during({}, (other) => other.findingOf(host, signal(`${host}.acme.example`)));
      expect([there.id, there.assetId]).toEqual([here.id, here.assetId]);
      for (const id of [here.id, here.assetId]) expect(id).toMatch(UUID_V5);
    },
  },
  {
    rule: 'R-ASSET-8',
    says: 'every asset has department, location and asset type',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host)]);
      expect(await site.asset(host)).toMatchObject({
        department: 'Unassigned',
        location: 'Unassigned',
        type: 'Other',
        attackSurface: 'Infrastructure',
      });
    },
  },
  ...[
    ['department', '/api/v3/company/departments', 'dept'],
    ['location', '/api/v3/locations', 'location'],
  ].map(
    ([field, path, tag]): Row => ({
      rule: 'R-ASSET-8',
      says: `a configured default ${field} fills what no source has given, and never replaces what one has`,
      holds: async (site) => {
        const [given, open] = [site.host(), site.host()];
        await site.upload([signal(given, entity(given, { tags: { [tag!]: ['Given'] } }))]);
        const unassigned = (await site.client.all(path!)).find(({ name }) => name === 'Unassigned');
        await site.post(path!, { name: `Default ${field}`, default: true });
        try {
          await site.upload([signal(given), signal(open)]);
          expect((await site.asset(open))[field!]).toBe(`Default ${field}`);
          expect((await site.asset(given))[field!]).toBe('Given');
        } finally {
          await site.send('PATCH', `${path}/${unassigned.id}`, { default: true });
        }
      },
    }),
  ),
  ...[
    ['`entityAttributes.type`', { type: 'Windows Server 2022' }, 'Windows Server', 'Servers'],
    ['the name of an asset type', { type: 'firewall' }, 'Firewall', 'Network'],
    ['the OS', { tags: { os: ['Ubuntu 24.04'] } }, 'Ubuntu', 'Servers'],
  ].map(
    ([what, attributes, type, attackSurface]): Row => ({
      rule: 'R-ASSET-9',
      says: `asset type and attack surface come from ${what}, through the mapping`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([signal(host, entity(host, attributes as Record<string, unknown>))]);
        expect(await site.asset(host)).toMatchObject({ type, attackSurface });
      },
    }),
  ),
  {
    rule: 'R-ASSET-11',
    says: 'the mapping can be changed, the first pattern that matches wins, and existing assets follow',
    holds: async (site) => {
      const [old, fresh] = [site.host(), site.host()];
      const plan9 = (host: string) => signal(host, entity(host, { tags: { os: ['Plan 9 from Bell'] } }));
      await site.upload([plan9(old)]);
      const mapping = await site.client.get(MAPPING);
      const row = (osPattern: string, assetType: string) => ({
        osPattern,
        assetType,
        attackSurface: 'Research',
        supports: ['va'],
      });
      await site.post(MAPPING, {
        ...mapping,
        mappings: [row('*from bell*', 'Museum Piece'), row('plan 9*', 'Plan 9'), ...mapping.mappings],
      });
      try {
        await site.upload([plan9(fresh)]);
        await site.sweep();
        for (const host of [fresh, old]) {
          expect(await site.asset(host)).toMatchObject({ type: 'Museum Piece', attackSurface: 'Research' });
        }
      } finally {
        await site.post(MAPPING, mapping);
        await site.sweep();
      }
    },
  },
  {
    rule: 'R-ASSET-10',
    says: 'each asset type says its attack surface and which assessments it supports',
    holds: async (site) => {
      const { mappings, default: otherwise } = await site.client.get(MAPPING);
      expect(mappings.length).toBeGreaterThan(20);
      const silent = [...mappings, otherwise].filter(
        ({ assetType, attackSurface, supports }) => !assetType || !attackSurface || !(supports.length > 0),
      );
      expect(silent).toEqual([]);
    },
  },
  {
    rule: 'R-ASSET-10',
    says: 'EDR counts are shown only if the type supports EDR',
    holds: async (site) => {
      const [server, phone] = [site.host(), site.host()];
      const edr = (host: string, type: string) =>
        signal(host, {
          ...entity(host, { type }),
          securityContext: undefined,
          securityContexts: ['d1', 'd2'].map((detectionId) => context({ type: 'edr', detectionId })),
        });
      await site.upload([edr(server, 'Windows Server 2022'), edr(phone, 'iPhone OS')]);
      expect((await site.asset(server)).edr).toEqual({ controls: 1, findings: 2 });
      expect((await site.asset(phone)).edr).toBeNull();
    },
  },
  {
    rule: 'R-ASSET-13',
    says: 'the JSON endpoint may create an asset with its basic attributes',
    holds: async (site) => {
      const host = site.host();
      const attributes = {
        type: 'Debian 13',
        ipAddresses: [{ name: 'Ip', ipv4: '10.9.8.7' }],
        criticality: 'high',
        confidentialityRequirement: 'high',
        integrityRequirement: 'medium',
        availabilityRequirement: 'low',
        tags: { colour: ['red'] },
      };
      await site.json(signal(host, entity(host, attributes)));
      expect(await site.asset(host)).toMatchObject({
        name: host,
        type: 'Debian',
        ipAddresses: ['10.9.8.7'],
        criticality: 'high',
        confidentialityRequirement: 'high',
        integrityRequirement: 'medium',
        availabilityRequirement: 'low',
        tags: { colour: ['red'] },
      });
    },
  },
  {
    rule: 'R-ASSET-13',
    says: 'the JSON endpoint never changes metadata or custom fields of an existing asset; `warnings` says "send as ZIP"',
    holds: async (site) => {
      await recognisedField(site, { name: 'Json Owner' });
      const host = site.host();
      await site.upload([described(host, { criticality: 'low' })]);
      const { warnings } = await site.json(
        signal(host, entity(host, { criticality: 'high', tags: { 'Json Owner': ['ana'], colour: ['red'] } })),
      );
      expect(warnings).toMatchObject([{ message: expect.stringMatching(/send a ZIP/) }]);
      expect(await site.asset(host)).toMatchObject({ criticality: 'low', customFields: {}, tags: {} });
    },
  },
  {
    rule: 'R-ASSET-13',
    says: 'the JSON endpoint sets no custom field of a new asset either',
    holds: async (site) => {
      await recognisedField(site, { name: 'New Owner' });
      const host = site.host();
      await site.json(signal(host, entity(host, { tags: { 'New Owner': ['ana'] } })));
      expect(await site.asset(host)).toMatchObject({ customFields: {}, tags: { 'New Owner': ['ana'] } });
    },
  },
  {
    rule: 'R-ASSET-14',
    says: 'the ZIP changes metadata when `shouldUpdateExistingAssetsMetadata` is true, which it is when absent',
    holds: async (site) => {
      const host = site.host();
      const critical = (criticality: string) => [signal(host, entity(host, { criticality }))];
      await site.upload(critical('low'));
      await site.upload(critical('high'), { shouldUpdateExistingAssetsMetadata: false });
      expect((await site.asset(host)).criticality).toBe('low');
      await site.upload(critical('medium'), { shouldUpdateExistingAssetsMetadata: true });
      expect((await site.asset(host)).criticality).toBe('medium');
      await site.upload(critical('high'));
      expect((await site.asset(host)).criticality).toBe('high');
    },
  },
  {
    rule: 'R-ASSET-15',
    says: '`entityOnly` signals only touch metadata',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host)]);
      const { outcome } = await site.upload([
        signal(host, { ...entity(host, { criticality: 'high' }), ...passed(), entityOnly: true }),
      ]);
      expect(outcome).toMatchObject({ created: 0, updated: 0, unchanged: 0, assetsUpdated: 1 });
      expect((await site.finding(host)).state).toBe('Failed');
      expect((await site.asset(host)).criticality).toBe('high');
    },
  },
  {
    rule: 'R-ASSET-18',
    says: 'a field must exist before a tag sets it, and is recognised 15 minutes after its creation',
    holds: async (site) => {
      const host = site.host();
      const tags = { 'Cost Centre': ['4711'] };
      expect(await filled(site, host, tags)).toMatchObject({ customFields: {} });
      await site.post('/api/v3/custom-fields', { name: 'Cost Centre' });
      await site.pass(15 * MINUTE_MS - 10);
      expect(await filled(site, host, tags)).toMatchObject({
        customFields: {},
        unrecognisedTags: ['Cost Centre'],
      });
      await site.pass(10);
      expect(await filled(site, host, tags)).toMatchObject({
        customFields: { 'Cost Centre': ['4711'] },
        unrecognisedTags: [],
      });
    },
  },
  {
    rule: 'R-ASSET-18',
    says: 'the delay is the setting `customFieldRecognitionDelaySeconds`, 900',
    holds: async (site) => {
      expect((await site.client.get('/api/v3/settings')).customFieldRecognitionDelaySeconds).toBe(900);
      await site.withSettings({ customFieldRecognitionDelaySeconds: 0 }, async () => {
        await site.post('/api/v3/custom-fields', { name: 'At Once' });
        const { customFields } = await filled(site, site.host(), { 'At Once': ['yes'] });
        expect(customFields).toEqual({ 'At Once': ['yes'] });
      });
    },
  },
  ...[
    ['Any', undefined, ['a', 'b'], ['a', 'b']],
    ['Text', undefined, ['some words'], ['some words']],
    ['Select', ['gold', 'silver'], ['gold', 'silver'], ['gold', 'silver']],
  ].map(
    ([type, options, values, taken]): Row => ({
      rule: 'R-ASSET-17',
      says: `a custom field is of type \`${type}\` and may be multi-valued`,
      holds: async (site) => {
        const name = `Field ${type}`;
        await recognisedField(site, { name, type, multiValued: true, ...(options && { options }) });
        expect((await filled(site, site.host(), { [name]: values })).customFields).toEqual({ [name]: taken });
      },
    }),
  ),
  {
    rule: 'R-ASSET-17',
    says: 'a field that is not multi-valued accepts one value; the rest is stored as a plain tag and reported',
    holds: async (site) => {
      await recognisedField(site, { name: 'Single', multiValued: false });
      expect(await filled(site, site.host(), { Single: ['first', 'second'] })).toEqual({
        customFields: { Single: ['first'] },
        plain: { Single: ['second'] },
        unrecognisedTags: ['Single'],
      });
    },
  },
  {
    rule: 'R-ASSET-19',
    says: 'an option that no field knows is not an error: kept as a plain tag, and the outcome names it',
    holds: async (site) => {
      await recognisedField(site, { name: 'Tier', type: 'Select', options: ['gold'] });
      expect(await filled(site, site.host(), { Tier: ['lead'], colour: 'red' })).toEqual({
        customFields: {},
        plain: { Tier: ['lead'], colour: ['red'] },
        unrecognisedTags: ['Tier', 'colour'],
      });
    },
  },
  {
    rule: 'R-ASSET-20',
    says: 'new departments and locations apply at once',
    holds: async (site) => {
      const host = site.host();
      await site.post('/api/v3/company/departments', { name: 'Archaeology' });
      await site.post('/api/v3/locations', { name: 'Petra' });
      await filled(site, host, { dept: ['Archaeology'], location: ['Petra'] });
      expect(await site.asset(host)).toMatchObject({ department: 'Archaeology', location: 'Petra' });
    },
  },
  {
    rule: 'R-ASSET-19',
    says: 'the built-in keys are never unrecognised',
    holds: async (site) => {
      const tags = {
        ...{ location: ['x'], locationName: ['x'], dept: ['x'], department: ['x'], departmentName: ['x'] },
        ...{ os: ['Solaris'], hostname: ['x'], fqdn: ['x.acme.example'], port: ['1'], protocol: ['tcp'] },
      };
      expect((await filled(site, site.host(), tags)).unrecognisedTags).toEqual([]);
    },
  },
];
