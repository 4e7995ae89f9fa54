import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { AssetDescribed, EdrManagementEnded, StatementEnded } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { described, entity, event } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import type { ActDto } from '../audit/audit.dto.ts';
import type { FindingItemDto } from '../findings/finding.dto.ts';
import type { IntegrationDto } from './integration.dto.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const [CLIENT_SECRET, API_SECRET] = ['client-secret-never-to-be-seen', 'api-secret-never-to-be-seen'];
const ROTATED = 'rotated-secret-never-to-be-seen';

const FALCON = { url: 'https://edr.example', clientId: 'client-1', clientSecret: CLIENT_SECRET };
const AXONIUS = { url: 'http://inventory.example:8443/', apiKey: 'key-1', apiSecret: API_SECRET };
const edr = (config: object = {}, given: object = {}) => ({
  type: 'edrplugin',
  subType: 'falcon',
  name: 'EDR',
  config: { ...FALCON, ...config },
  ...given,
});
const inventory = (config: object = {}, given: object = {}) => ({
  type: 'assetinventory',
  subType: 'axonius',
  name: 'Inventory',
  config: { ...AXONIUS, ...config },
  ...given,
});

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;
const answers: string[] = [];

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

async function send(method: string, path: string, body?: unknown) {
  const answer = await client.request(method, path, body === undefined ? undefined : JSON.stringify(body));
  answers.push(JSON.stringify(answer.body));
  return answer;
}
const get = async (path: string) => (await send('GET', path)).body;
const stored = (id: string) =>
  gateway.database.db
    .selectFrom('integration_secrets')
    .selectAll()
    .where('integration_id', '=', id)
    .execute();

/** Adds one, asks `check` about it, and removes it. */
async function withIntegration(body: object, check: (added: IntegrationDto) => Promise<void>): Promise<void> {
  const { status, body: added } = await send('POST', '/integration', body);
  expect({ status, added }).toMatchObject({ status: 200 });
  await check(added);
  expect((await send('DELETE', `/integrations/${added.id}`)).status).toBe(200);
}

