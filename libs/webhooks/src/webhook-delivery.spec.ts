import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type ChangeCursor, CursorSeal, readHeads } from '#libs/changes';
import type { Egress, OutgoingRequest } from '#libs/egress';
import { Vault } from '#libs/vault';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { T0 } from '../../../test/support/scenario.ts';
import { ScoreRows } from '../../../test/support/score-rows.ts';
import { DeliveryStore, type Task } from './delivery-store.ts';
import { newSecret } from './secret.ts';
import { type Step, WebhookDelivery } from './webhook-delivery.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let secrets: WebhookSecrets;
let heads: ChangeCursor;
let now: number;
let sent: OutgoingRequest[];
/** Status of each answer. */
let answer: number;

beforeEach(async () => {
  database = await testDatabase();
  [now, sent, answer] = [T0 + HOUR_MS, [], 500];
  secrets = new WebhookSecrets(database.db, new Vault([Buffer.from('a secret of the site, long enough')]));
  const rows = new ScoreRows(database.db, 0);
  await rows.assets(1);
  await rows.change([{ asset: 0, score: 1, at: T0 }]);
  await database.pool.query(
    `insert into webhooks (id, url, topics, secret, enabled, position, created_at, updated_at)
     values ($1, 'https://receiver.example/', '{scores}', $2, true, 's:0', now(), now())`,
    [ID, secrets.seal(ID, newSecret())],
  );
  heads = await readHeads(database.db, 1);
});
afterEach(() => database.drop());

function deliveryWith(store: DeliveryStore): WebhookDelivery {
  const request = async (one: OutgoingRequest) => {
    sent.push(one);
    return { status: answer, headers: {}, body: Buffer.alloc(0) };
  };
  return new WebhookDelivery({
    ...{ db: database.db, store, secrets, seal: new CursorSeal([Buffer.alloc(32, 1)]) },
    ...{ egress: { request } as unknown as Egress, clock: () => now, publicUrl: null },
    link: async () => {
      throw new Error('no webhook of these tests keeps tickets');
    },
  });
}
const step = (store = new DeliveryStore(database.db)): Promise<Step> =>
  deliveryWith(store).step(ID, heads, new AbortController().signal);

/** Something happens to the webhook while its changes are read. */
class ChangedMeanwhile extends DeliveryStore {
  override async task(webhookId: string): Promise<Task | null> {
    const task = await super.task(webhookId);
    await database.pool.query(this.change);
    return task;
  }

  constructor(private readonly change: string) {
    super(database.db);
  }
}

it('a delivery is read no further once its collector stops', async () => {
  const stopping = new AbortController();
  class Stopping extends DeliveryStore {
    override async task(webhookId: string): Promise<Task | null> {
      const task = await super.task(webhookId);
      stopping.abort();
      return task;
    }
  }
  const stopped = () => deliveryWith(new Stopping(database.db)).step(ID, heads, stopping.signal);
  await expect(stopped()).rejects.toThrow('aborted');
  expect(await database.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([]);
  await step();
  now += HOUR_MS;
  await expect(stopped()).rejects.toThrow('aborted');
  expect(sent).toHaveLength(1);
});

describe('a repetition of a delivery', () => {
  it.each([
    ['removed', 'delete from webhooks'],
    ['paused', 'update webhooks set enabled = false, version = version + 1'],
    ['changed', `update webhooks set url = 'https://other.example/', version = version + 1`],
    ['replayed', `update webhook_deliveries set status = 'superseded', finished_at = now()`],
  ])('is not sent if the webhook was %s while its changes were read', async (_, change) => {
    expect([await step(), sent.length]).toEqual(['later', 1]);
    now += HOUR_MS;
    answer = 204;
    expect([await step(new ChangedMeanwhile(change)), sent.length]).toEqual(['again', 1]);
    const { rows } = await database.pool.query('select position from webhooks');
    expect(rows).toEqual(change.startsWith('delete') ? [] : [{ position: 's:0' }]);
  });

  it('is not sent while the database accepts no writes', async () => {
    answer = 204;
    await database.pool.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'cannot execute UPDATE in a read-only transaction'; end $$;
      create trigger refuse before update on webhook_deliveries for each row execute function refuse()`);
    for (const _ of [1, 2, 3]) await expect(step()).rejects.toThrow('read-only');
    expect(sent).toHaveLength(1);
    await database.pool.query('drop trigger refuse on webhook_deliveries');
    expect([await step(), sent.length]).toEqual(['again', 2]);
    expect(sent[1]!.headers!['webhook-id']).toBe(sent[0]!.headers!['webhook-id']);
  });

  it('waits before the next one if its outcome cannot be written', async () => {
    await step();
    now += HOUR_MS;
    class Forgetful extends DeliveryStore {
      override failed(): Promise<boolean> {
        return Promise.reject(new Error('lost'));
      }
    }
    await expect(step(new Forgetful(database.db))).rejects.toThrow('lost');
    expect([await step(), sent.length]).toEqual(['later', 2]);
    now += 5_000;
    expect([await step(), sent.length]).toEqual(['later', 3]);
  });
});
