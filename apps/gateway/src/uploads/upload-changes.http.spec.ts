import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { INTAKE_TOPIC } from '#libs/intake';
import { ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { DAY_MS, event, signal } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { SCOPES } from '../auth/scopes.ts';
import type { UploadChangeDto, UploadChangesPageDto } from './upload-changes.dto.ts';

const MONDAY = Date.parse('2026-03-02T08:00:00.000Z');
const REPLACING = { 'config.json': { fullAssessmentForTypes: ['va'] } };
const PASSED = {
  securityContext: { type: 'va', status: { complianceStatus: 'pass' }, severity: { value: 7.5 } },
};

let now = MONDAY;
let gateway: StartedGateway;
let admin: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, folds: true });
  // Valid for longer than a sign-in: the tests let months pass.
  admin = await withToken(await gateway.client('admin'), { name: 'all', scopes: SCOPES });
});
afterAll(() => gateway.stop());

/** A caller with a new API token. */
async function withToken(creator: ApiClient, given: object): Promise<ApiClient> {
  const { status, body } = await creator.request('POST', '/api/v3/tokens', JSON.stringify(given));
  expect([status, body]).toEqual([200, expect.anything()]);
  return ApiClient.withToken(gateway.url, body.token);
}

/** Uploads a ZIP a minute later, and waits for its fold. */
async function zip(entries: Record<string, unknown>): Promise<string> {
  now += 60_000;
  const { status, body } = await admin.zip(await zipOf(entries));
  expect([status, body]).toEqual([200, expect.anything()]);
  await admin.folded(body.uploadId);
  return body.uploadId;
}

/** Of a host in a department. */
const inDepartment = (name: string, host: string, department: string) => ({
  ...plainSignal(name, host),
  entity: { type: 'machine', name: host, entityAttributes: { department } },
});

const pathOf = (id: string, query = '') => `/api/v3/uploads/${id}/changes${query}`;
const told = ({ kind, change, from, to, reason, asset, finding }: UploadChangeDto) =>
  [kind, finding?.name ?? asset.name, change, from, to, reason].join(' ');
const changesOf = async (id: string, query = '', client = admin): Promise<string[]> =>
  (await client.all<UploadChangeDto>(pathOf(id, query))).map(told);