describe('POST /integration (R-INT-1)', () => {
  it('adds an EDR integration: returns all fields except the secret, which is only named', async () => {
    await withIntegration(edr(), async (added) => {
      expect(added).toEqual({
        id: expect.any(String),
        version: 1,
        type: 'edrplugin',
        subType: 'falcon',
        name: 'EDR',
        source: 'EDR',
        config: {
          url: 'https://edr.example',
          clientId: 'client-1',
          tagFilters: [],
          autoOnboardNewAssets: true,
          updateExistingAssetsMetadata: true,
          autoSyncDays: 1,
        },
        sensitiveFields: ['clientSecret'],
        configState: 'complete',
        sync: null,
        nextSyncAt: '2026-03-03T01:15:00.000Z',
        createdAt: new Date(now).toISOString(),
      });
      expect(await get(`/integrations/${added.id}`)).toEqual(added);
      expect(await get('/integrations')).toEqual({ items: [added], nextCursor: null });
    });
    expect((await get('/integrations')).items).toEqual([]);
  });

  it('adds an inventory integration, with the name of its sub type by default', async () => {
    const body = inventory({ attackSurfaceTypes: 'Infrastructure, Cloud ,', autoSyncDays: null });
    await withIntegration({ ...body, name: undefined }, async (added) => {
      expect(added).toMatchObject({
        name: 'axonius',
        source: 'axonius',
        config: {
          url: 'http://inventory.example:8443',
          apiKey: 'key-1',
          attackSurfaceTypes: ['Infrastructure', 'Cloud'],
          autoSyncDays: null,
        },
        sensitiveFields: ['apiSecret'],
      });
    });
  });

  it('adds a vulnerability scanner, whose views list its findings and assets', async () => {
    const config = { url: 'https://scanner.example', accessKey: 'key-2', secretKey: API_SECRET };
    const body = { type: 'vulnerabilityscanner', subType: 'tenable', name: 'Scanner', config };
    await withIntegration(body, async (added) => {
      expect(added).toMatchObject({
        config: { accessKey: 'key-2', autoOnboardNewAssets: true, autoSyncDays: 1 },
        sensitiveFields: ['secretKey'],
        configState: 'complete',
      });
      for (const view of ['findings', 'assets']) {
        expect(await get(`/integrations/${added.id}/${view}`)).toEqual({
          items: [],
          nextCursor: null,
          note: null,
        });
      }
    });
  });

  it.each([
    ['a text with commas', 'berlin, web,berlin', ['berlin', 'web']],
    ['a list', [' berlin ', 'web'], ['berlin', 'web']],
    ['an empty text', '', []],
    [
      'fifty ordinary names',
      Array.from({ length: 50 }, (_, i) => `Servers-${i}`),
      expect.arrayContaining(['Servers-49']),
    ],
  ])('takes tag filters as %s', async (_, tagFilters, read) => {
    await withIntegration(edr({ tagFilters }), async ({ config }) =>
      expect((config as { tagFilters: string[] }).tagFilters).toEqual(read),
    );
  });

  it.each<[string, object, RegExp]>([
    ['no type', { ...edr(), type: undefined }, /^type/],
    ['a type that is none', edr({}, { type: 'siem' }), /^type must be one of/],
    ['a sub type that is none', edr({}, { subType: 'other' }), /^subType must be one of/],
    ['the sub type of the other type', edr({}, { subType: 'axonius' }), /^subType must be falcon/],
    ['no config', { ...edr(), config: undefined }, /^config/],
    ['a config that is a list', { ...edr(), config: [] }, /^config/],
    ['an empty name', edr({}, { name: ' ' }), /^name/],
    ['an unknown field', edr({}, { colour: 1 }), /colour is unknown/],
    ['an unknown key', edr({ colour: 1 }), /config\.colour is unknown/],
    ['a key of the other type', edr({ apiKey: 'x' }), /config\.apiKey is unknown/],
    ['no url', edr({ url: undefined }), /config\.url/],
    ['no client id', edr({ clientId: undefined }), /config\.clientId/],
    ['no client secret', edr({ clientSecret: undefined }), /config\.clientSecret/],
    ['a null secret', edr({ clientSecret: null }), /config\.clientSecret/],
    [
      'a secret of two lines',
      edr({ clientSecret: 'a\nb' }),
      /config\.clientSecret must contain only visible/,
    ],
    ['no api key', inventory({ apiKey: undefined }), /config\.apiKey/],
    ['no api secret', inventory({ apiSecret: undefined }), /config\.apiSecret/],
    ['another scheme', edr({ url: 'ftp://edr.example' }), /config\.url must be a URL/],
    ['user info', edr({ url: `https://ana:${CLIENT_SECRET}@edr.example` }), /config\.url .*user name/],
    ['a user name', edr({ url: 'https://ana@edr.example' }), /config\.url/],
    ['a query', edr({ url: 'https://edr.example/?a=b' }), /config\.url/],
    ['a url that is none', edr({ url: 'https://' }), /config\.url/],
    ['a url that is no text', edr({ url: 5 }), /config\.url/],
    ['0 days', edr({ autoSyncDays: 0 }), /config\.autoSyncDays/],
    ['half a day', edr({ autoSyncDays: 0.5 }), /config\.autoSyncDays/],
    ['days as text', edr({ autoSyncDays: '1' }), /config\.autoSyncDays/],
    ['a box that is neither', edr({ autoOnboardNewAssets: 'yes' }), /config\.autoOnboardNewAssets/],
    [
      'tag filters that are a number',
      edr({ tagFilters: 5 }),
      /config\.tagFilters must be a comma-separated string/,
    ],
    [
      'tag filters too long for an address',
      edr({ tagFilters: Array.from({ length: 30 }, (_, i) => `${i} ä`.repeat(12)) }),
      /config\.tagFilters must use at most 6000 characters of a URL, .* \(got 1\d{4}\)$/,
    ],
    ['a tag filter that is no text', edr({ tagFilters: [5] }), /config\.tagFilters/],
  ])('rejects %s', async (_, body, message) => {
    const answer = await send('POST', '/integration', body);
    expect({ status: answer.status, message: answer.body.message }).toEqual({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  it('rejects a name that another one has, or that signals of another one come under', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const taken = await send('POST', '/integration', inventory({}, { name: 'edr' }));
      expect([taken.status, taken.body.message]).toEqual([409, expect.stringMatching(/has the name edr/)]);
      await send('PATCH', `/integrations/${id}`, { name: 'Renamed' });
      const source = await send('POST', '/integration', inventory({}, { name: 'EDR' }));
      expect([source.status, source.body.message]).toEqual([
        409,
        expect.stringMatching(/the integration Renamed uses the source name EDR/),
      ]);
    });
    expect(await gateway.database.db.selectFrom('integration_secrets').selectAll().execute()).toEqual([]);
  });

  it('adds one of two concurrent integrations with the same name, and keeps no secret of the other', async () => {
    const both = await Promise.all([1, 2].map(() => send('POST', '/integration', edr())));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { items } = await get('/integrations');
    expect(items).toHaveLength(1);
    const rows = await gateway.database.db.selectFrom('integration_secrets').selectAll().execute();
    expect(rows.map(({ integration_id }) => integration_id)).toEqual([items[0].id]);
    await send('DELETE', `/integrations/${items[0].id}`);
  });
});

describe('PATCH and DELETE /integrations/{id}', () => {
  it('changes the given fields; the rest stays, including secret and source', async () => {
    await withIntegration(edr({ tagFilters: 'berlin' }), async (added) => {
      const path = `/integrations/${added.id}`;
      const { body: changed } = await send('PATCH', path, {
        name: 'EDR Berlin',
        config: { autoSyncDays: 7, autoOnboardNewAssets: false },
      });
      expect(changed).toEqual({
        ...added,
        version: 2,
        name: 'EDR Berlin',
        config: { ...added.config, autoSyncDays: 7, autoOnboardNewAssets: false },
        nextSyncAt: '2026-03-09T01:15:00.000Z',
      });
      const [before] = await stored(added.id);
      const { body: rotated } = await send('PATCH', path, { config: { clientSecret: ROTATED } });
      expect(rotated).toEqual({ ...changed, version: 3 });
      const [after] = await stored(added.id);
      expect(after!.sealed).not.toBe(before!.sealed);
    });
  });

  it.each([
    ['another address', { url: 'https://evil.example' }],
    ['another client', { clientId: 'client-2' }],
  ])('asks for the secret again for %s', async (_, config) => {
    await withIntegration(edr(), async (added) => {
      const path = `/integrations/${added.id}`;
      const refused = await send('PATCH', path, { config });
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringMatching(/config\.clientSecret is required if .* never sent to another address/),
      ]);
      expect((await send('POST', `${path}/test`, { config })).status).toBe(400);
      expect(await get(path)).toEqual(added);
      const changed = await send('PATCH', path, { config: { ...config, clientSecret: ROTATED } });
      expect(changed.body).toMatchObject({ configState: 'complete', config });
    });
  });

  it('takes the same address, written otherwise, for the same', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const { status, body } = await send('PATCH', `/integrations/${id}`, {
        config: { url: 'HTTPS://EDR.example:443/' },
      });
      expect([status, body.config.url, body.configState]).toEqual([200, 'https://edr.example', 'complete']);
    });
  });

  it('rejects invalid changes, and changes without effect', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const path = `/integrations/${id}`;
      for (const body of [
        {},
        { config: {} },
        { type: 'assetinventory' },
        { config: { apiKey: 'x' } },
        { config: { url: null } },
        { name: null },
        { version: 1 },
        { name: 'x', version: 0 },
      ]) {
        expect({ body, status: (await send('PATCH', path, body)).status }).toEqual({ body, status: 400 });
      }
      await withIntegration(inventory(), async (other) => {
        expect((await send('PATCH', `/integrations/${other.id}`, { name: 'edr' })).status).toBe(409);
      });
    });
  });

  it('changes only the version that was read', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const path = `/integrations/${id}`;
      expect((await send('PATCH', path, { name: 'Mine', version: 1 })).body.version).toBe(2);
      const stale = await send('PATCH', path, {
        name: 'Yours',
        version: 1,
        config: { clientSecret: ROTATED },
      });
      expect([stale.status, stale.body.message]).toEqual([
        409,
        expect.stringMatching(/has changed since `version`/),
      ]);
      expect(await get(path)).toMatchObject({ name: 'Mine', version: 2 });
    });
  });

  it('removes it with its secrets, once', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    expect(await stored(added.id)).toHaveLength(1);
    const removed = await send('DELETE', `/integrations/${added.id}`);
    expect([removed.status, removed.body]).toEqual([200, added]);
    expect(await stored(added.id)).toEqual([]);
    expect((await send('DELETE', `/integrations/${added.id}`)).status).toBe(404);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/sync'],
    ['GET', '/history'],
    ['GET', '/findings'],
    ['GET', '/assets'],
  ])('%s {id}%s is a 404 if it does not exist, a 400 if the id is invalid', async (method, rest) => {
    const body = method === 'PATCH' ? { name: 'x' } : method === 'POST' ? {} : undefined;
    expect((await send(method, `/integrations/${NOBODY}${rest}`, body)).status).toBe(404);
    expect((await send(method, `/integrations/1${rest}`, body)).status).toBe(400);
    expect((await send(method, `/integrations/${NOBODY}${rest}?colour=1`, body)).status).toBe(400);
  });
});

