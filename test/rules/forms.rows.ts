import { expect } from '@jest/globals';
import type { Row } from './row.ts';
import { described, entity, failed, signal } from './signals.ts';

/** The text of a sender, and the value on the finding or the asset. */
interface Lenience {
  rule: Row['rule'];
  says: string;
  given: object;
  finding?: object;
  asset?: object;
}

const LENIENT: Lenience[] = [
  {
    rule: 'R-SIG-2',
    says: 'an explicit null at any depth means absent',
    given: {
      description: null,
      source: { name: null },
      securityContexts: null,
      ...entity('', { tags: null, criticality: null }),
      ...failed({ severity: { value: 5, cvss: { vector: null } }, evidence: null, remediation: null }),
    },
    finding: { description: null, severity: { value: 5 } },
  },
  {
    rule: 'R-SIG-2',
    says: '`{}` for an optional object means absent',
    given: { source: {}, tags: {}, securityContexts: [], ...failed({ evidence: {}, remediation: {} }) },
    finding: { source: null, observation: null, remediation: null },
  },
  {
    rule: 'R-SIG-10',
    says: '`type` may be `["default"]`',
    given: { type: ['default'] },
    finding: { state: 'Failed' },
  },
  {
    rule: 'R-SIG-10',
    says: 'a tag value may be string, number, boolean or array',
    given: entity('', { tags: { text: 'a', number: 7, flag: true, list: ['a', 8, false] } }),
    asset: { tags: { text: ['a'], number: ['7'], flag: ['true'], list: ['a', '8', 'false'] } },
  },
  {
    rule: 'R-SIG-10',
    says: 'enum values and mapping names in any case',
    given: {
      ...entity('', { criticality: 'HIGH' }, 'MACHINE'),
      ...failed({
        type: 'VA',
        status: { complianceStatus: 'FAIL' },
        standardsMapping: [{ name: 'Cve', value: 'cve-2021-44228' }],
      }),
    },
    finding: { type: 'va', state: 'Failed', cves: ['CVE-2021-44228'] },
    asset: { criticality: 'high' },
  },
  {
    rule: 'R-SIG-9',
    says: 'several CVEs in one value',
    given: failed({
      standardsMapping: [{ name: 'cve', value: 'CVE-2021-44228, CVE-2021-45046;CVE-2021-45105' }],
    }),
    finding: { cves: ['CVE-2021-44228', 'CVE-2021-45046', 'CVE-2021-45105'] },
  },
  ...Object.entries({ critical: 9.5, high: 8, Medium: 5.5, low: 2.5, info: 0 }).map(
    ([level, value]): Lenience => ({
      rule: 'R-SIG-7',
      says: `\`severity.value\` missing with the level ${level}: ${value}`,
      given: failed({ severity: { level } }),
      finding: { severity: { value, level: level.toLowerCase() } },
    }),
  ),
  {
    rule: 'R-SIG-9',
    says: 'the technique in `attackPattern[].mapping.techniqueId`',
    given: failed({ attackPattern: [{ mapping: { techniqueId: 't1059.001' } }] }),
    finding: { techniques: ['T1059.001'] },
  },
  ...['ttp', 'MITRE', 'attack'].map(
    (name): Lenience => ({
      rule: 'R-SIG-9',
      says: `the technique in \`standardsMapping\` as \`${name}\``,
      given: failed({ standardsMapping: [{ name, value: 'T1059' }] }),
      finding: { techniques: ['T1059'] },
    }),
  ),
  {
    rule: 'R-SIG-15',
    says: '`openSince` dates the finding if `firstSeen` is missing',
    given: { openSince: '2025-01-02T03:04:05Z' },
    finding: { firstSeen: '2025-01-02T03:04:05.000Z' },
  },
  {
    rule: 'R-SIG-11',
    says: 'hostname, fqdn, location, dept and os in tags',
    given: entity('', {
      tags: {
        hostname: ['tagged'],
        fqdn: ['tagged.acme.example'],
        location: ['Oslo'],
        dept: ['Legal'],
        os: ['Debian 13'],
      },
    }),
    asset: {
      hostname: 'tagged',
      fqdn: 'tagged.acme.example',
      location: 'Oslo',
      department: 'Legal',
      os: 'Debian 13',
      type: 'Debian',
    },
  },
  {
    rule: 'R-SIG-11',
    says: '`locationName` and `departmentName` in tags',
    given: entity('', { tags: { locationName: 'Bergen', departmentName: 'Sales' } }),
    asset: { location: 'Bergen', department: 'Sales' },
  },
  {
    rule: 'R-SIG-12',
    says: 'format 2.x fields `cves[].id`, on the signal and in the context',
    given: {
      cves: [{ id: 'CVE-2020-0001' }],
      ...failed({ standardsMapping: undefined, cves: [{ id: 'CVE-2020-0002' }] }),
    },
    finding: { cves: expect.arrayContaining(['CVE-2020-0001', 'CVE-2020-0002']) },
  },
  {
    rule: 'R-SIG-12',
    says: 'format 2.x fields `port` and `protocol`',
    given: failed({ port: 8443, protocol: 'TCP' }),
    finding: { instances: [expect.objectContaining({ key: '8443/tcp' })] },
  },
  {
    rule: 'R-SIG-12',
    says: 'format 2.x field `detectionId`',
    given: {
      securityContext: undefined,
      securityContexts: [{ ...failed().securityContext, detectionId: 'ldt:9' }],
    },
    finding: { instances: [expect.objectContaining({ key: 'ldt:9' })] },
  },
  {
    rule: 'R-SIG-12',
    says: 'format 2.x fields `entityAttributes.{fqdn, department[], location[], networkInterface[]}`, `ipv6`',
    given: entity('', {
      fqdn: 'fields.acme.example',
      department: ['Ops'],
      location: ['Lima'],
      networkInterface: [{ ipv4: '10.3.2.1', ipv6: '2001:DB8::5', macAddress: '00-50-56-AA-BB-CC' }],
    }),
    asset: {
      fqdn: 'fields.acme.example',
      department: 'Ops',
      location: 'Lima',
      ipAddresses: ['10.3.2.1', '2001:db8::5'],
      macAddresses: ['00:50:56:aa:bb:cc'],
    },
  },
  {
    rule: 'R-SIG-13',
    says: 'CIA `critical` as high, `info` as low',
    given: entity('', {
      confidentialityRequirement: 'critical',
      integrityRequirement: 'info',
      availabilityRequirement: 'Medium',
    }),
    asset: {
      confidentialityRequirement: 'high',
      integrityRequirement: 'low',
      availabilityRequirement: 'medium',
    },
  },
  ...['outsideIn', 'log', 'backup', 'network', 'dlp', 'email'].map(
    (type): Lenience => ({
      rule: 'R-SIG-8',
      says: `the finding type \`${type}\` becomes \`others\` and keeps its name as subtype`,
      given: failed({ type }),
      finding: { type: 'others', subtype: type },
    }),
  ),
];

