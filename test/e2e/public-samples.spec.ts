import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, zipOf } from '../support/api-client.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { expectVerified } from '../support/verify.ts';

const FOLDER = new URL('../../../shared/samples/signals/', import.meta.url);

interface Row {
  file: string;
  asset: string;
  entityType: 'machine' | 'user';
  type: string;
  name: string;
  state: string;
  cves: string[];
  techniques: string[];
  severity: number;
  instances: string[];
}

const MACHINE = { asset: 'MyVirtualMachine.acme.com', entityType: 'machine' } as const;
const FIREWALL = "Ensure 'Windows Firewall: Domain: Firewall state' is set to 'On (recommended)'";
const RPC = 'rpc.py through 0.6.0 allows Remote Code Execution';
const USER = { asset: 'john.doe@acme.com', entityType: 'user', type: 'uba', state: 'Qualified' } as const;
const PII = 'User Personally Identifiable Information in the dark web';

const ROWS: Row[] = [
  {
    file: 'simple-ca',
    ...MACHINE,
    type: 'ca',
    name: FIREWALL,
    state: 'Failed',
    cves: [],
    techniques: [],
    severity: 7.2,
    instances: [''],
  },
  {
    file: 'high-quality-ca',
    ...MACHINE,
    type: 'ca',
    name: FIREWALL,
    state: 'Failed',
    cves: [],
    techniques: ['T1098'],
    severity: 7.2,
    instances: [''],
  },
  {
    file: 'simple-va',
    ...MACHINE,
    type: 'va',
    name: RPC,
    state: 'Failed',
    cves: ['CVE-2022-35411'],
    techniques: [],
    severity: 9.8,
    instances: [''],
  },
  {
    file: 'high-quality-va',
    ...MACHINE,
    type: 'va',
    name: RPC,
    state: 'Failed',
    cves: ['CVE-2022-35411'],
    techniques: ['T1586', 'T1499', 'T1210'],
    severity: 8,
    instances: ['443', '80'],
  },
  {
    file: 'simple-edr',
    ...MACHINE,
    type: 'edr',
    name: 'SuspiciousNetworkConnectionLin',
    state: 'Failed',
    cves: [],
    techniques: ['T1059'],
    severity: 5.5,
    instances: ['999e1e2a-effc-4317-b7b3-31e184d15491'],
  },
  {
    file: 'high-quality-edr',
    ...MACHINE,
    type: 'edr',
    name: 'SystemInfoDiscovery',
    state: 'Failed',
    cves: [],
    techniques: ['T1005'],
    severity: 8,
    instances: ['111e1e2a-effc-4317-b7b3-31e184d15481', '999e1e2a-effc-4317-b7b3-31e184d15481'],
  },
  { file: 'simple-uba', ...USER, name: PII, cves: [], techniques: [], severity: 8, instances: [''] },
  {
    file: 'high-quality-uba',
    ...USER,
    name: PII,
    cves: [],
    techniques: ['T1589.002', 'T1589.003', 'T1597.001', 'T1597.002', 'T1586.002', 'T1585.001'],
    severity: 9.5,
    instances: [''],
  },
];

const textOf = ({ file }: Row) => readFileSync(new URL(`${file}-signal.json`, FOLDER), 'utf8');

/** Every field that a signal can have, absent. */
const ABSENT = {
  version: null,
  type: null,
  description: null,
  source: { name: null, nextSubmissionIntervalInMins: null },
  entity: {
    entityAttributes: {
      ipAddresses: null,
      type: null,
      criticality: null,
      confidentialityRequirement: null,
      integrityRequirement: null,
      availabilityRequirement: null,
      tags: null,
      fqdn: null,
      department: null,
      location: null,
      networkInterface: null,
    },
    connectionAttributes: null,
  },
  tags: null,
  securityContext: null,
  securityContexts: null,
  confidence: null,
  openSince: null,
  revoked: null,
  entityOnly: null,
  firstSeen: null,
  lastSeen: null,
  createdAt: null,
  expiresAt: null,
};
const ABSENT_IN_CONTEXT = {
  subType: null,
  severity: {
    type: null,
    value: null,
    level: null,
    cvss: { version: null, vector: null, baseScore: null, temporalScore: null },
  },
  complianceStatus: null,
  standardsMapping: null,
  attackPattern: null,
  evidence: {},
  remediation: { description: null, reference: null, impact: null },
  controlType: null,
  cves: null,
  detectionId: null,
  port: null,
  protocol: null,
  tags: null,
};

