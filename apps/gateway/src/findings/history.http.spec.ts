import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS, event, instance, observation, signal } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import type { HistoryItemDto } from './finding.dto.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
/** More than are read at once. */
const CHANGES = 70;
const SYNC = '5b2c0f3e-7a4d-4c8e-9f61-2d3e4f5a6b7c';
const INTEGRATION = '0f9e8d7c-6b5a-4f3e-8d2c-1b0a9f8e7d6c';

let now = MONDAY;
let gateway: StartedGateway;
let client: ApiClient;
let uploadId: string;

const day = (n: number) => new Date(MONDAY + n * DAY_MS).toISOString();
const weaker = (value: number) => ({
  securityContext: { type: 'va', status: { complianceStatus: 'fail' }, severity: { value } },
});

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now });
  const analyst = await gateway.client('analyst');
  uploadId = (await analyst.zip(await zipOf({ 'one.json': plainSignal('Open port', 'web01') }))).body
    .uploadId;
  for (let n = 1; n < CHANGES; n += 1) {
    now = MONDAY + n;
    await analyst.signal(plainSignal('Many', 'web01', weaker((n % 10) + 0.1 * (n % 7))));
  }
  now = MONDAY + DAY_MS;
  await (await gateway.client('analyst')).signal(plainSignal('Open port', 'web01', weaker(3)), {
    'x-request-id': 'request-1',
  });
  const pulled = signal('Open port', 'pass', {
    expiresAt: now + 100 * DAY_MS,
    retainUntil: now + 100 * DAY_MS,
    observations: [observation('va', [instance('pass')])],
  });
  const sync = event(pulled, now + DAY_MS, { kind: 'sync', uploadId, ordinal: 9, syncId: SYNC });
  await gateway.database.pool.query(
    `insert into syncs (id, integration_id, action, is_full, requested_at, stage, status)
     values ($1, $2, 'manual', true, now(), 'COMPLETED', 0)`,
    [SYNC, INTEGRATION],
  );
  await gateway.log.append(INTAKE_TOPIC, [{ key: sync.envelope.entityKey, value: encodeIntake(sync) }]);
  await project();
  now = MONDAY + 6 * DAY_MS;
  client = await gateway.client('viewer');
}, 60_000);
afterAll(() => gateway.stop());

async function project(): Promise<void> {
  const projection = new Projection(gateway.database.db);
  for (const [partition, end] of (await gateway.log.ends(INTAKE_TOPIC)).entries()) {
    await projection.open(partition);
    for await (const records of gateway.log.read(INTAKE_TOPIC, partition, 0, end)) {
      await projection.project(records);
    }
  }
}

async function historyOf(name: string, query = ''): Promise<HistoryItemDto[]> {
  const findings = await client.all(`/api/v3/findings?name=${encodeURIComponent(name)}`);
  return client.all(`/api/v3/findings/${findings[0].id}/history${query}`);
}

async function pages(path: string, limit: number): Promise<HistoryItemDto[]> {
  const items: HistoryItemDto[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${cursor}`);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

describe('GET /api/v3/findings/:id/history', () => {
  it('shows each change with values before and after, and its cause down to the event', async () => {
    const history = await historyOf('Open port');
    expect(history.map(({ change, from, to, version }) => [change, from, to, version])).toEqual([
      ['created', null, 'Failed', 1],
      ['updated', 'Failed', 'Failed', 2],
      ['stateChanged', 'Failed', 'Qualified', 3],
    ]);
    const [created, updated, passed] = history as [HistoryItemDto, HistoryItemDto, HistoryItemDto];
    expect(created.changes).toContainEqual({ field: 'state', key: null, before: null, after: 'Failed' });
    expect(created.cause).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'zip',
      uploadId,
      entry: 'one.json',
      syncId: null,
      integrationId: null,
      user: 'analyst',
      requestId: expect.any(String),
    });
    expect(updated.changes.map(({ field, key }) => [field, key])).toEqual([
      ['severity', null],
      ['cves', null],
      ['instances', ''],
    ]);
    expect(updated.changes[1]).toEqual({ field: 'cves', key: null, before: ['CVE-2021-44228'], after: null });
    expect(passed.changes).toContainEqual({
      field: 'state',
      key: null,
      before: 'Failed',
      after: 'Qualified',
    });
    expect(passed.cause).toMatchObject({ kind: 'sync', syncId: SYNC, integrationId: INTEGRATION });
    expect(history.every(({ changesLeftOut }) => changesLeftOut === 0)).toBe(true);
  });

  it('is the same on pages of any size, at an instant too', async () => {
    const [{ id }] = await client.all('/api/v3/findings?name=Many');
    const whole = await client.all<HistoryItemDto>(`/api/v3/findings/${id}/history`);
    expect(whole).toHaveLength(CHANGES - 1);
    for (const [i, item] of whole.entries()) {
      const severity = item.changes.find(({ field }) => field === 'severity');
      const previous = whole[i - 1]?.changes.find(({ field }) => field === 'severity');
      expect(severity!.before).toEqual(previous?.after ?? null);
    }
    for (const limit of [1, 7, 64, 65]) {
      expect(await pages(`/api/v3/findings/${id}/history`, limit)).toEqual(whole);
    }
    const until = whole.slice(0, 30);
    const path = `/api/v3/findings/${id}/history?asOf=${until.at(-1)!.at}`;
    expect(await pages(path, 4)).toEqual(until);
    expect(await historyOf('Open port', `?asOf=${day(1)}`)).toHaveLength(2);
  });

  it('shows the values before also after a cursor that names no change of the finding', async () => {
    const [{ id }] = await client.all('/api/v3/findings?name=Open%20port');
    const [, updated, passed] = await client.all<HistoryItemDto>(`/api/v3/findings/${id}/history`);
    const { rows } = await gateway.database.pool.query(
      `select h.sequence from finding_history h join findings f using (asset_no, finding_no)
        where f.id = $1 order by 1`,
      [id],
    );
    const between = Number(rows[1].sequence) - 1;
    expect(between).toBeGreaterThan(Number(rows[0].sequence));
    const cursor = Buffer.from(JSON.stringify([between])).toString('base64url');
    const { items } = await client.get(`/api/v3/findings/${id}/history?cursor=${cursor}`);
    expect(items).toEqual([updated, passed]);
  });
});