describe('roles (R-AUTH-3)', () => {
  it('every role reads, only an admin writes', async () => {
    await withIntegration(edr(), async ({ id }) => {
      for (const role of ['viewer', 'analyst'] as const) {
        const other = await gateway.client(role);
        for (const path of ['', `/${id}`, `/${id}/history`, `/${id}/findings`, `/${id}/assets`]) {
          expect((await other.request('GET', `/integrations${path}`)).status).toBe(200);
        }
        for (const [method, path] of [
          ['POST', '/integration'],
          ['PATCH', `/integrations/${id}`],
          ['DELETE', `/integrations/${id}`],
          ['POST', '/integrations/test'],
          ['POST', `/integrations/${id}/test`],
          ['POST', `/integrations/${id}/sync`],
        ] as const) {
          const { status } = await other.request(method, path, method === 'DELETE' ? undefined : '{}');
          expect({ role, path, status }).toEqual({ role, path, status: 403 });
        }
      }
    });
  });
});

describe('syncs (R-INT-3, R-INT-4)', () => {
  it('are requested one at a time, and listed newest first', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const path = `/integrations/${id}`;
      const first = await send('POST', `${path}/sync`);
      expect([first.status, first.body]).toEqual([202, { syncId: expect.any(String) }]);
      const waiting = {
        stage: 'QUEUED',
        percent: 0,
        status: 1,
        statusName: 'In Progress',
        startedAt: null,
        finishedAt: null,
        endReason: null,
      };
      expect((await get(path)).sync).toEqual(waiting);
      expect((await get(`${path}/history`)).items).toEqual([
        {
          ...waiting,
          syncId: first.body.syncId,
          action: 'manual',
          startedBy: 'admin',
          requestedAt: new Date(now).toISOString(),
          full: false,
          counts: {},
          errors: [],
          retry: 0,
          cancelledBy: null,
          outcome: null,
        },
      ]);
      const second = await send('POST', `${path}/sync`, { full: true });
      expect([second.status, second.body.message]).toEqual([
        409,
        expect.stringMatching(/pending or in progress/),
      ]);
      await finish(first.body.syncId, 3);
      now += 60_000;
      const third = await send('POST', `${path}/sync`, { full: true });
      const { items } = await get(`${path}/history`);
      expect(items).toMatchObject([
        { syncId: third.body.syncId, full: true, stage: 'QUEUED' },
        {
          syncId: first.body.syncId,
          stage: 'COMPLETED',
          percent: 100,
          status: 3,
          statusName: 'Partial Success',
          startedAt: new Date(BEGIN).toISOString(),
          finishedAt: new Date(BEGIN).toISOString(),
          counts: { records: 3 },
          errors: [{ what: 'hosts page 3', message: 'garbage' }],
        },
      ]);
      expect((await get(path)).sync).toMatchObject({ stage: 'QUEUED' });
      const { nextCursor, items: page } = await get(`${path}/history?limit=1`);
      const { items: rest, nextCursor: end } = await get(`${path}/history?limit=1&cursor=${nextCursor}`);
      expect([[...page, ...rest], end]).toEqual([items, null]);
      for (const body of [{ full: 'yes' }, { full: null }, { colour: 1 }]) {
        expect((await send('POST', `${path}/sync`, body)).status).toBe(400);
      }
    });
  });

  it('are due by the frequency, and after a scheduled one that failed five minutes later', async () => {
    await withIntegration(edr({ autoSyncDays: 7 }), async ({ id, nextSyncAt }) => {
      const day = 24 * 60 * 60_000;
      const due = (days: number) =>
        new Date(Math.floor(now / day) * day + days * day + 75 * 60_000).toISOString();
      expect(nextSyncAt).toBe(due(7));
      const scheduled = `insert into syncs
        (id, integration_id, action, is_full, requested_at, finished_at, stage, status, end_reason)
        values (gen_random_uuid(), $1, 'scheduled', false, $2, $2, 'ERROR', 2, 'overBudget')`;
      await gateway.database.pool.query(scheduled, [id, new Date(now)]);
      expect((await get(`/integrations/${id}`)).nextSyncAt).toBe(new Date(now + 5 * 60_000).toISOString());
      await send('PATCH', `/integrations/${id}`, { config: { autoSyncDays: null } });
      expect((await get(`/integrations/${id}`)).nextSyncAt).toBeNull();
    });
  });

  it('are cancelled while they wait or run, by the first who asks, and not otherwise', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const path = `/integrations/${id}/sync/cancel`;
      expect((await send('POST', path)).status).toBe(409);
      const { body: asked } = await send('POST', `/integrations/${id}/sync`);
      const both = [await send('POST', path), await send('POST', path)];
      expect(both.map(({ status, body }) => [status, body])).toEqual([
        [202, asked],
        [202, asked],
      ]);
      expect((await get(`/integrations/${id}/history`)).items).toMatchObject([{ cancelledBy: 'admin' }]);
      await finish(asked.syncId, 3);
      expect((await send('POST', path)).body).toMatchObject({
        statusCode: 409,
        message: 'no sync of this integration is pending or in progress',
      });
      expect((await send('POST', `/integrations/${NOBODY}/sync/cancel`)).status).toBe(404);
    });
  });

  it('start once for two concurrent requests', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const both = await Promise.all([1, 2].map(() => send('POST', `/integrations/${id}/sync`)));
      expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409]);
      expect((await get(`/integrations/${id}/history`)).items).toHaveLength(1);
    });
  });

  it('are rejected if a secret is missing', async () => {
    await withIntegration(edr(), async ({ id }) => {
      const path = `/integrations/${id}`;
      await gateway.database.db.deleteFrom('integration_secrets').execute();
      expect((await get(path)).configState).toBe('incomplete');
      for (const act of ['sync', 'test']) {
        const refused = await send('POST', `${path}/${act}`);
        expect([refused.status, refused.body.message]).toEqual([
          400,
          expect.stringMatching(/clientSecret is missing/),
        ]);
      }
      await send('PATCH', path, { config: { clientSecret: CLIENT_SECRET } });
      expect((await send('POST', `${path}/sync`)).status).toBe(202);
    });
  });

  const finish = async (id: string, status: 0 | 3) => {
    const at = new Date(BEGIN);
    const counts = JSON.stringify({ records: 3 });
    const errors = JSON.stringify([{ what: 'hosts page 3', message: 'garbage' }]);
    await gateway.database.db
      .updateTable('syncs')
      .set({ stage: 'COMPLETED', percent: 100, status, counts, errors, started_at: at, finished_at: at })
      .where('id', '=', id)
      .execute();
  };
});

