import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { DeliveryStore } from './delivery-store.ts';
import type { Webhook } from './webhook.ts';

const NOW = Date.parse('2026-03-02T08:00:00.000Z');
const GAP = { reason: 'gap', message: 'changes are missing', at: NOW } as const;

let database: TestDatabase;
let store: DeliveryStore;
beforeAll(async () => {
  database = await testDatabase();
  store = new DeliveryStore(database.db);
});
afterAll(() => database.drop());

const query = (text: string, id: string) => database.pool.query(text, [id]);

async function added(): Promise<Webhook> {
  const id = randomUUID();
  await query(
    `insert into webhooks (id, url, topics, secret, enabled, position, created_at, updated_at)
     values ($1, 'https://siem.example', '{findings}', '', true, 'f:0', now(), now())`,
    id,
  );
  return (await store.task(id))!.webhook;
}

describe('a pause by the service', () => {
  it('is that of the webhook that was read', async () => {
    const webhook = await added();
    expect(await store.pause(webhook, GAP)).toBe(true);
    const { rows } = await query('select enabled, paused from webhooks where id = $1', webhook.id);
    expect(rows).toEqual([{ enabled: false, paused: GAP }]);
  });

  it.each([
    ['changed', 'version = version + 1'],
    ['replayed from another position', `position = 'f:1'`],
  ])('does not pause one that a user has %s', async (_, change) => {
    const webhook = await added();
    await query(`update webhooks set ${change} where id = $1`, webhook.id);
    expect(await store.pause(webhook, GAP)).toBe(false);
    expect(await store.task(webhook.id)).toMatchObject({ webhook: { enabled: true, paused: null } });
  });
});
