import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isoTime } from '#libs/domain';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const STEP_MS = 300_000;

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
  const context = (cve: string) => ({
    securityContext: {
      type: 'va',
      status: { complianceStatus: 'fail' },
      severity: { type: 'cvss', value: 9.8 },
      standardsMapping: [{ name: 'cve', value: cve }],
    },
  });
  const { body } = await client.zip(
    await zipOf({
      'a.json': plainSignal('withdrawn', 'web01', context('CVE-2024-10001')),
      'b.json': plainSignal('plain', 'web01', context('CVE-2024-10002')),
    }),
  );
  await client.folded(body.uploadId);
  // A catalogue called the CVE rejected from one step on until before three.
  await gateway.database.pool.query(
    `insert into catalogue_rows (catalogue, cve, value, valid_from, valid_to)
     values ('cve', 'CVE-2024-10001', '{"state": "REJECTED"}', $1, $2)`,
    [isoTime(MONDAY + STEP_MS), isoTime(MONDAY + 3 * STEP_MS)],
  );
});
afterAll(() => gateway.stop());

interface Counted {
  id: string;
  name: string;
  counted: boolean;
  notCountedBecause: string | null;
}

const REASON = 'no CVE of it is valid: all are Reserved, Disputed, Rejected or ill-formed';
const VALID = { plain: null, withdrawn: null };
const WITHDRAWN = { plain: null, withdrawn: REASON };

/** Name → why it does not count, by every way to read findings; exports are of the list. */
async function reasons(query: string): Promise<Record<string, string | null>[]> {
  const list: Counted[] = await client.all(`/api/v3/findings${query && `?${query}`}`);
  const [asset] = await client.all('/api/v3/assets');
  const ofAsset: Counted[] = await client.all(`/api/v3/assets/${asset.id}/findings${query && `?${query}`}`);
  const single: Counted[] = [];
  for (const { id } of list) single.push(await client.get(`/api/v3/findings/${id}${query && `?${query}`}`));
  return [list, ofAsset, single].map((findings) => {
    for (const one of findings) expect(one.counted).toBe(one.notCountedBecause === null);
    return Object.fromEntries(findings.map(({ name, notCountedBecause }) => [name, notCountedBecause]));
  });
}

it.each([
  ['before a catalogue calls the CVE rejected', 0, VALID],
  ['from then on', 1, WITHDRAWN],
  ['until it no more does', 3, VALID],
])('%s, readers get whether a finding counts, now and at an instant', async (_, steps, expected) => {
  now = MONDAY + steps * STEP_MS;
  expect(await reasons('')).toEqual(Array(3).fill(expected));
  now = MONDAY + 9 * STEP_MS;
  expect(await reasons(`asOf=${isoTime(MONDAY + steps * STEP_MS)}`)).toEqual(Array(3).fill(expected));
});

it('a finding shows the catalogue data of its CVEs and techniques, at an instant too', async () => {
  await gateway.database.pool.query(
    `insert into catalogue_rows (catalogue, cve, value, valid_from, valid_to)
     values ('epss', 'CVE-2024-10002', '{"probability": 0.42, "date": "2026-03-02"}', $1, 'infinity'),
            ('kev', 'CVE-2024-10002', '{"dateAdded": "2026-03-01"}', $1, 'infinity')`,
    [isoTime(MONDAY + STEP_MS)],
  );
  now = MONDAY + 9 * STEP_MS;
  const { securityContext, ...signal } = plainSignal('techniques', 'web01');
  const standardsMapping = ['CVE-2024-10002', 'T1059.001', 'T9999'].map((value) => ({
    name: value.startsWith('CVE') ? 'cve' : 'ttp',
    value,
  }));
  const { body } = await client.zip(
    await zipOf({ 'c.json': { ...signal, securityContext: { ...securityContext, standardsMapping } } }),
  );
  await client.folded(body.uploadId);
  const [item] = await client.all('/api/v3/findings?name=techniques');
  expect(item).not.toHaveProperty('mappings');
  const { mappings } = await client.get(`/api/v3/findings/${item.id}`);
  expect(mappings).toEqual({
    cves: [
      {
        id: 'CVE-2024-10002',
        state: null,
        epss: { probability: 0.42, date: '2026-03-02' },
        knownExploitedSince: '2026-03-01',
      },
    ],
    techniques: [
      { id: 'T1059.001', name: 'PowerShell', tactics: ['execution'], revoked: false },
      { id: 'T9999', name: null, tactics: [], revoked: false },
    ],
  });
  const [plain] = await client.all('/api/v3/findings?name=plain');
  const before = await client.get(`/api/v3/findings/${plain.id}?asOf=${isoTime(MONDAY + 1)}`);
  expect(before.mappings.cves).toEqual([
    { id: 'CVE-2024-10002', state: null, epss: null, knownExploitedSince: null },
  ]);
});

it('a technique counts by the imported ATT&CK', async () => {
  const since = isoTime(MONDAY + STEP_MS);
  now = MONDAY + 9 * STEP_MS;
  const { securityContext, ...signal } = plainSignal('withdrawn technique', 'web01');
  const standardsMapping = [{ name: 'ttp', value: 'T1059' }];
  const { body } = await client.zip(
    await zipOf({ 'd.json': { ...signal, securityContext: { ...securityContext, standardsMapping } } }),
  );
  await client.folded(body.uploadId);
  const [{ id, counted }] = await client.all('/api/v3/findings?name=withdrawn technique');
  expect(counted).toBe(true);
  const row = {
    name: 'Old',
    tactics: [],
    revoked: true,
    deprecated: false,
    revokedBy: null,
    mitigations: [],
  };
  await gateway.database.pool.query(
    `insert into catalogue_imports (id, catalogue, source, started_at, content_hash, valid_from)
     values ('00000000-0000-4000-8000-000000000001', 'attack', 'enterprise-attack.json', $1, 'f0', $1)`,
    [since],
  );
  await gateway.database.pool.query(
    `insert into catalogue_rows (catalogue, cve, value, valid_from) values ('attack', 'T1059', $2, $1)`,
    [since, JSON.stringify(row)],
  );
  const [item] = await client.all('/api/v3/findings?name=withdrawn technique');
  expect(item).toMatchObject({ counted: false, notCountedBecause: expect.stringMatching(/not revoked/) });
  const { mappings } = await client.get(`/api/v3/findings/${id}`);
  expect(mappings.techniques).toEqual([{ id: 'T1059', name: 'Old', tactics: [], revoked: true }]);
});