describe('Finding View and Asset View (R-EDR-7)', () => {
  const reported = (host: string, source: string, type: string) =>
    plainSignal(`${type} of ${source}`, host, {
      source: { name: source },
      securityContext: {
        type,
        status: { complianceStatus: 'fail' },
        severity: { value: 7 },
        standardsMapping: [{ name: 'ttp', value: 'T1059' }],
      },
    });

  it('show data of the integration, also after it is renamed', async () => {
    const entries = {
      '1.json': reported('view01', 'EDR', 'edr'),
      '2.json': reported('view02', 'EDR', 'edr'),
      '3.json': reported('view02', 'EDR', 'va'),
      '4.json': reported('view03', 'Scanner', 'edr'),
    };
    const { body } = await client.zip(await zipOf(entries));
    await client.folded(body.uploadId);
    await withIntegration(edr(), async ({ id }) => {
      await send('PATCH', `/integrations/${id}`, { name: 'Renamed' });
      const findings = await get(`/integrations/${id}/findings?sort=name`);
      expect(findings.note).toBeNull();
      expect(findings.items.map(({ type, source }: FindingItemDto) => [type, source])).toEqual([
        ['edr', 'EDR'],
        ['edr', 'EDR'],
      ]);
      expect((await get(`/integrations/${id}/findings?state=Qualified`)).items).toEqual([]);
      const page = await get(`/integrations/${id}/assets?limit=1&sort=name`);
      const rest = await get(`/integrations/${id}/assets?limit=1&sort=name&cursor=${page.nextCursor}`);
      expect([...page.items, ...rest.items].map(({ name }: { name: string }) => name)).toEqual([
        'view01',
        'view02',
      ]);
      expect((await get(`/integrations/${id}/assets?asOf=2020-01-01T00:00:00Z`)).items).toEqual([]);
      expect((await send('GET', `/integrations/${id}/findings?source=x`)).status).toBe(400);
    });
  });

  it('are empty for the inventory, and say why (R-INV-2)', async () => {
    await withIntegration(inventory(), async ({ id }) => {
      for (const view of ['findings', 'assets']) {
        expect(await get(`/integrations/${id}/${view}`)).toEqual({
          items: [],
          nextCursor: null,
          note: expect.stringMatching(/only updates metadata/),
        });
      }
    });
  });
});

