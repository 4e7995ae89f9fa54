import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CursorSeal } from '#libs/changes';
import { bareClock, type TrustedClock } from '#libs/clock';
import { encodeIntake } from '#libs/contracts';
import { ORGANIZATION_KEY } from '#libs/domain';
import { openEgress } from '#libs/egress';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { readMetrics } from '#libs/telemetry';
import { Vault } from '#libs/vault';
import { type Delivery, newSecret, type RetryPolicy, type Webhook, WebhookSecrets } from '#libs/webhooks';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { event, T0 } from '../../../../test/support/scenario.ts';
import { ScoreRows } from '../../../../test/support/score-rows.ts';
import { until } from '../../../../test/support/until.ts';
import { isSignedBy, WebhookReceiver } from '../../../../test/support/webhook-receiver.ts';
import { Deliverer } from './deliverer.service.ts';

const PARTITIONS = 2;
const ASSETS = 3;
/** Longer than any test: an attempt that is given up would be repeated. */
const NEVER_MS = 3_600_000;
const NOW_AND_AGAIN: RetryPolicy = {
  firstMs: 5,
  longestMs: 20,
  askedMsMax: 3_600_000,
  attemptsMin: 1_000,
  retryMsMin: 3_600_000,
};

let database: TestDatabase;
let secrets: WebhookSecrets;
let scores: ScoreRows[];
const receivers: WebhookReceiver[] = [];
const deliverers: Deliverer[] = [];

beforeEach(async () => {
  database = await testDatabase();
  secrets = new WebhookSecrets(database.db, new Vault([Buffer.from('a secret of the site, long enough')]));
  scores = await Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) => {
      const rows = new ScoreRows(database.db, partition);
      await rows.assets(ASSETS);
      return rows;
    }),
  );
  await allowLoopback();
});
afterEach(async () => {
  await Promise.all(deliverers.splice(0).map((one) => one.onApplicationShutdown()));
  for (const receiver of receivers.splice(0)) receiver.close();
  await database.drop();
});

async function allowLoopback(): Promise<void> {
  const log = new PostgresEventLog({ url: database.url, partitions: 1 });
  const payload = {
    type: 'SettingsChanged',
    seenVersion: null,
    changes: { egressAllow: '["127.0.0.1"]' },
  } as const;
  const value = encodeIntake(event(payload, T0, { kind: 'user' }, { entityKey: ORGANIZATION_KEY }));
  await log.append(INTAKE_TOPIC, [{ key: ORGANIZATION_KEY, value }]);
  const projection = new Projection(database.db);
  for await (const records of log.read(INTAKE_TOPIC, 0, await projection.open(0), 1)) {
    await projection.project(records);
  }
  await log.close();
}

async function receiver(): Promise<WebhookReceiver> {
  const started = await WebhookReceiver.start();
  receivers.push(started);
  return started;
}

function deliverer(
  policy: Partial<RetryPolicy> = {},
  timeoutMs = 5_000,
  trustedClock: TrustedClock = bareClock(Date.now),
): Deliverer {
  const parts = {
    secrets,
    seal: new CursorSeal([Buffer.alloc(32, 1)]),
    policy: { ...NOW_AND_AGAIN, ...policy },
    timeoutMs,
    openEgress,
    link: async () => {
      throw new Error('no webhook of these tests keeps tickets');
    },
    publicUrl: null,
  };
  const started = new Deliverer(database.db, Date.now, trustedClock, { partitions: PARTITIONS }, parts);
  deliverers.push(started);
  started.onModuleInit();
  return started;
}

interface Added {
  id: string;
  secret: string;
}

