import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS, readSignal } from '#libs/domain';
import { parseSignal } from './parse-signal.ts';

/** Third-party samples, reported as skipped if they are not available. */
const samples = new URL('../../../../../shared/samples/signals/', import.meta.url);
const itWithSamples = existsSync(samples) ? it : it.skip;

const FIREWALL = "Ensure 'Windows Firewall: Domain: Firewall state' is set to 'On (recommended)'";
const RPC = 'rpc.py through 0.6.0 allows Remote Code Execution';
const DARK_WEB = 'User Personally Identifiable Information in the dark web';

interface Row {
  file: string;
  key: string;
  name: string;
  type: string;
  mode: 'whole' | 'merge';
  statuses: Record<string, 'pass' | 'fail'>;
  severity: number;
  cves: string[];
  techniques: string[];
  entity: Record<string, unknown>;
}

const MACHINE = {
  key: 'machine:myvirtualmachine',
  severity: 7.2,
  mode: 'whole',
  cves: [],
  techniques: [],
} as const;
const ACME = {
  name: 'MyVirtualMachine.acme.com',
  hostname: 'MyVirtualMachine',
  fqdn: 'MyVirtualMachine.acme.com',
};
const RICH = {
  ...ACME,
  criticality: 'high',
  confidentialityRequirement: 'high',
  location: 'Mumbai',
  department: 'Finance',
  os: 'CentOS 7',
  typing: expect.objectContaining({ type: 'CentOS' }),
  unrecognisedTags: [],
};

const ROWS: Row[] = [
  {
    ...MACHINE,
    file: 'simple-ca-signal.json',
    name: FIREWALL,
    type: 'ca',
    statuses: { '': 'fail' },
    cves: [],
    techniques: [],
    entity: ACME,
  },
  {
    ...MACHINE,
    file: 'high-quality-ca-signal.json',
    name: FIREWALL,
    type: 'ca',
    statuses: { '': 'fail' },
    cves: [],
    techniques: ['T1098'],
    entity: RICH,
  },
  {
    ...MACHINE,
    file: 'simple-va-signal.json',
    name: RPC,
    type: 'va',
    statuses: { '': 'fail' },
    severity: 9.8,
    cves: ['CVE-2022-35411'],
    techniques: [],
    entity: ACME,
  },
  {
    ...MACHINE,
    file: 'high-quality-va-signal.json',
    name: RPC,
    type: 'va',
    mode: 'merge',
    statuses: { '443': 'fail', '80': 'fail' },
    severity: 8,
    cves: ['CVE-2022-35411'],
    techniques: ['T1586', 'T1499', 'T1210'],
    entity: RICH,
  },
  {
    ...MACHINE,
    file: 'simple-edr-signal.json',
    name: 'SuspiciousNetworkConnectionLin',
    type: 'edr',
    statuses: { '999e1e2a-effc-4317-b7b3-31e184d15491': 'fail' },
    severity: 5.5,
    cves: [],
    techniques: ['T1059'],
    entity: { ...ACME, ipAddresses: ['10.0.6.173'] },
  },
  {
    ...MACHINE,
    file: 'high-quality-edr-signal.json',
    name: 'SystemInfoDiscovery',
    type: 'edr',
    statuses: {
      '999e1e2a-effc-4317-b7b3-31e184d15481': 'fail',
      '111e1e2a-effc-4317-b7b3-31e184d15481': 'fail',
    },
    severity: 8,
    cves: [],
    techniques: ['T1005'],
    entity: { ...ACME, typing: expect.objectContaining({ type: 'Windows Server' }) },
  },
  {
    ...MACHINE,
    file: 'simple-uba-signal.json',
    key: 'user:john.doe@acme.com',
    name: DARK_WEB,
    type: 'uba',
    statuses: { '': 'pass' },
    severity: 8,
    cves: [],
    techniques: [],
    entity: { name: 'john.doe@acme.com', fqdn: null },
  },
  {
    ...MACHINE,
    file: 'high-quality-uba-signal.json',
    key: 'user:john.doe@acme.com',
    name: DARK_WEB,
    type: 'uba',
    statuses: { '': 'pass' },
    severity: 9.5,
    cves: [],
    techniques: ['T1589.002', 'T1589.003', 'T1597.001', 'T1597.002', 'T1586.002', 'T1585.001'],
    entity: { location: 'Mumbai', department: 'Engineering', unrecognisedTags: ['designationName'] },
  },
];

