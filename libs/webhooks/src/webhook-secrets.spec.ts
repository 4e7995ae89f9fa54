import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { WebhookChangedError, WebhookSecrets } from './webhook-secrets.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const NOW = Date.parse('2026-03-02T08:00:00.000Z');

let database: TestDatabase;
let secrets: WebhookSecrets;
beforeAll(async () => {
  database = await testDatabase();
  secrets = new WebhookSecrets(database.db, new Vault([Buffer.from('a secret of the site, long enough')]));
  await database.pool.query(
    `insert into webhooks (id, kind, url, topics, options, secret, enabled, position, created_at, updated_at)
     values ($1, 'email', 'smtps://mail.example', '{findings}', '{"user": "ana"}', $2, true, '', now(), now())`,
    [ID, secrets.seal(ID, 'first')],
  );
});
afterAll(() => database.drop());

describe('the secret of a webhook (R-KEY-3)', () => {
  it('opens for the address and account that it was given for, however long ago they were read', async () => {
    const read = { id: ID, url: 'smtps://mail.example', options: { user: 'ana' } };
    expect(await secrets.open(read, NOW)).toEqual(['first']);
    await database.pool.query(`update webhooks set url = 'smtps://other.example', secret = $1`, [
      secrets.seal(ID, 'second'),
    ]);
    await expect(secrets.open(read, NOW)).rejects.toThrow(WebhookChangedError);
    const again = { ...read, url: 'smtps://other.example' };
    expect(await secrets.open(again, NOW)).toEqual(['second']);
    await expect(secrets.open({ ...again, options: { user: 'bo' } }, NOW)).rejects.toThrow(
      WebhookChangedError,
    );
    await expect(secrets.open({ ...again, options: {} }, NOW)).rejects.toThrow(WebhookChangedError);
    await database.pool.query('delete from webhooks');
    await expect(secrets.open(again, NOW)).rejects.toThrow(WebhookChangedError);
  });
});
