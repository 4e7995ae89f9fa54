import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { failed, named, passed, several, signal, unknown } from './signals.ts';
import { DAY_MS, HOUR_MS, type Site } from './site.ts';

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const replacing = (...types: string[]) => ({ fullAssessmentForTypes: types });
const evidence = (observationText: string) => ({ evidence: { observationText } });
const port = (value: unknown, given: object = {}) => ({ tags: { port: value, ...given } });

/** Key → status of the instances of a host's only finding. */
async function instancesOf(site: Site, host: string): Promise<Record<string, string>> {
  const { instances } = await site.finding(host);
  return Object.fromEntries(
    instances.map(({ key, status }: { key: string; status: string }) => [key, status]),
  );
}

export const FINDINGS: Row[] = [
  {
    rule: 'R-FIND-1',
    says: 'a finding is (asset, type, name), the name compared with white space collapsed and case folded',
    holds: async (site) => {
      const host = site.host();
      const names = ['Open SSH port', '  open   ssh\tPORT ', 'OPEN SSH\nport'];
      await site.upload(names.map((name) => named(name, host)));
      expect((await site.finding(host)).name).toBe('OPEN SSH port');
      await site.upload([named('Open SSH ports', host)]);
      expect(await site.findings(host)).toHaveLength(2);
    },
  },
  {
    rule: 'R-FIND-2',
    says: 'contexts of different `type` in one signal are different findings',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, several({ type: 'va' }, { type: 'ca' }, { type: 'va' }))]);
      const found = await site.findings(host);
      expect(found.map(({ type, instanceCount }) => [type, instanceCount]).sort()).toEqual([
        ['ca', 1],
        ['va', 2],
      ]);
    },
  },
  ...[undefined, 'x', '09d343004c544e5e9050fff5d912cb19', '09d34300-4c54-4e5e-9050-fff5d912cb1g'].map(
    (id): Row => ({
      rule: 'R-SIG-4',
      says: `the signal’s \`id\` is mandatory, 8-4-4-4-12 hex: not ${id}`,
      holds: (site) => site.expectRefused(signal('any', { id }), /\bid\b/),
    }),
  ),
  {
    rule: 'R-SIG-4',
    says: 'real senders reuse the id, so it is never a key',
    holds: async (site) => {
      const host = site.host();
      await site.upload([named('one', host, { id: idOf(1) }), named('two', host, { id: idOf(1) })]);
      expect(await site.states(host)).toEqual({ one: 'Failed', two: 'Failed' });
      await site.upload([named('one', host, { ...passed(), id: idOf(2) })]);
      expect(await site.states(host)).toEqual({ one: 'Qualified', two: 'Failed' });
    },
  },
  {
    rule: 'R-SIG-4',
    says: 'the id is kept for tracing',
    holds: async (site) => {
      const { body } = await site.client.signal(signal(site.host(), { id: idOf(77) }));
      const events = await site.gateway.eventsOf(body.uploadId);
      expect(events.map(({ payload }) => payload)).toMatchObject([{ signalId: idOf(77) }]);
    },
  },
  {
    rule: 'R-FIND-3',
    says: 'a singular signal without a port speaks for the whole finding and replaces its instances',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, { ...failed(), ...port(['22', '443']) })]);
      await site.upload([signal(host, passed())]);
      expect(await instancesOf(site, host)).toEqual({ '': 'Qualified' });
    },
  },
  {
    rule: 'R-FIND-4',
    says: 'with `port` it sets those instances and drops an unnamed one',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host)]);
      await site.upload([signal(host, port('22'))]);
      expect(await instancesOf(site, host)).toEqual({ 22: 'Failed' });
      await site.upload([signal(host, { ...passed(), ...port('443') })]);
      expect(await instancesOf(site, host)).toEqual({ 22: 'Failed', 443: 'Qualified' });
    },
  },
  ...[
    ['a tag of the signal', { tags: { port: ['22', 443], protocol: 'tcp' } }],
    ['a tag of the context', failed({ tags: { port: ['22', 443], protocol: 'tcp' } })],
    ['a field of the signal', { port: ['22', 443], protocol: 'tcp' }],
    ['a field of the context', failed({ port: ['22', 443], protocol: ['tcp'] })],
  ].map(
    ([what, given]): Row => ({
      rule: 'R-FIND-4',
      says: `\`port\` is ${what}, several allowed, \`protocol\` beside it`,
      holds: async (site) => {
        const host = site.host();
        await site.upload([signal(host, given as object)]);
        expect(await instancesOf(site, host)).toEqual({ '22/tcp': 'Failed', '443/tcp': 'Failed' });
      },
    }),
  ),
  {
    rule: 'R-FIND-5',
    says: '`securityContexts` gives the whole set',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host, several({ port: 22 }, { port: 443 }))]);
      await site.upload([signal(host, several({ port: 443 }, { port: 8443 }))]);
      expect(await instancesOf(site, host)).toEqual({ 443: 'Failed', 8443: 'Failed' });
    },
  },
  {
    rule: 'R-FIND-5',
    says: 'an instance’s key is its `detectionId` (field or tag), else port/protocol',
    holds: async (site) => {
      const host = site.host();
      await site.upload([
        signal(
          host,
          several(
            { detectionId: 'd-1', port: 22 },
            { tags: { detectionId: ['d-2'], port: ['22'] } },
            { port: 22, protocol: 'TCP' },
          ),
        ),
      ]);
      expect(Object.keys(await instancesOf(site, host)).sort()).toEqual(['22/tcp', 'd-1', 'd-2']);
    },
  },
  {
    rule: 'R-FIND-5',
    says: 'else the hash of its observation (repeats numbered)',
    holds: async (site) => {
      const host = site.host();
      const [one, other] = [evidence('libssl 1.0'), evidence('libssl 1.1')];
      await site.upload([signal(host, several(one, other, one))]);
      const keys = Object.keys(await instancesOf(site, host));
      const hashes = keys.filter((key) => /^[0-9a-f]{32}$/.test(key));
      expect(hashes).toHaveLength(2);
      expect(keys.filter((key) => hashes.some((hash) => key === `${hash}#2`))).toHaveLength(1);
      await site.upload([signal(host, several(other, one))]);
      expect(Object.keys(await instancesOf(site, host)).sort()).toEqual(hashes.sort());
    },
  },
  {
    rule: 'R-FIND-7',
    says: 'a finding is Failed while any instance fails, otherwise Qualified',
    holds: async (site) => {
      const host = site.host();
      const pass = { status: { complianceStatus: 'pass' } };
      await site.upload([signal(host, several({ port: 1 }, { port: 2, ...pass }))]);
      expect((await site.finding(host)).state).toBe('Failed');
      await site.upload([signal(host, several({ port: 1, ...pass }, { port: 2, ...pass }))]);
      expect((await site.finding(host)).state).toBe('Qualified');
    },
  },
  ...[
    ['pass', 'Qualified'],
    ['fail', 'Failed'],
    ['unknown', 'NotAssessed'],
  ].flatMap(([word, state]) =>
    [
      { status: { complianceStatus: word } },
      { status: undefined, complianceStatus: { status: state } },
      { status: undefined, complianceStatus: { status: word } },
      { status: { complianceStatus: state } },
      { status: { complianceStatus: word }, complianceStatus: { status: state } },
    ].map(
      (given): Row => ({
        rule: 'R-SIG-6',
        says: `\`${word}\` = \`${state}\`, on either path or both: ${JSON.stringify(given)}`,
        holds: async (site) => {
          const host = site.host();
          expect((await site.findingOf(host, signal(host, failed(given)))).state).toBe(state);
        },
      }),
    ),
  ),
  {
    rule: 'R-SIG-6',
    says: 'both given and disagreeing is a 400',
    holds: (site) =>
      site.expectRefused(
        signal('any', failed({ complianceStatus: { status: 'Qualified' } })),
        /securityContext\.complianceStatus\.status must agree/,
      ),
  },
  {
    rule: 'R-FIND-11',
    says: '"latest" means latest in the log, not the client’s clock',
    holds: async (site) => {
      const host = site.host();
      const times = (ms: number) => ({ lastSeen: site.in(ms), createdAt: site.in(ms) });
      await site.upload([signal(host, { ...failed(), ...times(-HOUR_MS) })]);
      await site.upload([signal(host, { ...passed(), ...times(-9 * DAY_MS) })]);
      expect((await site.finding(host)).state).toBe('Qualified');
    },
  },
  {
    rule: 'R-FIND-9',
    says: 'the states `Failed`, `Qualified`, `NotAssessed`, `AcceptedFailed` are active: lists have them',
    holds: async (site) => {
      const host = site.host();
      await site.upload([
        named('failed', host),
        named('qualified', host, passed()),
        named('not assessed', host, unknown()),
        named('accepted', host),
      ]);
      const { id } = (await site.findings(host)).find(({ name }) => name === 'accepted');
      await site.accept(id);
      const states = {
        failed: 'Failed',
        qualified: 'Qualified',
        'not assessed': 'NotAssessed',
        accepted: 'AcceptedFailed',
      };
      expect(await site.states(host)).toEqual(states);
      for (const [name, state] of Object.entries(states)) {
        expect(await site.findings(host, state)).toMatchObject([{ name }]);
      }
    },
  },
  ...[
    ['expired', async (site: Site, host: string) => void (await site.expiredOn(host))],
    [
      'replaced',
      async (site: Site, host: string) => {
        await site.upload([signal(host)]);
        await site.upload([named('Another', host)], replacing('va'));
      },
    ],
    [
      'retention',
      async (site: Site, host: string) => {
        await site.upload([signal(host, { expiresAt: site.in(400 * DAY_MS) })]);
        await site.pass(91 * DAY_MS);
      },
    ],
    [
      'revoked',
      async (site: Site, host: string) => {
        await site.upload([signal(host)]);
        await site.upload([signal(host, { revoked: true })]);
      },
    ],
  ].map(
    ([reason, retire]): Row => ({
      rule: 'R-FIND-9',
      says: `leaving the active set is \`Retired\` with the reason \`${reason}\`; by id it is shown with it`,
      holds: async (site) => {
        const host = site.host();
        await (retire as (site: Site, host: string) => Promise<void>)(site, host);
        const [retired] = await site.findings(host, 'Retired');
        expect(await site.get(retired.id)).toMatchObject({ state: 'Retired', retiredReason: reason });
      },
    }),
  ),
  {
    rule: 'R-QRY-4',
    says: 'lists leave Retired out unless `state=Retired`',
    holds: async (site) => {
      const host = site.host();
      const id = await site.expiredOn(host);
      const list = (query: string) =>
        site.client.all(`/api/v3/findings?assetId=${assetId}${query}`).then((all) => all.map((f) => f.id));
      const { assetId } = await site.get(id);
      expect([await list(''), await list('&state=Retired')]).toEqual([[], [id]]);
      await site.sweep();
      expect([await list(''), await list('&state=Retired')]).toEqual([[], [id]]);
    },
  },
  {
    rule: 'R-FIND-10',
    says: 'a finding that comes back keeps its id and history',
    holds: async (site) => {
      const host = site.host();
      const id = await site.expiredOn(host);
      await site.upload([signal(host)]);
      expect((await site.finding(host)).id).toBe(id);
      expect((await site.history(id)).map(({ change, from, to }) => [change, from, to])).toEqual([
        ['created', null, 'Failed'],
        ['retired', 'Failed', 'Retired'],
        ['returned', 'Retired', 'Failed'],
      ]);
    },
  },
];
