import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FINDINGS_TOPIC } from '#libs/contracts';
import { DAY_MS } from '#libs/domain';
import { actRecord, INTAKE_TOPIC } from '#libs/intake';
import { scoreAll } from '../../../../test/fixtures/scores/score-all.ts';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { HistoryRetentionRepository } from './history-retention.repository.ts';

const JSON_BODY = { 'content-type': 'application/json' };
const KEYS = {
  SEAL_PERSONAL_TEXTS: 'true',
  SEAL_MACHINES: 'phone-*',
  POSTURE_SECRET_KEY: 'k'.repeat(32),
};
const PATH = '/api/v3/history-retention';
const REAL = Date.now();
const SECOND = 1 / 86_400;

/** Days before the present. */
let day = 200;
const clock = () => Math.round(REAL - day * DAY_MS);
const instant = (days: number, ms = 0) => new Date(REAL - days * DAY_MS + ms).toISOString();

let gateway: StartedGateway;
let admin: ApiClient;
let finding: { id: string } | undefined;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, env: KEYS, clock });
  for (const [n, status] of [
    [200, 'fail'],
    [150, 'pass'],
    [100, 'fail'],
    [20, 'pass'],
  ] as const) {
    // In the order of time: all can be in one partition.
    if (n === 20) await reportEachSecond(60);
    await at(n);
    await report('web01', status);
    if (n !== 150) continue;
    await remove((await report('ana', 'fail', 'user')).id);
    await remove((await report('phone-1', 'fail')).id);
  }
  await at(0);
  [finding] = await admin.all('/api/v3/findings?name=open%20port');
}, 180_000);
afterAll(() => gateway.stop());

/** A token does not last from one day to the next. */
async function at(n: number): Promise<void> {
  day = n;
  admin = await gateway.client('admin');
}

async function report(name: string, status: 'pass' | 'fail', type = 'machine'): Promise<{ id: string }> {
  const securityContext = { type: 'va', status: { complianceStatus: status }, severity: { value: 7.5 } };
  const sent = await admin.signal(
    plainSignal(type === 'user' ? 'leak' : 'open port', name, {
      entity: { type, name },
      securityContext,
      description: `of ${name} at ${day}`,
      expiresAt: new Date(REAL + 90 * DAY_MS).toISOString(),
    }),
  );
  expect(sent.status).toBe(200);
  await admin.folded(sent.body.uploadId);
  return (await admin.all(`/api/v3/assets?name=${name}`))[0];
}

/** A user's finding that changes twenty times, once a second. */
async function reportEachSecond(before: number): Promise<void> {
  await at(before);
  for (let i = 0; i < 20; i += 1, day -= SECOND) await report('eve', 'fail', 'user');
}

/** As the sweep does with an asset without findings. */
async function remove(assetId: string): Promise<void> {
  const [{ entity_key: entityKey }] = await query(`select entity_key from assets where id = '${assetId}'`);
  const reading = { at: clock(), receivedAt: clock() };
  const payload = { type: 'AssetDeleted', assetId, seenVersion: null } as const;
  await gateway.log.append(INTAKE_TOPIC, [
    actRecord({ entityKey, ...reading, settingsVersion: 0, by: null }, payload),
  ]);
  await until('the asset is deleted', async () => {
    const [{ deleted_at }] = await query(`select deleted_at from assets where id = '${assetId}'`);
    return deleted_at !== null;
  });
}

const change = (historyRetentionDays: unknown) =>
  admin.request('PATCH', '/api/v3/settings', JSON.stringify({ historyRetentionDays }), JSON_BODY);
const run = () =>
  until('the history is trimmed', async () => {
    const { status, body } = await admin.request('POST', `${PATH}/runs`);
    expect(status).toBe(200);
    return body.isComplete;
  });
const query = async (statement: string) => (await gateway.database.pool.query(statement)).rows;

async function publishAll(): Promise<void> {
  await query(`insert into published_changes
    select '${FINDINGS_TOPIC}', partition, finding_sequence from projection_positions
    on conflict (topic, partition) do update set sequence = excluded.sequence`);
  await scoreAll(gateway.database, gateway.log.partitions, clock());
}