const lenientRow = ({ rule, says, given, finding, asset }: Lenience): Row => ({
  rule,
  says,
  holds: async (site) => {
    const host = site.host();
    const signalled = signal(host, given) as { entity: { name: string } };
    signalled.entity = { ...signalled.entity, name: host };
    await site.upload([signalled]);
    if (finding) expect(await site.finding(host)).toMatchObject(finding);
    if (asset) expect(await site.asset(host)).toMatchObject(asset);
  },
});

export const FORMS: Row[] = [
  ...LENIENT.map(lenientRow),
  {
    rule: 'R-SIG-7',
    says: 'a severity with neither value nor level is a 400',
    holds: (site) =>
      site.expectRefused(signal('any', failed({ severity: { type: 'cvss' } })), /severity\.value/),
  },
  {
    rule: 'R-SIG-20',
    says: '`confidence` is taken',
    holds: async (site) => {
      const { id } = await site.upload([signal(site.host(), { confidence: 80 })]);
      const [event] = await site.gateway.eventsOf(id);
      expect(event!.payload).toMatchObject({ confidence: 80 });
    },
  },
  {
    rule: 'R-FIND-12',
    says: '`revoked` retires',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      await site.upload([signal(host, { revoked: true })]);
      expect(await site.get(id)).toMatchObject({ state: 'Retired', retiredReason: 'revoked' });
    },
  },
  {
    rule: 'R-FIND-12',
    says: '`revoked` retires, also if its `expiresAt` has passed',
    holds: async (site) => {
      const host = site.host();
      const { id } = await site.findingOf(host, signal(host));
      await site.upload([signal(host, { revoked: true, expiresAt: '2020-01-01T00:00:00Z' })]);
      expect(await site.get(id)).toMatchObject({ state: 'Retired', retiredReason: 'revoked' });
    },
  },
  {
    rule: 'R-SIG-5',
    says: 'both `securityContext` and `securityContexts` non-null: 400; neither, unless `entityOnly`: 400',
    holds: async (site) => {
      const both = signal('any', { securityContexts: [failed().securityContext] });
      await site.expectRefused(both, /securityContexts/);
      await site.expectRefused(signal('any', { securityContext: undefined }), /securityContext.*entityOnly/);
      await site.upload([described(site.host())]);
    },
  },
  {
    rule: 'R-HTTP-3',
    says: 'doubled slashes in a path are tolerated',
    holds: async (site) => {
      const path = '//api//v3///signals//';
      expect((await site.client.request('POST', path, JSON.stringify(signal('any')))).status).toBe(200);
      expect((await site.client.request('GET', '//api/v3//findings')).status).toBe(200);
    },
  },
  {
    rule: 'R-HTTP-3',
    says: 'auth takes any or no Content-Type',
    holds: async (site) => {
      const { gateway } = site;
      const authorization = `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}`;
      for (const type of [undefined, 'text/plain', 'application/json', 'application/xml', 'nonsense']) {
        const headers = { authorization, ...(type && { 'content-type': type }) };
        expect((await fetch(`${gateway.url}/api/v3/auth`, { method: 'POST', headers })).status).toBe(200);
      }
    },
  },
];