describe('GET /api/v3/uploads/:id/changes', () => {
  let first: string;
  let second: string;
  beforeAll(async () => {
    first = await zip({
      '1.json': plainSignal('passes', 'web01'),
      '2.json': plainSignal('is absent', 'web01'),
      '3.json': plainSignal('stays', 'web01'),
    });
    second = await zip({
      ...REPLACING,
      '1.json': plainSignal('passes', 'web01', PASSED),
      '2.json': plainSignal('stays', 'web01'),
      '3.json': plainSignal('is new', 'web01'),
    });
  });

  it('lists what an upload created', async () => {
    expect(await changesOf(first)).toEqual([
      'asset web01 created   ',
      'finding passes created  Failed ',
      'finding is absent created  Failed ',
      'finding stays created  Failed ',
    ]);
    const { items } = await admin.get<UploadChangesPageDto>(pathOf(first, '?kind=finding&limit=1'));
    const [finding] = await admin.all('/api/v3/findings?name=passes');
    const [created] = await admin.all(`/api/v3/findings/${finding.id}/history`);
    const { integrationId, ...cause } = created.cause;
    expect(items).toEqual([
      {
        kind: 'finding',
        at: created.at,
        change: 'created',
        from: null,
        to: 'Failed',
        reason: null,
        version: 1,
        asset: { id: finding.assetId, name: 'web01' },
        finding: { id: finding.id, type: 'va', name: 'passes' },
        cause,
        position: created.position,
      },
    ]);
    expect(cause).toMatchObject({ uploadId: first, entry: '1.json', kind: 'zip', user: 'token:all' });
  });

  it('lists what a full assessment retired because it does not contain it', async () => {
    expect(await changesOf(second)).toEqual([
      'finding passes stateChanged Failed Qualified ',
      'finding is new created  Failed ',
      'finding is absent retired Failed Retired replaced',
    ]);
    expect(await changesOf(second.toUpperCase())).toEqual(await changesOf(second));
    expect((await admin.request('GET', `/api/v3/uploads/${second.toUpperCase()}`)).status).toBe(200);
    const { counts, recorded, removed } = await admin.get<UploadChangesPageDto>(pathOf(second));
    expect([recorded, removed]).toEqual([true, null]);
    const kind = 'finding';
    expect(counts).toEqual([
      { kind, change: 'stateChanged', from: 'Failed', to: 'Qualified', reason: null, count: 1 },
      { kind, change: 'created', from: null, to: 'Failed', reason: null, count: 1 },
      { kind, change: 'retired', from: 'Failed', to: 'Retired', reason: 'replaced', count: 1 },
    ]);
    const { outcome } = await admin.get(`/api/v3/uploads/${second}`);
    expect(outcome).toMatchObject({ created: 1, updated: 1, unchanged: 1, retired: 1 });
  });

  it('filters by kind, change and state, with the counts of all', async () => {
    expect(await changesOf(first, '?kind=asset')).toEqual(['asset web01 created   ']);
    expect(await changesOf(second, '?change=created,retired')).toEqual([
      'finding is new created  Failed ',
      'finding is absent retired Failed Retired replaced',
    ]);
    expect(await changesOf(second, '?to=Qualified')).toEqual([
      'finding passes stateChanged Failed Qualified ',
    ]);
    expect(await changesOf(first, '?kind=asset&to=Failed')).toEqual([]);
    const { counts } = await admin.get<UploadChangesPageDto>(pathOf(first, '?to=Qualified'));
    expect(counts!.map(({ kind, count }) => [kind, count])).toEqual([
      ['finding', 3],
      ['asset', 1],
    ]);
  });

  it('lists a finding that returns, and what had expired before', async () => {
    await zip({ '1.json': plainSignal('comes and goes', 'web03') });
    now += 400 * DAY_MS;
    const back = await zip({ '1.json': plainSignal('comes and goes', 'web03') });
    expect(await changesOf(back, '?kind=finding')).toEqual([
      expect.stringMatching(/^finding comes and goes retired Failed Retired (expired|retention)$/),
      'finding comes and goes returned Retired Failed ',
    ]);
  });

  it('has the same items on pages of any size, also between events of other uploads', async () => {
    const hosts = Array.from({ length: 12 }, (_, n) => `interleaved${n}`);
    const ids = [randomUUID(), randomUUID()];
    now += 60_000;
    const end = now + 100 * DAY_MS;
    const events = hosts.flatMap((host, n) =>
      ids.map((uploadId) =>
        event(
          signal(`of ${uploadId}`, 'fail', { expiresAt: end, retainUntil: end }),
          now,
          { uploadId, ordinal: n + 1, count: hosts.length },
          { entityKey: `machine:${host}` },
        ),
      ),
    );
    await gateway.log.append(
      INTAKE_TOPIC,
      events.map((one) => ({ key: one.envelope.entityKey, value: encodeIntake(one) })),
    );
    const folded = async () =>
      Number(
        (
          await gateway.database.pool.query(
            `select count(*) from finding_history where cause ->> 'uploadId' = any($1)`,
            [ids],
          )
        ).rows[0].count,
      );
    await until('the fold', async () => (await folded()) === events.length);
    for (const id of ids) {
      const whole = await changesOf(id);
      expect(whole.filter((line) => line.startsWith('finding'))).toEqual(
        hosts.map(() => `finding of ${id} created  Failed `),
      );
      for (const limit of [1, 5, whole.length]) {
        const items: UploadChangeDto[] = [];
        for (let cursor = ''; ; ) {
          const page = await admin.get<UploadChangesPageDto>(pathOf(id, `?limit=${limit}${cursor}`));
          items.push(...page.items);
          expect(page.items.length).toBeLessThanOrEqual(limit);
          if (page.nextCursor === null) break;
          cursor = `&cursor=${page.nextCursor}`;
        }
        expect(items.map(told)).toEqual(whole);
      }
    }
  });

  it('says that it does not know the changes of uploads that an earlier version processed', async () => {
    const id = await zip({ '1.json': plainSignal('old', 'web04') });
    const known = await changesOf(id);
    await gateway.database.pool.query('update upload_progress set changes = null where upload_id = $1', [id]);
    expect(await admin.get(pathOf(id))).toEqual({
      items: [],
      nextCursor: null,
      recorded: false,
      counts: null,
      removed: null,
    });
    expect(known).toHaveLength(2);
  });

  it('says from when on changes are complete if older ones were removed', async () => {
    const id = await zip({ '1.json': plainSignal('trimmed', 'web05') });
    await gateway.database.pool.query(
      `insert into history_trims (partition, finding_type, kept_from, through_sequence, removed)
       values (0, 'va', $1, 1, 1)`,
      [new Date(now + DAY_MS)],
    );
    try {
      const { removed, counts } = await admin.get<UploadChangesPageDto>(pathOf(id));
      expect(removed).toEqual({ before: new Date(now + DAY_MS).toISOString() });
      expect(counts).toHaveLength(2);
      now += 2 * DAY_MS;
      const later = await zip({ '1.json': plainSignal('trimmed', 'web05', PASSED) });
      expect((await admin.get<UploadChangesPageDto>(pathOf(later))).removed).toBeNull();
    } finally {
      await gateway.database.pool.query('delete from history_trims');
    }
  });

  it('is empty before the fold, a 404 for no upload, and a 400 for what is no query of it', async () => {
    const { status } = await admin.request('GET', pathOf(randomUUID()));
    expect(status).toBe(404);
    for (const query of [
      '?cursor=x',
      '?kind=score',
      '?change=deleted',
      '?to=Open',
      '?asOf=2026-01-01T00:00:00Z',
    ]) {
      expect([query, (await admin.request('GET', pathOf(first, query))).status]).toEqual([query, 400]);
    }
    const unfolded = randomUUID();
    await gateway.database.pool.query(
      `insert into upload_receipts (upload_id, kind, by_user, received_at, events, signals, rejected, warnings)
       values ($1, 'zip', 'admin', now(), 1, 1, 0, '[]')`,
      [unfolded],
    );
    expect(await admin.get(pathOf(unfolded))).toMatchObject({ items: [], recorded: true, counts: [] });
  });

  it('requires the scopes of assets and findings', async () => {
    const ci = await withToken(admin, { name: 'ci', scopes: ['uploads:read', 'findings:read'] });
    expect((await ci.request('GET', pathOf(first))).status).toBe(403);
  });

  describe('for a caller that is limited to a department', () => {
    let sales: ApiClient;
    beforeAll(async () => {
      for (const name of ['Sales', 'Finance']) {
        const { status } = await admin.request(
          'POST',
          '/api/v3/company/departments',
          JSON.stringify({ name }),
        );
        expect(status).toBe(200);
      }
      sales = await withToken(admin, {
        name: 'sales',
        scopes: ['uploads:read', 'assets:read', 'findings:read'],
        departments: ['Sales'],
      });
    });

    it('contains the changes of assets that were visible after the change', async () => {
      const id = await zip({
        '1.json': inDepartment('own', 'sales01', 'Sales'),
        '2.json': inDepartment('hidden', 'finance01', 'Finance'),
        '3.json': inDepartment('leaves later', 'moving01', 'Sales'),
      });
      const moved = await zip({ '1.json': inDepartment('after the move', 'moving01', 'Finance') });
      expect((await changesOf(id, '', sales)).sort()).toEqual([
        'asset moving01 created   ',
        'asset sales01 created   ',
        'finding leaves later created  Failed ',
        'finding own created  Failed ',
      ]);
      const page = await sales.get<UploadChangesPageDto>(pathOf(id));
      expect([page.counts, page.items.map(({ position }) => position)]).toEqual([
        null,
        [null, null, null, null],
      ]);
      expect(await changesOf(moved, '', sales)).toEqual([]);
      expect(await changesOf(moved)).toHaveLength(2);
    });

    it('has the same pages whether or not the upload changed other assets', async () => {
      const own = Object.fromEntries(
        Array.from({ length: 5 }, (_, n) => [`own${n}.json`, inDepartment(`own ${n}`, `s${n}`, 'Sales')]),
      );
      const others = Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          `other${n}.json`,
          inDepartment(`other ${n}`, `f${n}`, 'Finance'),
        ]),
      );
      const sizesOf = async (id: string) => {
        const sizes: number[] = [];
        for (let cursor = ''; ; ) {
          const { items, nextCursor } = await sales.get<UploadChangesPageDto>(
            pathOf(id, `?limit=2&kind=finding${cursor}`),
          );
          sizes.push(items.length);
          if (nextCursor === null) return sizes;
          expect(nextCursor.length).toBe(page.nextCursor!.length);
          cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
        }
      };
      const alone = await zip(own);
      const page = await sales.get<UploadChangesPageDto>(pathOf(alone, '?limit=1'));
      expect(await sizesOf(alone)).toEqual([2, 2, 1]);
      const passing = Object.fromEntries(
        Object.entries(own).map(([name, one]) => [name, { ...one, ...PASSED }]),
      );
      expect(await sizesOf(await zip({ ...others, ...passing }))).toEqual([2, 2, 1]);
    });

    it('is empty for no upload, and for one without visible changes', async () => {
      const hidden = await zip({ '1.json': inDepartment('hidden too', 'finance02', 'Finance') });
      const empty = await sales.get(pathOf(randomUUID()));
      expect(empty).toEqual({ items: [], nextCursor: null, recorded: true, counts: null, removed: null });
      expect(await sales.get(pathOf(hidden))).toEqual(empty);
    });

    it('does not take the plain cursors of others', async () => {
      const { nextCursor } = await admin.get<UploadChangesPageDto>(pathOf(first, '?limit=1'));
      expect(nextCursor).not.toBeNull();
      const { status } = await sales.request('GET', pathOf(first, `?cursor=${nextCursor}`));
      expect(status).toBe(400);
    });
  });
});