describe('the retention of the history', () => {
  it.each([
    [{ va: 29 }, 'historyRetentionDays.va must not be less than 30'],
    [{ va: '90' }, 'historyRetentionDays.va must be an integer number'],
    [{ va: 3_651 }, 'historyRetentionDays.va must not be greater than 3650'],
    [{ firewall: 90 }, 'historyRetentionDays.firewall is unknown'],
    [90, 'historyRetentionDays must be an object'],
    [null, 'historyRetentionDays must be an object'],
  ])('rejects %j', async (given, message) => {
    const { status, body } = await change(given);
    expect([status, JSON.stringify(body.message)]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    ['type=firewall&days=90', 400, 'type must be one of finding, ca, va'],
    ['type=va&days=7', 400, 'days must not be less than 30'],
    [
      'type=va',
      409,
      'the history of va findings is kept for ever: set historyRetentionDays.va, or send `days`',
    ],
    ['days=90', 400, 'type must be one of'],
  ])('has no preview of %s (%i)', async (asked, expected, message) => {
    const { status, body } = await admin.request('GET', `${PATH}/preview?${asked}`);
    expect([status, JSON.stringify(body.message)]).toEqual([expected, expect.stringContaining(message)]);
  });

  it('removes nothing that was not published, delivered or scored, and a preview says what waits', async () => {
    const days = { finding: 90, ca: 90, va: 90, edr: 90, uba: 90, waf: 90, others: 90 };
    expect((await change(days)).body.historyRetentionDays).toEqual(days);
    expect(await admin.get(`${PATH}/preview?type=va`)).toMatchObject({
      changes: 0,
      waitingFor: [
        { reader: 'publisher', partitions: expect.any(Number) },
        { reader: 'scorer', partitions: expect.any(Number) },
      ],
    });
    expect(await query('select * from history_trims')).toEqual([]);
    await publishAll();
    expect(await admin.get(`${PATH}/preview?type=va&days=70`)).toMatchObject({
      days: 70,
      changes: 4,
      findings: 3,
      oldest: instant(200),
      isComplete: true,
      waitingFor: [],
    });
  });

  it('a preview that did not look at all old changes says so, also if it found none', async () => {
    const through = Array.from({ length: gateway.log.partitions }, () => 1_000);
    const histories = new HistoryRetentionRepository(gateway.database.db);
    const nothing = { changes: 0, findings: 0, oldest: null };
    expect(await histories.removable('va', through, 1)).toEqual({ ...nothing, isComplete: false });
    expect(await histories.removable('edr', through)).toEqual({ ...nothing, isComplete: true });
  });

  it('trims at most once, keeps what is younger, and says where the history begins', async () => {
    await run();
    const size = await gateway.logSize();
    await run();
    expect(await gateway.logSize()).toBe(size);
    const { types } = await admin.get(PATH);
    const va = types.find(({ type }: { type: string }) => type === 'va');
    expect(va).toMatchObject({ days: 90, keptFrom: expect.any(String) });
    expect(va.removed).toBeGreaterThanOrEqual(2);
    expect(types.find(({ type }: { type: string }) => type === 'edr')).toEqual({
      type: 'edr',
      days: 90,
      keptFrom: null,
      removed: 0,
    });
    const history = await admin.get(`/api/v3/findings/${finding!.id}/history`);
    expect(history.items.map(({ version }: { version: number }) => version)).toEqual([3, 4]);
    expect(history.items.map(({ changes }: { changes: unknown[] }) => changes.length > 0)).toEqual([
      false,
      true,
    ]);
    expect(history.removed).toEqual({ changes: 2, before: va.keptFrom });
    const { items } = await admin.get(`${PATH}/summary?type=va`);
    expect(items.reduce((sum: number, { changes }: { changes: number }) => sum + changes, 0)).toBe(
      va.removed,
    );
    expect(items).toContainEqual({
      month: instant(200).slice(0, 7),
      change: 'created',
      state: 'Failed',
      severity: 'high',
      changes: 1,
    });
    const first = await admin.get(`${PATH}/summary?type=va&limit=1`);
    const rest = await admin.get(`${PATH}/summary?type=va&cursor=${first.nextCursor}`);
    expect([...first.items, ...rest.items]).toEqual(items);
  });

  it('answers 410 for earlier times and places, and later ones as before', async () => {
    const [asset] = await admin.all('/api/v3/assets?name=web01');
    const gone = async (path: string) => {
      const { status, body } = await admin.request('GET', path);
      expect([path, status]).toEqual([path, 410]);
      expect(body.message).toMatch(/was removed under the retention of the history|were removed under/);
    };
    const early = `asOf=${instant(120)}`;
    await gone(`/api/v3/findings?${early}`);
    await gone(`/api/v3/findings?${early}&type=va`);
    await gone(`/api/v3/findings/counts?${early}`);
    await gone(`/api/v3/findings/groups?by=title&${early}`);
    await gone(`/api/v3/findings/export?format=csv&${early}`);
    await gone(`/api/v3/findings/${finding!.id}?${early}`);
    await gone(`/api/v3/findings/${finding!.id}/history?${early}`);
    await gone(`/api/v3/assets/${asset.id}?${early}`);
    await gone(`/api/v3/assets/${asset.id}/findings?${early}`);
    await gone(`/api/v3/assets/${asset.id}/score?${early}`);
    const plan = '/api/v3/plans/00000000-0000-4000-8000-000000000000';
    for (const path of ['', '/burn-down', '/outcome']) await gone(`${plan}${path}?${early}`);
    for (const explained of ['scores/organization/explain', `assets/${asset.id}/score/explain`]) {
      await gone(`/api/v3/${explained}?from=${instant(120)}`);
      await admin.get(`/api/v3/${explained}?from=${instant(60)}`);
    }
    const remediation = '/api/v3/findings/remediation?days=';
    await gone(`${remediation}120`);
    expect((await admin.get(`${remediation}120&type=edr`)).total.remedied).toBe(0);
    expect((await admin.get(`${remediation}85`)).total).toMatchObject({
      remedied: 1,
      medianSeconds: 80 * 86_400,
    });
    expect((await admin.get(`/api/v3/findings?${early}&type=edr`)).items).toEqual([]);
    expect(await admin.get(`/api/v3/findings/${finding!.id}?asOf=${instant(60)}`)).toMatchObject({
      state: 'Failed',
      description: 'of web01 at 100',
    });
    const zeros = Array.from({ length: gateway.log.partitions }, () => 0).join('.');
    const stream = await fetch(`${gateway.url}/api/v3/changes?topics=findings`, {
      headers: { authorization: admin.authorization, 'last-event-id': `f:${zeros}` },
    });
    expect([stream.status, (await stream.json()) as object]).toEqual([
      410,
      expect.objectContaining({ message: expect.stringContaining('continue from the present') }),
    ]);
  });

  it('destroys the keys of a deleted user and a deleted machine whose findings are all older, and no other key', async () => {
    await until('the keys are destroyed', async () => {
      const erasures = await admin.all('/api/v3/erasures');
      return erasures.length === 2 && erasures.every(({ keyDestroyedAt }) => keyDestroyedAt !== null);
    });
    const erasure = { by: null, reason: 'retention' };
    expect(await admin.all('/api/v3/erasures')).toMatchObject([erasure, erasure]);
    const [left] = await query('select count(*)::int as n from subject_keys where destroyed_at is null');
    expect(left.n).toBeGreaterThan(0);
    const erased = await query(`select 1 from subject_keys where destroyed_at is not null`);
    expect(erased).toHaveLength(2);
    await run();
    expect(await admin.all('/api/v3/erasures')).toHaveLength(2);
  });

  it('ends although changes grow old meanwhile, and looks at them with the next run, which says what it waits for', async () => {
    const removed = async () =>
      (await admin.get(PATH)).types.find(({ type }: { type: string }) => type === 'va').removed;
    const before = await removed();
    await change({ va: 60 });
    const size = await gateway.logSize();
    day -= 2 * SECOND;
    await until('the history is trimmed', async () => {
      day -= SECOND;
      return (await admin.request('POST', `${PATH}/runs`)).body.isComplete;
    });
    // The service itself may have had its hourly run.
    expect((await gateway.logSize()) - size).toBeLessThanOrEqual(2);
    day -= 20 * SECOND;
    const fold = await gateway.database.pool.connect();
    await fold.query('begin; select from projection_positions for update');
    const started = await admin.request('POST', `${PATH}/runs`);
    const waiting = await admin.request('POST', `${PATH}/runs`);
    await fold.query('rollback');
    fold.release();
    expect(started.body).toEqual({ isComplete: false, pendingRecords: 0 });
    expect(waiting.body).toEqual({ isComplete: false, pendingRecords: 1 });
    await run();
    expect((await removed()) - before).toBe(19);
  });

  it('requires the scopes of settings', async () => {
    const viewer = await gateway.client('viewer');
    expect((await viewer.request('GET', PATH)).status).toBe(200);
    expect((await viewer.request('POST', `${PATH}/runs`)).status).toBe(403);
  });
});