/** A webhook of scores from the beginning. */
async function added({ url }: Pick<WebhookReceiver, 'url'>): Promise<Added> {
  const [id, secret] = [randomUUID(), newSecret()];
  await database.db
    .insertInto('webhooks')
    .values({
      id,
      url,
      topics: ['scores'],
      secret: secrets.seal(id, secret),
      enabled: true,
      position: 's:0.0',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .execute();
  return { id, secret };
}

/** So many changes in each partition. */
const changed = (count: number) =>
  Promise.all(
    scores.map((rows) =>
      rows.change(
        Array.from({ length: count }, (_, i) => ({ asset: i % ASSETS, score: i % 100, at: T0 + i })),
      ),
    ),
  );

type DeliveryRow = Pick<Delivery, 'id' | 'status' | 'attempts' | 'changes' | 'bytes' | 'answer'> & {
  next_attempt_at: number;
  last_attempt_at: number;
};
const webhook = async ({ id }: Added): Promise<Webhook> =>
  (await database.pool.query('select *, created_at as "createdAt" from webhooks where id = $1', [id]))
    .rows[0];
const deliveries = async ({ id }: Added): Promise<DeliveryRow[]> =>
  (
    await database.pool.query(
      'select * from webhook_deliveries where webhook_id = $1 order by created_at, id',
      [id],
    )
  ).rows;
const reached = (one: Added, position: string) =>
  until(`the position ${position}`, async () => (await webhook(one)).position === position);

/** Sequences by partition, each event once and in the order of its first coming. */
function sequencesOf({ events }: WebhookReceiver): number[][] {
  const ids = new Set<string>();
  const sequences = Array.from({ length: PARTITIONS }, () => [] as number[]);
  for (const { id, data } of events) {
    if (ids.has(id)) continue;
    ids.add(id);
    sequences[data.change.partition]!.push(data.change.sequence);
  }
  return sequences;
}
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe('Deliverer', () => {
  it('delivers every change once, in order within its partition, signed, and notes each delivery', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(130);
    deliverer();
    await reached(hook, 's:3m.3m');
    expect(sequencesOf(one)).toEqual([upTo(130), upTo(130)]);
    expect(new Set(one.events.map(({ id }) => id)).size).toBe(one.events.length);
    expect(one.received.every((delivery) => isSignedBy(hook.secret, delivery))).toBe(true);
    expect(one.received[0]!.contentType).toBe('application/cloudevents-batch+json; charset=utf-8');
    const rows = await deliveries(hook);
    expect(rows.map(({ id }) => `msg_${id}`)).toEqual(one.received.map(({ id }) => id));
    expect(rows.map(({ status, attempts, changes }) => [status, attempts, changes])).toEqual(
      one.received.map(({ events }) => ['delivered', 1, events.length]),
    );
    expect(rows.every(({ changes, bytes }) => changes <= 100 && bytes <= 256 * 1024)).toBe(true);
    expect(rows[0]!.answer).toMatchObject({ status: 204, message: 'the receiver accepted it' });
    expect(await readMetrics()).toContain('posture_webhook_lag_changes 0\n');
    await changed(1);
    await reached(hook, 's:3n.3n');
    expect(sequencesOf(one)).toEqual([upTo(131), upTo(131)]);
  });

  it('repeats an unaccepted delivery with the same id and text until it is accepted', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(3);
    const receptions = [
      { status: 500 },
      'cut',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'silent',
      { status: 400 },
    ] as const;
    one.receive = (_, count) => receptions[count - 1] ?? { status: 200 };
    deliverer({}, 300);
    await reached(hook, 's:3.3');
    expect(one.received).toHaveLength(receptions.length + 1);
    const [first, ...rest] = one.received;
    for (const again of rest) {
      expect([again.id, `${again.body}`]).toEqual([first!.id, `${first!.body}`]);
      expect(isSignedBy(hook.secret, again)).toBe(true);
    }
    expect(await deliveries(hook)).toMatchObject([{ status: 'delivered', attempts: receptions.length + 1 }]);
  });

  it('shows the outcome of the last attempt, and no text of the receiver', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(1);
    one.receive = () => 'cut';
    deliverer({ firstMs: 600_000, longestMs: 600_000 });
    await until('an attempt', async () => (await deliveries(hook))[0]?.attempts === 1);
    const [row] = await deliveries(hook);
    const { host } = new URL(one.url);
    expect(row).toMatchObject({
      status: 'pending',
      answer: { status: null, message: `${host} closed the connection` },
    });
  });

  it('is not delayed by a receiver that never responds', async () => {
    const [silent, other] = [await receiver(), await receiver()];
    silent.receive = () => 'silent';
    const [dead, hook] = [await added(silent), await added(other)];
    await changed(150);
    deliverer({}, NEVER_MS);
    await reached(hook, 's:46.46');
    await until('the silent receiver holds a connection', () => silent.received.length === 1);
    expect((await webhook(dead)).position).toBe('s:0.0');
  });

  it('is not delayed by receivers on the same host either', async () => {
    const host = await receiver();
    const dead = await Promise.all(Array.from({ length: 5 }, (_, i) => added({ url: `${host.url}/${i}` })));
    await changed(150);
    host.receive = () => 'silent';
    deliverer({}, NEVER_MS);
    await until('all of them hold a connection', () => host.received.length === dead.length);
    host.receive = () => ({ status: 204 });
    const hook = await added(host);
    await reached(hook, 's:46.46');
    expect(host.received).toHaveLength(dead.length + 3);
    for (const one of dead) expect((await webhook(one)).position).toBe('s:0.0');
  });

  it('waits as long as a receiver asks for', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(1);
    one.receive = () => ({ status: 429, headers: { 'retry-after': '1200' } });
    deliverer();
    await until('an attempt', async () => (await deliveries(hook))[0]?.attempts === 1);
    const [row] = await deliveries(hook);
    const waits = row!.next_attempt_at - row!.last_attempt_at;
    // Asked for in whole seconds of the receiver's.
    expect(waits).toBeGreaterThan(1_199_000);
    expect(waits).toBeLessThan(1_201_000);
    expect(row!.answer).toMatchObject({ status: 429 });
  });

  it('pauses after a 410 of the receiver, and sends the same delivery again when it is resumed', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(2);
    one.receive = (_, count) => ({ status: count === 1 ? 410 : 200 });
    deliverer();
    await until('the pause', async () => !(await webhook(hook)).enabled);
    expect(await webhook(hook)).toMatchObject({
      position: 's:0.0',
      paused: { reason: 'gone', message: expect.stringContaining('410') },
    });
    expect(await readMetrics()).toContain('posture_webhooks_paused{reason="gone"} 1\n');
    await changed(1);
    await database.pool.query('update webhooks set enabled = true, paused = null');
    await reached(hook, 's:3.3');
    expect(one.received[1]!.id).toBe(one.received[0]!.id);
    expect(sequencesOf(one)).toEqual([upTo(3), upTo(3)]);
  });

  it('pauses a webhook after enough attempts, without losing changes', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(2);
    one.receive = () => ({ status: 503 });
    deliverer({ attemptsMin: 3, retryMsMin: 0 });
    await until('the pause', async () => !(await webhook(hook)).enabled);
    expect(await webhook(hook)).toMatchObject({
      position: 's:0.0',
      paused: {
        reason: 'exhausted',
        message: 'after 3 attempts: the receiver did not accept it (status 503)',
      },
    });
    expect(one.received).toHaveLength(3);
  });

  it.each([500, 410])('ignores a %i if the address has changed since', async (status) => {
    const [wrong, right] = [await receiver(), await receiver()];
    const hook = await added(wrong);
    await changed(2);
    wrong.receive = async () => {
      // As a user changes it.
      await database.pool.query('update webhooks set url = $1, version = version + 1', [right.url]);
      await database.pool.query(
        'update webhook_deliveries set attempts = 0, first_attempt_at = null, next_attempt_at = null',
      );
      return { status };
    };
    let heard: DeliveryRow[] = [];
    right.receive = async () => {
      heard = await deliveries(hook);
      return { status: 204 };
    };
    deliverer({ firstMs: 600_000, longestMs: 600_000 });
    await reached(hook, 's:2.2');
    expect(wrong.received).toHaveLength(1);
    expect(right.received.map(({ id }) => id)).toEqual([wrong.received[0]!.id]);
    expect(heard).toMatchObject([{ status: 'pending', attempts: 0, answer: { status } }]);
    expect(await deliveries(hook)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('stopped between the receiver and its own note, it sends again under the same id, and loses nothing', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(120);
    let stopped: Promise<void> | undefined;
    one.receive = async (_, count) => {
      if (count !== 2) return { status: 200 };
      // The receiver has it, and its response is lost.
      stopped = first.onApplicationShutdown();
      await stopped;
      return { status: 200 };
    };
    const first = deliverer();
    await until('the second delivery', () => stopped !== undefined);
    await stopped;
    expect((await deliveries(hook)).filter(({ status }) => status === 'pending')).toHaveLength(1);
    deliverer();
    await reached(hook, 's:3c.3c');
    expect(one.received[2]!.id).toBe(one.received[1]!.id);
    expect(one.received[2]!.events.map(({ id }) => id)).toEqual(one.received[1]!.events.map(({ id }) => id));
    expect(sequencesOf(one)).toEqual([upTo(120), upTo(120)]);
  });

  it('is one of several: another takes over when it stops', async () => {
    const one = await receiver();
    const hook = await added(one);
    const [first] = [deliverer(), deliverer()];
    await changed(120);
    await reached(hook, 's:3c.3c');
    await first.onApplicationShutdown();
    await changed(10);
    await reached(hook, 's:3m.3m');
    expect(one.events).toHaveLength(260);
    expect(new Set(one.events.map(({ id }) => id)).size).toBe(260);
  });

  it('pauses if changes are missing, and reports the position', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(5);
    await database.pool.query('delete from score_changes where partition = 1 and sequence = 2');
    deliverer();
    await until('the pause', async () => !(await webhook(hook)).enabled);
    expect((await webhook(hook)).paused).toMatchObject({
      reason: 'gap',
      message: expect.stringContaining('score_changes of partition 1 continues at 3, but 2 is next'),
    });
  });

  it('signs with both secrets during a rotation, and then only with the new one', async () => {
    const one = await receiver();
    const hook = await added(one);
    const next = newSecret();
    const rotated = (until: string) =>
      database.pool.query(
        `update webhooks set previous_secret = coalesce(previous_secret, secret), secret = $1, previous_until = now() + $2::interval`,
        [secrets.seal(hook.id, next), until],
      );
    await rotated('1 day');
    await changed(1);
    deliverer();
    await reached(hook, 's:1.1');
    expect(isSignedBy(hook.secret, one.received[0]!)).toBe(true);
    expect(isSignedBy(next, one.received[0]!)).toBe(true);
    await rotated('-1 second');
    await changed(1);
    await reached(hook, 's:2.2');
    expect(isSignedBy(hook.secret, one.received.at(-1)!)).toBe(false);
    expect(isSignedBy(next, one.received.at(-1)!)).toBe(true);
  });

  it('sends nothing that it cannot sign', async () => {
    const one = await receiver();
    const hook = await added(one);
    const other = new WebhookSecrets(database.db, new Vault([Buffer.from('a secret of another site, long')]));
    await database.pool.query('update webhooks set secret = $1', [other.seal(hook.id, hook.secret)]);
    await changed(1);
    deliverer();
    await until('an attempt', async () => ((await deliveries(hook))[0]?.attempts ?? 0) > 0);
    expect((await deliveries(hook))[0]!.answer).toMatchObject({
      status: null,
      message: expect.stringContaining('POSTURE_PREVIOUS_SECRET_KEY'),
    });
    expect(one.received).toEqual([]);
  });

  it('sends and forgets nothing while its clock is not trusted', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(1);
    const finding = randomUUID();
    await database.pool.query(
      `insert into webhook_tickets (webhook_id, finding_id, state, opened_at, changed_at)
       values ($1, $2, 'closed', now() - interval '500 days', now() - interval '500 days')`,
      [hook.id, finding],
    );
    const isRemembered = async () =>
      (await database.pool.query('select from webhook_tickets where finding_id = $1', [finding])).rowCount ===
      1;
    let distrust: TrustedClock['distrust'] = { cause: 'database', message: 'a year ahead' };
    let looks = 0;
    const clock: TrustedClock = {
      ...bareClock(Date.now),
      get distrust() {
        looks += 1;
        return distrust;
      },
    };
    deliverer({}, 5_000, clock);
    await until('three looks at the clock', () => looks >= 3);
    expect([one.received, await deliveries(hook), await isRemembered()]).toEqual([[], [], true]);
    distrust = null;
    await reached(hook, 's:1.1');
    await until('the ticket is forgotten', async () => !(await isRemembered()));
  });

  it('forgets deliveries that ended a week ago', async () => {
    const one = await receiver();
    const hook = await added(one);
    await changed(1);
    const first = deliverer();
    await reached(hook, 's:1.1');
    await first.onApplicationShutdown();
    await database.pool.query(`update webhook_deliveries set finished_at = now() - interval '8 days'`);
    deliverer();
    await until('it is gone', async () => (await deliveries(hook)).length === 0);
  });
});