describe('isEdrManaged of an asset (R-EDR-8)', () => {
  const HOST = 'managed01';
  const key = `machine:${HOST}`;
  const append = async (payload: AssetDescribed | EdrManagementEnded, uploadId: string | null) => {
    const cause = { uploadId, receivedAt: now };
    const value = encodeIntake(event(payload, now, cause, { entityKey: key }));
    await gateway.log.append(INTAKE_TOPIC, [{ key, value }]);
  };
  const listed = async (asOf = '') => (await client.all(`/api/v3/assets?name=${HOST}${asOf}`))[0];

  it('is true from the listing of the host on until its end, in lists and in the past', async () => {
    const { body } = await client.zip(await zipOf({ '1.json': plainSignal('a', HOST) }));
    await client.folded(body.uploadId);
    expect(await listed()).toMatchObject({ isEdrManaged: false });
    now += 60_000;
    const listedAt = new Date(now).toISOString();
    const source = { name: 'EDR', nextSubmissionIntervalInMins: null };
    const uploadId = '00000000-0000-5000-8000-000000000801';
    await append(described({ entity: entity({ name: HOST }), source, isEdrManaged: true }), uploadId);
    await until('the listing', async () => (await listed()).isEdrManaged);
    const { id: assetId } = await listed();
    expect(await get(`/api/v3/assets/${assetId}`)).toMatchObject({ isEdrManaged: true });
    now += 60_000;
    await append({ type: 'EdrManagementEnded', assetId, source: 'EDR' }, null);
    await until('the end', async () => !(await listed()).isEdrManaged);
    expect(await listed(`&asOf=${listedAt}`)).toMatchObject({ isEdrManaged: true });
  });
});

