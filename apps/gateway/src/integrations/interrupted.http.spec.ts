import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { actEnvelope, type IntegrationSaved, ORGANIZATION_KEY, readingAt } from '#libs/domain';
import { type EventLog, LogUnavailableError } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import type { ApiClient } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';

/** The state after an interrupted act: nothing is usable by accident, and a retry repairs it. */

const SECRET = 'client-secret-never-to-be-seen';
const edr = (name = 'EDR') => ({
  type: 'edrplugin',
  subType: 'falcon',
  name,
  config: { url: 'https://edr.example', clientId: 'client-1', clientSecret: SECRET },
});

let isLogAway = false;
/** The act of another user between the read and the append of the next act. */
let meanwhile: (() => Promise<unknown>) | null = null;
const awayAtTimes = (log: EventLog): EventLog =>
  new Proxy(log, {
    get: (target, name) => {
      if (name === 'append' && meanwhile) {
        return async (...given: Parameters<EventLog['append']>) => {
          const first = meanwhile;
          meanwhile = null;
          await first?.();
          return target.append(...given);
        };
      }
      if (name === 'append' && isLogAway) return () => Promise.reject(new LogUnavailableError('away'));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

let gateway: StartedGateway;
let client: ApiClient;
beforeAll(async () => {
  gateway = await StartedGateway.start({ folds: true, wrapLog: awayAtTimes });
  client = await gateway.client('admin');
});
afterEach(async () => {
  isLogAway = false;
  for (const { id } of (await client.get('/integrations')).items) await send('DELETE', `/integrations/${id}`);
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, body?: unknown, by = client) =>
  by.request(method, path, body === undefined ? undefined : JSON.stringify(body));
const stored = () => gateway.database.db.selectFrom('integration_secrets').selectAll().execute();

async function whileLogIsAway(method: string, path: string, body?: unknown): Promise<void> {
  isLogAway = true;
  expect((await send(method, path, body)).status).toBe(503);
  isLogAway = false;
}

describe('if the log takes nothing', () => {
  it('nothing is added; repeated, it is', async () => {
    await whileLogIsAway('POST', '/integration', edr());
    expect((await client.get('/integrations')).items).toEqual([]);
    const { status, body } = await send('POST', '/integration', edr());
    expect([status, body.configState]).toEqual([200, 'complete']);
  });

  it('nothing is changed, no secret either; repeated, it is', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    const before = await stored();
    const change = { config: { url: 'https://other.example', clientSecret: 'other' } };
    await whileLogIsAway('PATCH', `/integrations/${added.id}`, change);
    expect(await client.get(`/integrations/${added.id}`)).toEqual(added);
    expect(await stored()).toEqual(before);
    const { body } = await send('PATCH', `/integrations/${added.id}`, change);
    expect(body).toMatchObject({ configState: 'complete', config: { url: 'https://other.example' } });
  });

  it('an interrupted deletion has removed the secret; a repeated one deletes the integration', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    await whileLogIsAway('DELETE', `/integrations/${added.id}`);
    expect(await client.get(`/integrations/${added.id}`)).toEqual({ ...added, configState: 'incomplete' });
    expect((await send('POST', `/integrations/${added.id}/sync`)).status).toBe(400);
    expect((await send('DELETE', `/integrations/${added.id}`)).status).toBe(200);
  });

  it('and takes its time, a request for a sync holds no connection of the database', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    const held: unknown[] = [];
    meanwhile = async () => {
      const { rows } = await gateway.database.pool.query(
        `select query from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      );
      held.push(...rows);
      expect((await client.get(`/integrations/${added.id}`)).sync).toBeNull();
    };
    expect((await send('POST', `/integrations/${added.id}/sync`)).status).toBe(202);
    expect([meanwhile, held]).toEqual([null, []]);
  });

  it('no sync waits; repeated, one does', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    await whileLogIsAway('POST', `/integrations/${added.id}/sync`);
    expect((await client.get(`/integrations/${added.id}`)).sync).toBeNull();
    expect((await send('POST', `/integrations/${added.id}/sync`)).status).toBe(202);
  });
});

describe('if two users act at the same time', () => {
  const change = (id: string, body: object) => send('PATCH', `/integrations/${id}`, body);

  it('a change does not restore an integration that was removed concurrently, nor its secret', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    meanwhile = async () => expect((await send('DELETE', `/integrations/${added.id}`)).status).toBe(200);
    const { status } = await change(added.id, { name: 'Back', config: { clientSecret: 'other' } });
    expect(status).toBe(404);
    expect((await client.get('/integrations')).items).toEqual([]);
    expect((await stored()).filter(({ integration_id }) => integration_id === added.id)).toEqual([]);
  });

  it('one of two concurrent changes is applied, the other gets a conflict and does not set its secret', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    const before = await stored();
    meanwhile = async () =>
      expect((await change(added.id, { config: { autoSyncDays: 3 } })).status).toBe(200);
    const second = await change(added.id, { name: 'Second', config: { clientSecret: 'other' } });
    expect([second.status, second.body.message]).toEqual([409, expect.stringMatching(/has changed since/)]);
    expect(await client.get(`/integrations/${added.id}`)).toMatchObject({
      name: 'EDR',
      version: 2,
      config: { autoSyncDays: 3 },
    });
    expect(await stored()).toEqual(before);
    const { items } = await client.get(`/api/v3/audit?target=${added.id}&action=integration.changed`);
    const refusals = items.map(({ refused }: { refused: string | null }) => refused);
    expect(new Set(refusals)).toEqual(new Set([null, 'stale']));
  });
});

describe('if the process ends between the log and the secrets', () => {
  it('a stored secret is good for no other address; the change, repeated, mends it', async () => {
    const { body: added } = await send('POST', '/integration', edr());
    const { id, type: integrationType, subType, name, source } = added;
    const url = 'https://other.example';
    await append({
      ...{ type: 'IntegrationSaved', id, seenVersion: 1, integrationType, subType, name, source },
      config: { ...jsonOf(added.config), url: JSON.stringify(url) },
      secrets: ['clientSecret'],
      createdAt: 0,
    });
    await until('the fold', async () => (await client.get(`/integrations/${id}`)).config.url === url);
    expect((await client.get(`/integrations/${id}`)).configState).toBe('incomplete');
    for (const act of ['test', 'sync']) {
      const { status, body } = await send('POST', `/integrations/${id}/${act}`);
      expect([status, body.message]).toEqual([
        400,
        expect.stringMatching(/clientSecret was entered for a different/),
      ]);
    }
    const mended = await send('PATCH', `/integrations/${id}`, { config: { url, clientSecret: 'other' } });
    expect(mended.body).toMatchObject({ configState: 'complete', config: { url } });
  });

  const jsonOf = (config: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(config).map(([field, value]) => [field, JSON.stringify(value)]));

  async function append(payload: IntegrationSaved): Promise<void> {
    const origin = { id: randomUUID(), ...readingAt(Date.now()), settingsVersion: 0, by: null };
    const envelope = actEnvelope({ ...origin, entityKey: ORGANIZATION_KEY });
    const value = encodeIntake({ envelope, payload });
    await gateway.log.append(INTAKE_TOPIC, [{ key: ORGANIZATION_KEY, value }]);
  }
});

describe('if the fold is unavailable', () => {
  /** Folds until it is so. */
  async function foldUntil(other: StartedGateway, isSo: () => Promise<boolean>): Promise<void> {
    const projection = new Projection(other.database.db);
    const consumer = await other.log.consume(INTAKE_TOPIC, 'projector', {
      assigned: (partition) => projection.open(partition),
      batch: (records) => projection.project(records),
      revoked: async (partition) => projection.close(partition),
    });
    await until('the fold', isSo);
    await consumer.stop();
  }

  it('a refused change of address and secret leaves the secret of the former address', async () => {
    const other = await StartedGateway.start();
    try {
      const admin = await other.client('admin');
      const listed = async () => (await admin.get('/integrations')).items;
      await send('POST', '/integration', edr(), admin);
      await foldUntil(other, async () => (await listed()).length === 1);
      const [{ id }] = await listed();
      const change = (body: object) => send('PATCH', `/integrations/${id}`, { version: 1, ...body }, admin);
      expect((await change({ name: 'Renamed' })).status).toBe(202);
      const config = { url: 'https://other.example', clientSecret: 'other' };
      expect((await change({ config })).status).toBe(202);
      expect(await listed()).toMatchObject([{ name: 'EDR', configState: 'complete' }]);
      const ends = await other.log.ends(INTAKE_TOPIC);
      await foldUntil(other, async () => {
        const { rows } = await other.database.pool.query(
          'select partition, next_offset as next from projection_positions',
        );
        return rows.every(({ partition, next }) => Number(next) >= ends[partition]!);
      });
      expect(await listed()).toMatchObject([
        { name: 'Renamed', config: { url: 'https://edr.example' }, configState: 'complete' },
      ]);
    } finally {
      await other.stop();
    }
  }, 60_000);

  it('an act is a 202, and an integration complete once it is folded (R-FOLD-6)', async () => {
    const other = await StartedGateway.start();
    try {
      const admin = await other.client('admin');
      const { status, body } = await send('POST', '/integration', edr(), admin);
      expect([status, body]).toEqual([
        202,
        { message: expect.any(String), position: expect.objectContaining({ topic: INTAKE_TOPIC }) },
      ]);
      expect((await admin.get('/integrations')).items).toEqual([]);
      const listed = async () => (await admin.get('/integrations')).items;
      await foldUntil(other, async () => (await listed()).length === 1);
      expect(await listed()).toMatchObject([{ name: 'EDR', configState: 'complete' }]);
    } finally {
      await other.stop();
    }
  }, 30_000);
});