/** Fields of a signal, set to null if a sample lacks them. */
const ABSENT = {
  signal: [
    'version',
    'type',
    'entityOnly',
    'description',
    'source',
    'tags',
    'securityContext',
    'securityContexts',
    'cves',
    'port',
  ].concat([
    'protocol',
    'confidence',
    'revoked',
    'firstSeen',
    'lastSeen',
    'openSince',
    'createdAt',
    'expiresAt',
  ]),
  entityAttributes: [
    'ipAddresses',
    'networkInterface',
    'type',
    'criticality',
    'fqdn',
    'department',
    'location',
    'tags',
  ].concat(['confidentialityRequirement', 'integrityRequirement', 'availabilityRequirement']),
  context: [
    'subType',
    'complianceStatus',
    'standardsMapping',
    'attackPattern',
    'cves',
    'evidence',
    'remediation',
  ].concat(['description', 'controlType', 'detectionId', 'port', 'protocol', 'tags']),
  severity: ['type', 'value', 'level', 'cvss'],
};

const nulls = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

type Sample = Record<string, unknown> & {
  entity: { entityAttributes?: object; [name: string]: unknown };
  securityContext?: { severity: object };
  securityContexts?: { severity: object }[];
};

function withNulls(sample: Sample): object {
  const context = (given: { severity: object }) => ({
    ...nulls(ABSENT.context),
    ...given,
    severity: { ...nulls(ABSENT.severity), ...given.severity },
  });
  const { entity, securityContext, securityContexts } = sample;
  return {
    ...nulls(ABSENT.signal),
    ...sample,
    entity: {
      ...entity,
      entityAttributes: { ...nulls(ABSENT.entityAttributes), ...entity.entityAttributes },
    },
    securityContext: securityContext ? context(securityContext) : null,
    securityContexts: securityContexts ? securityContexts.map(context) : null,
  };
}

function read(bytes: Buffer) {
  const parsed = parseSignal(bytes);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const reading = readSignal(parsed.signal, {
    route: 'zip',
    receivedAt: Date.parse('2026-03-01T12:00:00.000Z'),
    rules: { importAssets: true, updateMetadata: true, overrideAccepted: false },
    settings: DEFAULT_SETTINGS,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  if (reading.payload.type !== 'SignalReceived') throw new Error(reading.payload.type);
  return { ...reading, payload: reading.payload };
}

describe('the public sample signals go in unmodified (ADR-0020)', () => {
  itWithSamples('every one of them has its row', () => {
    expect(readdirSync(samples).sort()).toEqual(ROWS.map(({ file }) => file).sort());
  });

  for (const row of ROWS) {
    itWithSamples(
      `${row.file}: findings, states, CVEs and techniques, also with every absent field as null`,
      () => {
        const bytes = readFileSync(new URL(row.file, samples));
        const reading = read(bytes);
        const { payload } = reading;
        expect([reading.entityKey, payload.name, payload.extra, reading.warnings]).toEqual([
          row.key,
          row.name,
          null,
          [],
        ]);
        expect(payload.entity).toMatchObject(row.entity);
        expect(payload.observations).toHaveLength(1);
        const [{ type, mode, instances }] = payload.observations as [(typeof payload.observations)[0]];
        expect([type, mode]).toEqual([row.type, row.mode]);
        expect(Object.fromEntries(instances.map(({ key, status }) => [key, status]))).toEqual(row.statuses);
        for (const { severity, cves, techniques } of instances) {
          expect([severity.value, cves, techniques]).toEqual([row.severity, row.cves, row.techniques]);
        }
        const filled = Buffer.from(JSON.stringify(withNulls(JSON.parse(bytes.toString()))));
        expect(read(filled)).toEqual(reading);
      },
    );
  }
});