describe('the statements of an asset (R-SRC-9)', () => {
  const HOST = 'stated01';
  const key = `machine:${HOST}`;
  const append = async (payload: AssetDescribed | StatementEnded, uploadId: string | null) => {
    const cause = { uploadId, receivedAt: now };
    const value = encodeIntake(event(payload, now, cause, { entityKey: key }));
    await gateway.log.append(INTAKE_TOPIC, [{ key, value }]);
  };
  const ofDevice = (source: string, given: Parameters<typeof entity>[0]) =>
    described({
      entity: entity({ name: HOST, hostname: HOST, ...given }),
      source: { name: source, nextSubmissionIntervalInMins: null },
      deviceId: `${source}-1`,
      trustedSources: ['CMDB'],
    });
  const listed = async () => (await client.all(`/api/v3/assets?name=${HOST}`))[0];

  it('say who said what, since when, and what of it is shown, also in the past', async () => {
    const since = new Date(now).toISOString();
    const typing = { type: 'Server', attackSurface: 'Servers', supports: [] };
    await append(
      ofDevice('CMDB', { location: 'Pune', ipAddresses: ['10.0.0.1'] }),
      '00000000-0000-5000-8000-000000000901',
    );
    await append(
      ofDevice('EDR', { location: 'Oslo', os: 'Ubuntu', typing, tags: { owner: ['x'] } }),
      '00000000-0000-5000-8000-000000000902',
    );
    await until('both', async () => (await listed())?.sources.length === 2);
    const { id: assetId } = await listed();
    const statements = [
      {
        source: 'CMDB',
        deviceId: 'CMDB-1',
        isEarlier: false,
        since,
        trust: 1,
        values: { name: HOST, location: 'Pune', ipAddresses: ['10.0.0.1'] },
        shown: ['location', 'ipAddresses'],
      },
      {
        source: 'EDR',
        deviceId: 'EDR-1',
        isEarlier: false,
        since,
        trust: null,
        values: {
          name: HOST,
          location: 'Oslo',
          os: 'Ubuntu',
          type: 'Server',
          attackSurface: 'Servers',
          tags: { owner: ['x'] },
        },
        shown: ['os', 'type', 'attackSurface', 'tags.owner'],
      },
    ];
    expect(await get(`/api/v3/assets/${assetId}`)).toMatchObject({ location: 'Pune', statements });
    now += 60_000;
    await append({ type: 'StatementEnded', assetId, source: 'CMDB', deviceId: 'CMDB-1' }, null);
    await until('the end', async () => (await listed()).location === 'Oslo');
    expect((await get(`/api/v3/assets/${assetId}`)).statements).toMatchObject([{ source: 'EDR' }]);
    expect(await get(`/api/v3/assets/${assetId}?asOf=${since}`)).toMatchObject({ statements });
  });
});

