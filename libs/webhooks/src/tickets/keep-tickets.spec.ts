import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CursorSeal } from '#libs/changes';
import type { Egress } from '#libs/egress';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { DeliveryStore } from '../delivery-store.ts';
import { newSecret } from '../secret.ts';
import { WebhookSecrets } from '../webhook-secrets.ts';
import { keepTickets } from './keep-tickets.ts';

const ID = '00000000-0000-4000-8000-000000000001';
/** Deleted ones, whose tickets are closed. */
const FINDINGS = ['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003'];

let database: TestDatabase;
let secrets: WebhookSecrets;

beforeEach(async () => {
  database = await testDatabase();
  secrets = new WebhookSecrets(database.db, new Vault([Buffer.from('a secret of the site, long enough')]));
  await database.pool.query(
    `insert into webhooks (id, kind, url, topics, secret, enabled, position, created_at, updated_at)
     values ($1, 'github', 'https://github.com/acme/risks', '{findings}', $2, true, 'f:0', now(), now())`,
    [ID, secrets.seal(ID, newSecret())],
  );
  await database.pool.query(
    `insert into webhook_tickets (webhook_id, finding_id, state, key, opened_at, changed_at)
     select $1, id, 'open', '1', now(), now() from unnest($2::uuid[]) id`,
    [ID, FINDINGS],
  );
});
afterEach(() => database.drop());

/** One attempt, in which something happens to the webhook while the first ticket is changed. */
async function attemptWith(change: string) {
  const { webhook } = (await new DeliveryStore(database.db).task(ID))!;
  let requests = 0;
  const request = async () => {
    if (++requests === 1) await database.pool.query(change);
    return { status: 200, headers: {}, body: Buffer.from('{}') };
  };
  const sent = await keepTickets(
    {
      ...{ db: database.db, secrets, seal: new CursorSeal([Buffer.alloc(32, 1)]) },
      ...{ egress: { request } as unknown as Egress, clock: Date.now, publicUrl: null },
      link: async () => {},
    },
    { ...webhook, kind: 'github' },
    { changes: [], outside: FINDINGS },
    new AbortController().signal,
  );
  return { requests, outcome: sent.outcome, message: sent.answer.message };
}

it.each([
  ['paused by a user', 'update webhooks set enabled = false, version = version + 1'],
  ['changed', `update webhooks set filter = '{"severityMin": 9}', version = version + 1`],
  ['removed', 'delete from webhooks'],
])('an attempt ends at the next ticket if its webhook was %s', async (_, change) => {
  expect(await attemptWith(change)).toEqual({
    ...{ requests: 1, outcome: 'failed' },
    message: expect.stringMatching(/^the webhook was changed, paused or removed/),
  });
});

it('an attempt of an unchanged webhook finishes all of its tickets', async () => {
  expect(await attemptWith('select')).toEqual({
    ...{ requests: 2, outcome: 'taken', message: 'tickets: 2 closed' },
  });
});
