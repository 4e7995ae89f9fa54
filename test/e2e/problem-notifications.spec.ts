import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { untilLockWait } from '../support/lock-wait.ts';
import { describeInRun, hasChanged } from '../support/part-of-run.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let service: StartedStandalone;
let admin: ApiClient;
/** A platform that refuses the credentials. */
let platform: Server;

beforeAll(async () => {
  platform = createServer((_, response) => {
    response.statusCode = 403;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(platform, 'listening');
  database = await testDatabase();
  await start();
  await send('PATCH', '/api/v3/settings', { egressAllow: ['127.0.0.1'] });
}, 120_000);
afterAll(async () => {
  platform.close();
  await service.stopAndRemove();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  admin = await service.client();
}

async function send(method: string, path: string, body: object = {}): Promise<any> {
  const { status, body: answer } = await admin.request(method, path, JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${answer.message}`);
  return answer;
}

const query = async (text: string) => (await database.pool.query(text)).rows;
const listOf = async (): Promise<any[]> => (await admin.get('/api/v3/notifications')).items;

/** A sync that the platform refuses. */
async function failedSync(name: string): Promise<void> {
  const url = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
  const config = { url, clientId: 'c', clientSecret: 's' };
  const { id } = await send('POST', '/integration', { type: 'edrplugin', subType: 'falcon', name, config });
  await send('POST', `/integrations/${id}/sync`);
  await until('the sync has failed', async () => (await admin.get(`/integrations/${id}`)).sync?.status === 2);
}

const ROTATION = { shares: 3, turn: 1, isDue: hasChanged('apps/gateway/src/notifications') } as const;

describeInRun(ROTATION, 'problems of the started service (R-NOTE-9)', () => {
  it('are neither lost nor doubled by a kill before the commit and after it', async () => {
    const holder = await database.pool.connect();
    try {
      await holder.query('begin');
      // The gateway waits with its notifications, in the middle of its transaction.
      await holder.query('lock table notifications in share mode');
      await failedSync('First');
      await untilLockWait('it writes', database, 'insert into "notifications"');
      await service.kill();
      await holder.query('rollback');
    } finally {
      holder.release();
    }
    expect(await query('select from notifications')).toEqual([]);
    await start();
    await until('it is written', async () => (await listOf()).length === 1);
    expect((await listOf())[0]).toMatchObject({ kind: 'syncFailed', subject: { name: 'First' } });
    await service.kill();
    await start();
    await failedSync('Second');
    await until('the second one is written', async () => (await listOf()).length > 1);
    expect((await listOf()).map(({ subject }) => subject.name)).toEqual(['Second', 'First']);
  }, 240_000);
});