describe('the audit trail', () => {
  it('records every act with the values before and after it, and names the secrets that were set', async () => {
    now += 1_000;
    const from = new Date(now).toISOString();
    await withIntegration(edr(), async ({ id }) => {
      await send('PATCH', `/integrations/${id}`, { config: { autoSyncDays: 2, clientSecret: ROTATED } });
      await send('POST', `/integrations/${id}/sync`, { full: true });
      await client.get(`/integrations/${id}`);
    });
    const { items } = await get(`/api/v3/audit?from=${from}`);
    expect(items.map(({ action }: ActDto) => action).toSorted()).toEqual([
      'integration.added',
      'integration.changed',
      'integration.removed',
      'integration.syncRequested',
    ]);
    const of = (action: string) => items.find((item: ActDto) => item.action === action);
    expect(of('integration.added')).toMatchObject({
      user: 'admin',
      detail: { before: null, after: { name: 'EDR', secrets: ['clientSecret'], createdAt: from } },
    });
    expect(of('integration.changed').detail).toMatchObject({
      before: { config: { autoSyncDays: 1 } },
      after: { config: { autoSyncDays: 2 }, secrets: ['clientSecret'] },
    });
    expect(of('integration.syncRequested')).toMatchObject({
      target: of('integration.added').target,
      detail: { after: { isFull: true } },
    });
    expect((await get('/api/v3/settings')).version).toBe(0);
  });
});

describe('secrets (R-INT-2)', () => {
  it('reach no answer, no line of the log, no record of the event log and no row of any table', async () => {
    await withIntegration(edr(), async ({ id }) => {
      await withIntegration(inventory(), async () => {
        await send('PATCH', `/integrations/${id}`, { config: { clientSecret: ROTATED } });
        for (const secret of [CLIENT_SECRET, API_SECRET, ROTATED]) {
          expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
          expect(gateway.lines.filter((line) => line.includes(secret))).toEqual([]);
          expect(await tablesWith(secret)).toEqual([]);
        }
      });
    });
    // A search would find it.
    expect(answers.some((answer) => answer.includes('client-1'))).toBe(true);
    expect(await tablesWith('client-1')).toEqual(expect.arrayContaining(['acts', 'log_records']));
  });

  async function tablesWith(text: string): Promise<string[]> {
    const { pool } = gateway.database;
    const { rows: tables } = await pool.query(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query(
        `select count(*)::int as hits from ${name} t where position($1 in t::text) > 0
           or position(encode(convert_to($1, 'utf8'), 'hex') in t::text) > 0`,
        [text],
      );
      if (rows[0].hits > 0) found.push(name);
    }
    return found;
  }
});
