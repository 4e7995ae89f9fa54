import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { DEFAULT_OS_MAPPING, readingAt } from '#libs/domain';
import { INTAKE_TOPIC, openLog } from '#libs/intake';
import { type ApiClient, plainSignal, zipOf } from '../../../../test/support/api-client.ts';
import { described, entity, event } from '../../../../test/support/scenario.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { LEVELS } from '../assets/levels.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MAPPING = '/settings/os-to-safe-asset-type-mapping';
const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');

let now = BEGIN;
let gateway: StartedGateway;
let client: ApiClient;

beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, clock: () => now });
  client = await gateway.client('admin');
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, body: unknown) =>
  client.request(method, path, JSON.stringify(body));
const patch = (body: unknown) => send('PATCH', '/api/v3/settings', body);

async function upload(entries: Record<string, unknown>): Promise<{ unrecognisedTags: string[] }> {
  const { body } = await client.zip(await zipOf(entries));
  return client.folded(body.uploadId);
}

const LOSS = { currency: 'EUR', criticality: 'critical', min: 50_000, max: 2_000_000 };
const inFinance = { ...LOSS, department: 'Finance', criticality: 'low' };

describe('settings', () => {
  it('have documented defaults until a user changes them', async () => {
    expect(await client.get('/api/v3/settings')).toEqual({
      version: 0,
      assetMatching: 'name',
      retirementDays: { finding: 90, ca: 90, va: 90, edr: 90, uba: 90, waf: 90, others: 90 },
      retentionDays: 90,
      deleteAssetsWithoutData: true,
      platformVersion: '4.1',
      maxLagSeconds: 300,
      clockSkewSecondsMax: 60,
      jsonRequestsPerMinute: 6000,
      jsonDailyPolicy: 'advise',
      customFieldRecognitionDelaySeconds: 900,
      egressAllow: [],
      trustedSources: [],
      historyRetentionDays: {},
      scoringModel: 'posture-1',
      sla: null,
      baseRate: { low: 0.0148, best: 0.093, high: 0.25 },
      loss: [],
      defaultDepartment: 'Unassigned',
      defaultLocation: 'Unassigned',
    });
  });

  it('are those of the opening of the log after its fold', async () => {
    const fresh = await StartedGateway.start({ folds: true });
    try {
      const other = await fresh.client();
      expect(await other.get('/api/v3/settings')).toMatchObject({ version: 0, scoringModel: 'posture-1' });
      await openLog(fresh.database.db, fresh.log, () => readingAt(BEGIN));
      await until('the model of a new log', async () => {
        const { version, scoringModel } = await other.get('/api/v3/settings');
        return version === 0 && scoringModel === 'posture-2';
      });
      const { items } = await other.get('/api/v3/audit');
      expect(items).toMatchObject([{ action: 'log.opened', target: 'settings', user: null, refused: null }]);
    } finally {
      await fresh.stop();
    }
  });

  it('change separately, increase the version, and take effect immediately', async () => {
    const { status, body } = await patch({ platformVersion: '3.9', retirementDays: { va: 7 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ version: 1, platformVersion: '3.9', retirementDays: { va: 7, edr: 90 } });
    const bare = plainSignal('Open port', 'web01', {
      securityContext: { type: 'va', status: { complianceStatus: 'fail' }, severity: { value: 5 } },
    });
    expect((await client.signal(bare)).status).toBe(400);
    await patch({ platformVersion: '4.1' });
    const { body: taken } = await client.signal(bare);
    await client.folded(taken.uploadId);
    const [finding] = await client.all('/api/v3/findings?name=Open%20port');
    expect(Date.parse(finding.expiresAt) - now).toBe(7 * 24 * 60 * 60 * 1000);
  });

  it('are rejected on a stale version, and recorded in the audit trail either way', async () => {
    const { body } = await patch({ maxLagSeconds: 60, version: 0 });
    expect(body).toMatchObject({
      statusCode: 409,
      message: expect.stringMatching(/has changed since/),
      reason: 'stale',
    });
    expect((await client.get('/api/v3/settings')).maxLagSeconds).toBe(300);
    const acts = async () => (await client.get('/api/v3/audit?action=settings.changed')).items;
    await until('the origins of all acts are stored', async () =>
      (await acts()).every(({ origins }: { origins: object[] }) => origins.length > 0),
    );
    const items = await acts();
    expect(items).toMatchObject([
      { user: 'admin', refused: 'stale', detail: { asked: { changes: { maxLagSeconds: '60' } } } },
      { refused: null, detail: { before: { platformVersion: '3.9' }, after: { platformVersion: '4.1' } } },
      { refused: null, target: 'settings', detail: { before: { platformVersion: '4.1' } } },
    ]);
    const always = 'from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59.999Z';
    expect((await client.get(`/api/v3/audit?action=settings.changed&${always}`)).items).toEqual(items);
    for (const beyond of ['from=0001-01-01T00:00:00%2B01:00', 'to=9999-12-31T23:59:59-05:00']) {
      expect((await client.request('GET', `/api/v3/audit?${beyond}`)).status).toBe(400);
    }
  });

  it.each([
    [{}, /at least one setting/],
    [{ retentionDays: 0 }, /retentionDays/],
    [{ retentionDays: 3_651 }, /retentionDays/],
    [{ retentionDays: '30' }, /retentionDays/],
    [{ clockSkewSecondsMax: 0 }, /clockSkewSecondsMax/],
    [{ clockSkewSecondsMax: 3_601 }, /clockSkewSecondsMax/],
    [{ retirementDays: { va: 0.5 } }, /retirementDays.va/],
    [{ retirementDays: { va: null } }, /retirementDays.va/],
    [{ retirementDays: { disk: 5 } }, /retirementDays.disk is unknown/],
    [{ assetMatching: 'ip' }, /assetMatching must be one of/],
    [{ platformVersion: 'new' }, /version such as 4.1/],
    [{ jsonDailyPolicy: null }, /jsonDailyPolicy/],
    [{ egressAllow: ['not a host'] }, /egressAllow/],
    [{ egressAllow: 'x' }, /egressAllow/],
    [{ trustedSources: [''] }, /trustedSources/],
    [{ trustedSources: Array(21).fill('x') }, /trustedSources/],
    [{ trustedSources: 'EDR' }, /trustedSources/],
    [{ defaultDepartment: 'x' }, /defaultDepartment must be the name of one of the departments/],
    [{ defaultLocation: '' }, /defaultLocation/],
    [{ scoringModel: 'posture-3' }, /scoringModel must be one of/],
    [{ scoringModel: null }, /scoringModel/],
    [{ baseRate: null }, /baseRate/],
    [{ baseRate: { low: 0.1, best: 0.2 } }, /baseRate.high/],
    [{ baseRate: { low: 0.1, best: '0.2', high: 0.3 } }, /baseRate.best/],
    [{ baseRate: { low: 0.1, best: 0.2, high: 0.3, worst: 1 } }, /baseRate.worst is unknown/],
    [{ baseRate: { low: 0, best: 0.2, high: 0.3 } }, /baseRate: low, best and high must be at least/],
    [{ baseRate: { low: 0.3, best: 0.2, high: 0.3 } }, /baseRate: low must not be above best/],
    [{ baseRate: { low: 0.3, best: 0.91, high: 0.95 } }, /baseRate: best must be at most 0.9/],
    [{ loss: null }, /loss must be a list of rows, or \[\] for no amounts/],
    [{ loss: 'x' }, /loss must be a list of rows/],
    [{ loss: [null] }, /loss must be an object/],
    [{ loss: [LOSS, 'x'] }, /loss must be an object/],
    [{ loss: [LOSS, { ...inFinance, currency: 'eur' }] }, /^loss.1.currency must be an ISO 4217 code/],
    [{ loss: [{ ...LOSS, currency: 'EUX' }] }, /^loss.0.currency must be an ISO 4217 code/],
    [{ loss: [{ ...LOSS, currency: undefined }] }, /^loss.0.currency must be an ISO 4217 code/],
    [{ loss: [LOSS, { ...inFinance, currency: 'USD' }] }, /^loss.1.currency must be the same in all rows$/],
    [{ loss: [{ ...LOSS, criticality: 'huge' }] }, /^loss.0.criticality must be one of/],
    [{ loss: [{ ...LOSS, criticality: null }] }, /^loss.0.criticality must be one of/],
    [{ loss: [{ ...LOSS, location: 'Berlin' }] }, /^loss.0.location is unknown$/],
    [{ loss: [LOSS, { ...inFinance, min: 2, max: 1 }] }, /^loss.1: min must not be above max$/],
    [{ loss: [{ ...LOSS, min: 0 }] }, /^loss.0.min must not be less than 0.01$/],
    [{ loss: [{ ...LOSS, min: -1 }] }, /^loss.0.min must not be less than 0.01$/],
    [{ loss: [{ ...LOSS, max: 2e15 }] }, /^loss.0.max must not be greater than/],
    [{ loss: [{ ...LOSS, max: '2' }] }, /loss.0.max must be a number/],
    [{ loss: [{ ...LOSS, max: null }] }, /loss.0.max must be a number/],
    [{ loss: [{ ...LOSS, department: ' ' }] }, /^loss.0.department must not be empty$/],
    [{ loss: [{ ...LOSS, department: 'x'.repeat(201) }] }, /^loss.0.department must be shorter/],
    [
      { loss: [LOSS, inFinance, { ...LOSS, department: null }] },
      /^loss.2: another row has the same department and criticality$/,
    ],
    [{ loss: [inFinance, { ...inFinance, department: ' FINANCE' }] }, /^loss.1: another row has/],
    [{ incidentRates: { low: 0.1, best: 0.2, high: 0.3 } }, /incidentRates is unknown/],
    [{ lossRanges: null }, /lossRanges is unknown/],
    [{ colour: 'x' }, /colour is unknown/],
    [[], /./],
  ])('reject %j', async (body, message) => {
    const before = await client.get('/api/v3/settings');
    const answer = await patch(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
    expect(await client.get('/api/v3/settings')).toEqual(before);
  });

  it('select the model of scores and its base rate', async () => {
    const baseRate = { low: 0.01, best: 0.2, high: 0.5 };
    const { status, body } = await patch({ scoringModel: 'posture-2', baseRate });
    expect([status, body]).toMatchObject([200, { scoringModel: 'posture-2', baseRate }]);
    const { items } = await client.get('/api/v3/audit?action=settings.changed&limit=1');
    expect(items[0].detail).toEqual({
      before: { scoringModel: 'posture-1', baseRate: { low: 0.0148, best: 0.093, high: 0.25 } },
      after: { scoringModel: 'posture-2', baseRate },
    });
    await patch({ scoringModel: 'posture-1' });
  });

  it('set the losses, and remove them', async () => {
    const ofAll = { ...LOSS, department: null };
    const last = { ...inFinance, min: 0.01, max: 1e15 };
    expect(await patch({ loss: [LOSS] })).toMatchObject({ status: 200, body: { loss: [ofAll] } });
    const { body } = await patch({
      loss: [
        { ...last, department: 'Finance ' },
        { ...LOSS, department: null },
      ],
    });
    expect(body.loss).toEqual([ofAll, last]);
    expect((await client.get('/api/v3/settings')).loss).toEqual(body.loss);
    expect((await patch({ loss: [], version: 0 })).status).toBe(409);
    const { items } = await client.get('/api/v3/audit?action=settings.changed&limit=2');
    expect(items.map(({ detail }: { detail: object }) => detail)).toEqual([
      { asked: { seenVersion: 0, changes: { loss: '[]' } } },
      { before: { loss: [ofAll] }, after: { loss: [ofAll, last] } },
    ]);
    expect((await patch({ loss: [] })).body.loss).toEqual([]);
  });

  it('take a loss for each criticality of 100 departments and of all', async () => {
    const rows = [null, ...Array.from({ length: 100 }, (_, i) => `D${i}`)].flatMap((department) =>
      LEVELS.map((criticality) => ({ ...LOSS, department, criticality })),
    );
    expect(await patch({ loss: rows })).toMatchObject({ status: 200, body: { loss: rows } });
    const { status, body } = await patch({ loss: [...rows, { ...LOSS, department: 'D100' }] });
    expect([status, body.message]).toEqual([400, 'loss must contain no more than 505 elements']);
    await patch({ loss: [] });
  });

  it('have the names of the log in the tables', async () => {
    const baseRate = { low: 0.01, best: 0.3, high: 0.5 };
    const { body } = await patch({ baseRate, loss: [LOSS, inFinance] });
    const { rows } = await gateway.database.pool.query(
      `select state -> 'settings' as settings from organization where state -> 'settings' ->> 'version' = $1`,
      [body.version],
    );
    const range = { min: LOSS.min, max: LOSS.max };
    expect(rows[0].settings).toMatchObject({
      incidentRates: baseRate,
      lossRanges: {
        currency: 'EUR',
        byCriticality: { critical: range },
        byDepartment: [{ department: 'Finance', byCriticality: { low: range } }],
      },
    });
    await patch({ loss: [] });
  });

  it('are an admin’s to change, and everybody’s to read', async () => {
    const analyst = await gateway.client('analyst');
    expect((await analyst.request('PATCH', '/api/v3/settings', '{"maxLagSeconds":60}')).status).toBe(403);
    expect((await analyst.request('GET', '/api/v3/settings')).status).toBe(200);
  });

  it('are in the projection, for every other process', async () => {
    const { body } = await patch({ egressAllow: ['10.0.0.0/8', 'inventory.corp.example', '::1'] });
    expect(await client.get('/api/v3/settings')).toEqual(body);
    const row = await gateway.database.db.selectFrom('organization').selectAll().executeTakeFirstOrThrow();
    expect(row.version).toBe(body.version);
  });
});

describe.each([
  ['/api/v3/company/departments', 'department', 'defaultDepartment', 'dept'],
  ['/api/v3/locations', 'location', 'defaultLocation', 'location'],
])('%s', (path, one, setting, tag) => {
  it('lists the default, adds immediately, and fills fields that no source has set', async () => {
    expect((await client.get(path)).items).toMatchObject([{ name: 'Unassigned', default: true }]);
    const { status, body } = await send('POST', path, { name: ' Zürich ' });
    expect([status, body]).toEqual([200, { id: expect.any(String), name: 'Zürich', default: false }]);
    await send('POST', path, { name: `${one} of default`, default: true });
    expect((await client.get('/api/v3/settings'))[setting]).toBe(`${one} of default`);
    expect((await patch({ [setting]: 'zürich' })).body[setting]).toBe('Zürich');
    expect((await patch({ [setting]: `${one} of default` })).body[setting]).toBe(`${one} of default`);
    const entity = (given: object) => ({ entity: { type: 'machine', name: `${one}01`, ...given } });
    await upload({ '1.json': plainSignal('a', `${one}01`, entity({})) });
    const [asset] = await client.all(`/api/v3/assets?name=${one}01`);
    expect(asset[one]).toBe(`${one} of default`);
    const tagged = entity({ entityAttributes: { tags: { [tag]: ['Zürich'] } } });
    await upload({ '1.json': plainSignal('a', `${one}01`, tagged) });
    expect((await client.get(`/api/v3/assets/${asset.id}`))[one]).toBe('Zürich');
  });

  it('renames, makes another one the default, and removes', async () => {
    const { body: added } = await send('POST', path, { name: 'Old' });
    expect((await send('PATCH', `${path}/${added.id}`, { name: 'New' })).body.name).toBe('New');
    expect((await send('PATCH', `${path}/${added.id}`, { default: true })).body.default).toBe(true);
    expect((await client.request('DELETE', `${path}/${added.id}`)).status).toBe(409);
    const other = (await client.all(path)).find(({ id }) => id !== added.id);
    await send('PATCH', `${path}/${other.id}`, { default: true });
    expect((await client.request('DELETE', `${path}/${added.id}`)).status).toBe(200);
    expect((await client.request('DELETE', `${path}/${added.id}`)).status).toBe(404);
    expect(await client.all(path)).toEqual(await pages(path));
  });

  it('renames without making it the default again, and brings none back', async () => {
    const { body: former } = await send('POST', path, { name: 'Former default', default: true });
    const { body: next } = await send('POST', path, { name: 'Next default' });
    const [, renamed] = await Promise.all([
      send('PATCH', `${path}/${next.id}`, { default: true }),
      send('PATCH', `${path}/${former.id}`, { name: 'Renamed' }),
    ]);
    expect(renamed.status).toBe(200);
    const both = (await client.all(path)).filter(({ id }) => id === former.id || id === next.id);
    expect(both).toMatchObject([
      { name: 'Next default', default: true },
      { name: 'Renamed', default: false },
    ]);
    await Promise.all([
      client.request('DELETE', `${path}/${former.id}`),
      send('PATCH', `${path}/${former.id}`, { name: 'Late' }),
    ]);
    expect((await client.all(path)).filter(({ id }) => id === former.id)).toEqual([]);
  });

  it.each([
    ['no name', {}, 400],
    ['an empty name', { name: ' ' }, 400],
    ['a long name', { name: 'x'.repeat(201) }, 400],
    ['a name that is no text', { name: 1 }, 400],
    ['a default that is none', { name: 'x', default: 'yes' }, 400],
    ['an unknown field', { name: 'x', colour: 1 }, 400],
    ['a name that is there, in any case', { name: 'zÜRICH' }, 409],
  ])('rejects %s', async (_, body, status) => {
    expect((await send('POST', path, body)).status).toBe(status);
  });

  it('says what there is not', async () => {
    expect((await send('PATCH', `${path}/${NOBODY}`, { name: 'x' })).status).toBe(404);
    expect((await send('PATCH', `${path}/x`, { name: 'x' })).status).toBe(400);
    expect((await client.request('GET', `${path}?cursor=x`)).status).toBe(400);
  });

  const pages = async (of: string): Promise<unknown[]> => {
    const found: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: unknown[]; nextCursor: string | null } = await client.get(
        `${of}?limit=1${cursor && `&cursor=${cursor}`}`,
      );
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  };
});

describe('custom fields (R-ASSET-17)', () => {
  const path = '/api/v3/custom-fields';
  const tagged = (host: string, tags: object) =>
    plainSignal('a', host, { entity: { type: 'machine', name: host, entityAttributes: { tags } } });

  it('are filled by tags once they are recognised, 15 minutes after their creation', async () => {
    const { body: field } = await send('POST', path, { name: 'Owner', multiValued: true });
    expect(field).toEqual({
      id: expect.any(String),
      name: 'Owner',
      type: 'Any',
      multiValued: true,
      options: [],
      createdAt: new Date(now).toISOString(),
      recognisedAt: new Date(now + 900_000).toISOString(),
      version: expect.any(Number),
    });
    const early = await upload({ '1.json': tagged('field01', { Owner: ['ana'] }) });
    expect(early.unrecognisedTags).toEqual(['Owner']);
    now += 900_000;
    const later = await upload({ '1.json': tagged('field01', { Owner: ['ana', 'bob'] }) });
    expect(later.unrecognisedTags).toEqual([]);
    const [asset] = await client.all('/api/v3/assets?name=field01');
    expect(asset.customFields).toEqual({ Owner: ['ana', 'bob'] });
    expect(await client.all('/api/v3/assets?customField.Owner=bob')).toHaveLength(1);
    for (const [text, count] of [
      ['customField.Owner:bob', 1],
      ['customField."Owner":"bob" customField.Owner2:x', 0],
      ['nothing customField.Owner:bob', 0],
      ['customField.owner:bob', 0],
    ] as const) {
      const q = `q=${encodeURIComponent(text)}`;
      expect(await client.all(`/api/v3/assets?${q}`)).toHaveLength(count);
      expect((await client.get(`/api/v3/assets/counts?${q}`)).total).toBe(count);
    }
  });

  it('replace the tag of the same source, by which owner rules went', async () => {
    const rules = [{ owner: { type: 'team', name: 'prod-ops' }, tags: [{ key: 'env', value: 'prod' }] }];
    const { version } = await client.get('/api/v3/owner-rules');
    expect((await send('POST', '/api/v3/owner-rules', { rules, version })).status).toBe(200);
    const owned = async () => {
      const [{ owner, tags, customFields }] = await client.all('/api/v3/assets?name=owned01');
      return { owner: owner?.name ?? null, tags, customFields };
    };
    await upload({ '1.json': tagged('owned01', { env: ['prod'] }) });
    expect(await owned()).toEqual({ owner: 'prod-ops', tags: { env: ['prod'] }, customFields: {} });
    await send('POST', path, { name: 'env' });
    now += 900_000;
    await upload({ '1.json': tagged('owned01', { env: ['test'] }) });
    expect(await owned()).toEqual({ owner: null, tags: {}, customFields: { env: ['test'] } });
  });

  it('take options if they are a Select, and are changed', async () => {
    const { body: tier } = await send('POST', path, { name: 'Tier', type: 'Select', options: ['gold'] });
    const { body: changed } = await send('PATCH', `${path}/${tier.id}`, { options: ['gold', 'silver'] });
    expect(changed).toEqual({ ...tier, options: ['gold', 'silver'], version: tier.version + 1 });
    expect(await client.get(`${path}/${tier.id}`)).toEqual(changed);
    expect(await client.request('DELETE', `${path}/${tier.id}`)).toMatchObject({
      status: 200,
      body: { assets: 0 },
    });
    expect((await client.request('GET', `${path}/${tier.id}`)).status).toBe(404);
  });

  it('keep an option that another user has added since `version`', async () => {
    const { body: ring } = await send('POST', path, { name: 'Ring', type: 'Select', options: ['inner'] });
    const { version } = ring;
    const change = (options: string[]) => send('PATCH', `${path}/${ring.id}`, { options, version });
    expect((await change(['inner', 'outer'])).status).toBe(200);
    expect(await change(['inner', 'middle'])).toMatchObject({ status: 409, body: { reason: 'stale' } });
    expect((await client.get(`${path}/${ring.id}`)).options).toEqual(['inner', 'outer']);
    await client.request('DELETE', `${path}/${ring.id}`);
  });

  it('report the affected assets before an option in use is removed', async () => {
    const [owner] = (await client.get(path)).items.filter(({ name }: { name: string }) => name === 'Owner');
    const refused = await client.request('DELETE', `${path}/${owner.id}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringMatching(/^1 assets have a value/),
    ]);
    const removed = await client.request('DELETE', `${path}/${owner.id}?force=true`);
    expect(removed).toMatchObject({ status: 200, body: { assets: 1 } });
    const after = await upload({ '1.json': tagged('field01', { Owner: ['eve'] }) });
    expect(after.unrecognisedTags).toEqual(['Owner']);
  });

  it.each([
    [{}, 400, /name/],
    [{ name: 'x', type: 'Number' }, 400, /type must be one of/],
    [{ name: 'x', type: 'Select' }, 400, /options must contain at least one/],
    [{ name: 'x', options: ['a'] }, 400, /only Select has options/],
    [{ name: 'x', type: 'Select', options: ['a', 'a'] }, 400, /options/],
    [{ name: 'x', type: 'Select', options: [''] }, 400, /options/],
    [{ name: 'x', multiValued: 1 }, 400, /multiValued/],
    [{ name: ' Location ' }, 400, /name must not be a key with a built-in meaning/],
    [{ name: 'ipaddresses' }, 400, /built-in meaning/],
  ])('reject %j', async (body, status, message) => {
    const answer = await send('POST', path, body);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });

  it('get no name that tags never fill', async () => {
    const { body: field } = await send('POST', path, { name: 'Site' });
    expect((await send('PATCH', `${path}/${field.id}`, { name: 'FQDN' })).status).toBe(400);
  });

  it('have no values that are empty lists, which describe hosts whose last tag was removed', async () => {
    const { body: field } = await send('POST', path, { name: 'host-tags' });
    const key = 'machine:untagged01';
    const untagged = described({
      entity: entity({ name: 'untagged01', customFields: { 'host-tags': [] } }),
      source: { name: 'EDR', nextSubmissionIntervalInMins: null },
      deviceId: 'd1',
    });
    const cause = { uploadId: randomUUID(), receivedAt: now };
    const value = encodeIntake(event(untagged, now, cause, { entityKey: key }));
    await gateway.log.append(INTAKE_TOPIC, [{ key, value }]);
    await until('the host', async () => (await client.all('/api/v3/assets?name=untagged01')).length === 1);
    expect(await client.request('DELETE', `${path}/${field.id}`)).toMatchObject({
      status: 200,
      body: { assets: 0 },
    });
  });

  it('are not brought back by a change', async () => {
    const { body: field } = await send('POST', path, { name: 'Short-lived' });
    // This gateway does not know of the removal for up to a second.
    const beside = await StartedGateway.start({ beside: gateway, clock: () => now });
    const removed = await (await beside.client()).request('DELETE', `${path}/${field.id}`);
    const changed = await send('PATCH', `${path}/${field.id}`, { name: 'Late' });
    await beside.stop();
    expect([removed.status, changed.status]).toEqual([200, 404]);
  });

  it('have a name each', async () => {
    await send('POST', path, { name: 'Once' });
    expect((await send('POST', path, { name: 'Once' })).status).toBe(409);
  });
});

describe(MAPPING, () => {
  const typing = { assetType: 'Mainframe', attackSurface: 'Core', supports: ['va'] };

  it('returns the built-in mapping, and types assets by its replacement', async () => {
    expect(await client.get(MAPPING)).toEqual(DEFAULT_OS_MAPPING);
    const mapping = {
      mappings: [{ osPattern: 'z/OS*', ...typing }],
      default: { assetType: 'Other', attackSurface: 'Unknown', supports: ['finding', 'va'] },
    };
    const { status, body } = await send('POST', MAPPING, mapping);
    expect([status, body]).toEqual([200, mapping]);
    expect(await client.get(MAPPING)).toEqual(mapping);
    const entity = { type: 'machine', name: 'mf01', entityAttributes: { tags: { os: ['z/OS 3.1'] } } };
    await upload({ '1.json': plainSignal('a', 'mf01', { entity }) });
    expect(await client.all('/api/v3/assets?name=mf01')).toMatchObject([
      { type: 'Mainframe', attackSurface: 'Core' },
    ]);
  });

  it.each([
    [{ mappings: [] }, /default/],
    [{ default: typing }, /mappings/],
    [{ mappings: [{ ...typing }], default: typing }, /mappings.0.osPattern/],
    [
      { mappings: [{ osPattern: 'x', ...typing, supports: ['disk'] }], default: typing },
      /mappings.0.supports/,
    ],
    [{ mappings: {}, default: typing }, /mappings/],
    [{ mappings: [], default: { ...typing, colour: 1 } }, /default.colour is unknown/],
    [{ mappings: [null], default: typing }, /mappings/],
  ])('rejects %j', async (body, message) => {
    const answer = await send('POST', MAPPING, body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)]);
  });
});