function filled(given: any, absent: any): any {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const all = { ...absent, ...given };
  for (const key of Object.keys(given)) if (absent?.[key]) all[key] = filled(given[key], absent[key]);
  return all;
}

function withNulls(signal: any): any {
  const all = filled(signal, ABSENT);
  if (signal.securityContext) all.securityContext = filled(signal.securityContext, ABSENT_IN_CONTEXT);
  if (signal.securityContexts) {
    all.securityContexts = signal.securityContexts.map((context: any) => filled(context, ABSENT_IN_CONTEXT));
  }
  return all;
}

const describeSamples = existsSync(FOLDER) ? describe : describe.skip;

describeSamples('the public samples of real senders (ADR-0020)', () => {
  let program: StandaloneHere;
  let client: ApiClient;
  beforeAll(async () => {
    program = await StandaloneHere.start();
    client = await program.client();
  }, 90_000);
  afterAll(() => program.stopAndRemove());

  async function expectFinding(uploadId: string, row: Row): Promise<void> {
    const upload = await client.folded(uploadId);
    expect(upload).toMatchObject({ accepted: 1, folded: 1 });
    const [asset] = (await client.get(`/api/v3/assets?name=${row.asset.toLowerCase()}`)).items;
    expect(asset).toMatchObject({ name: row.asset, entityType: row.entityType });
    const findings = await client.all(`/api/v3/assets/${asset.id}/findings?type=${row.type}`);
    const [item] = findings.filter(({ name }) => name === row.name);
    expect(item).toMatchObject({ state: row.state, cves: row.cves, techniques: row.techniques });
    const finding = await client.get(`/api/v3/findings/${item.id}`);
    expect(finding.severity.value).toBe(row.severity);
    expect(finding.instances.map(({ key }: { key: string }) => key)).toEqual(row.instances);
    const counts = row.state === 'Failed' && row.cves.length + row.techniques.length > 0;
    expect(finding.counted).toBe(counts);
    expect(finding.notCountedBecause === null).toBe(counts);
  }

  it.each(ROWS)('$file goes in as JSON unmodified', async (row) => {
    const { status, body } = await client.signal(textOf(row));
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, accepted: 1, ignored: 0 } });
    await expectFinding(body.uploadId, row);
  });

  it.each(ROWS)('$file goes in with every absent field as null', async (row) => {
    const { status, body } = await client.signal(withNulls(JSON.parse(textOf(row))));
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true } });
    await expectFinding(body.uploadId, row);
  });

  it('all of them go in as a ZIP', async () => {
    const zip = await zipOf(Object.fromEntries(ROWS.map((row) => [`${row.file}.json`, textOf(row)])));
    const { status, body } = await client.zip(zip);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, accepted: 8, rejected: 0 },
    });
    const last = ROWS.filter(({ file }) => file.startsWith('high-quality') || file === 'simple-edr');
    await client.folded(body.uploadId);
    const [asset] = (await client.get('/api/v3/assets?name=myvirtual')).items;
    expect(asset).toMatchObject({ department: 'Finance', location: 'Mumbai', criticality: 'high' });
    const findings = await client.all('/api/v3/findings');
    expect(findings.map(({ name }) => name).sort()).toEqual(last.map(({ name }) => name).sort());
  });

  it('left tables that equal the fold of the log', () => expectVerified(program.env), 60_000);
});
