import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createLogger } from '#libs/config';
import { openDatabase } from '#libs/database';
import { DEFAULT_SETTINGS, type Settings } from '#libs/domain';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { until } from '../../../../test/support/until.ts';
import { errorBodyOf } from '../http/error-body.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { JsonDay } from './json-day.ts';
import { JsonQuota } from './json-quota.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const logger = createLogger('error', { write: () => {} });

let now = Date.parse('2026-03-02T08:00:00.000Z');
let settings = { ...DEFAULT_SETTINGS };
/** Of the gateway. */
const served: Partial<Settings> = { jsonRequestsPerMinute: 60 };
let gateway: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, settings: served });
});
beforeEach(() => {
  served.jsonDailyPolicy = 'advise';
  now += 48 * HOUR_MS;
});
afterAll(() => gateway.stop());

const quota = (db = gateway.database.db) =>
  new JsonQuota(
    db,
    () => settings,
    () => now,
    logger,
  );

/** The number of accepted requests. */
async function letIn(quotas: JsonQuota[], requests: number): Promise<number> {
  const answers = await Promise.allSettled(
    Array.from({ length: requests }, (_, i) => quotas[i % quotas.length]!.take()),
  );
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(RetryLaterException);
  }
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

describe('jsonRequestsPerMinute (R-LIM-1)', () => {
  it.each([1, 2, 5])(
    'is enforced over %i gateways, at most a tenth over, minute after minute',
    async (gateways) => {
      settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
      const quotas = Array.from({ length: gateways }, () => quota());
      for (let minute = 0; minute < 3; minute += 1) {
        const count = await letIn(quotas, 2_000);
        expect(count).toBeGreaterThanOrEqual(600 - gateways * 10);
        expect(count).toBeLessThanOrEqual(660);
        now += MINUTE_MS;
      }
    },
  );

  it('applies to a single gateway with all requests', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
    quota();
    expect(await letIn([quota()], 2_000)).toBe(600);
  });

  it('continues with the quota of the previous minute while the database is unavailable', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere', { max: 1 });
    const [alone, other] = [quota(), quota()];
    expect(await letIn([alone], 200)).toBe(200);
    await letIn([other], 2_000);
    Object.assign(alone, { db: away.db });
    now += MINUTE_MS;
    const count = await letIn([alone], 2_000);
    // It may hold a lease of ten requests that it did not use.
    expect(count).toBeGreaterThanOrEqual(200);
    expect(count).toBeLessThanOrEqual(210);
    await away.close();
  });

  it('continues so in each minute in which the database hangs, after one wait of 2 s', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
    const alone = quota();
    expect(await letIn([alone], 200)).toBe(200);
    await gateway.database.db.transaction().execute(async (transaction) => {
      await sql`lock table json_leases`.execute(transaction);
      for (const requests of [20, 2_000, 2_000]) {
        now += MINUTE_MS;
        const count = await letIn([alone], requests);
        expect(count).toBeGreaterThanOrEqual(Math.min(requests, 200));
        expect(count).toBeLessThanOrEqual(210);
      }
    });
    await until('the database', async () => {
      now += MINUTE_MS;
      return (await letIn([alone], 2_000)) === 600;
    });
  });

  it('a 429 says the seconds until the next minute, and nothing else', async () => {
    const client = await gateway.client('analyst');
    now += 20_000;
    const answers = await Promise.all(Array.from({ length: 61 }, () => client.signal(plainSignal('a', 'h'))));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBe(60);
    expect(refused[0]!.body).toMatchObject({ statusCode: 429, message: '40', retryIn: 40 });
    expect(refused[0]!.headers.get('retry-after')).toBe('40');
    now += 40_000;
    expect((await client.signal(plainSignal('a', 'h'))).status).toBe(200);
  });
});

describe('more than 100 JSON signals in 24 hours (R-LIM-2)', () => {
  const day = () =>
    new JsonDay(
      gateway.database.db,
      () => settings,
      () => now,
      logger,
    );
  const ANA = '6f3a4b1f-0a04-4b5c-9a3e-5f0c1a520d0b';

  const send = (ofDay: JsonDay, credentialId = ANA) =>
    ofDay.run(credentialId, async (): Promise<{ advice?: string }> => ({}));
  const refusalOf = (ofDay: JsonDay) =>
    send(ofDay).then(
      () => null,
      (error: unknown) => errorBodyOf(error, 'r-1'),
    );

  it('are answered with advice, over a rolling day, for each credential', async () => {
    settings = { ...DEFAULT_SETTINGS };
    const ofDay = day();
    for (let n = 1; n <= 100; n += 1) expect(await send(ofDay)).toEqual({});
    expect((await send(ofDay)).advice).toMatch(/ZIP/);
    expect(await send(ofDay, 'another')).toEqual({});
    now += 25 * HOUR_MS;
    expect(await send(ofDay)).toEqual({});
  });

  it('are rejected if the policy is enforce, with the seconds until all of an hour is older than a day', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonDailyPolicy: 'enforce' };
    const ofDay = day();
    now += 59 * MINUTE_MS - (now % HOUR_MS);
    for (let n = 1; n <= 100; n += 1) await send(ofDay);
    const seconds = 24 * 3_600 + 60;
    expect(await refusalOf(ofDay)).toMatchObject({ statusCode: 429, retryIn: seconds });
    now += seconds * 1_000 - 1;
    expect(await refusalOf(ofDay)).toMatchObject({ statusCode: 429, retryIn: 1 });
    now += 1;
    expect(await refusalOf(ofDay)).toBeNull();
  });

  it('are limited to 100 at a time; a failed one frees its slot', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonDailyPolicy: 'enforce' };
    const ofDay = day();
    const ends: ((error?: Error) => void)[] = [];
    const underWay = Array.from({ length: 100 }, () =>
      ofDay.run(
        ANA,
        () =>
          new Promise<object>((resolve, reject) =>
            ends.push((error) => (error ? reject(error) : resolve({}))),
          ),
      ),
    );
    expect((await refusalOf(ofDay))?.retryIn).toBeLessThanOrEqual(25 * 3_600);
    ends.pop()!(new Error('malformed'));
    await expect(underWay.pop()).rejects.toThrow('malformed');
    expect(await refusalOf(ofDay)).toBeNull();
    for (const end of ends) end();
    await Promise.all(underWay);
    expect(await refusalOf(ofDay)).toMatchObject({ statusCode: 429 });
  });

  it('are counted over all gateways, and over a restart', async () => {
    settings = { ...DEFAULT_SETTINGS };
    const [first, second] = [day(), day()];
    for (const one of [first, second]) await one.onModuleInit();
    for (let n = 0; n < 60; n += 1) {
      await send(first);
      await send(second);
    }
    for (const one of [first, second]) await one.onApplicationShutdown();
    const later = day();
    await later.onModuleInit();
    expect((await send(later)).advice).toMatch(/ZIP/);
    await later.onApplicationShutdown();
  });

  it('are shared once, also if old rows could not be removed at first', async () => {
    settings = { ...DEFAULT_SETTINGS };
    const { pool } = gateway.database;
    await pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
       create trigger refuse before delete on json_signals execute function refuse()`,
    );
    const ofDay = day();
    await ofDay.onModuleInit();
    await send(ofDay);
    await ofDay.onApplicationShutdown();
    await pool.query('drop trigger refuse on json_signals');
    await ofDay.onApplicationShutdown();
    const { rows } = await pool.query(
      'select signals from json_signals where credential_id = $1 and hour >= $2',
      [ANA, new Date(now - HOUR_MS)],
    );
    expect(rows).toEqual([{ signals: 1 }]);
  });

  it('a repeat under its key is answered as before and not counted again', async () => {
    served.jsonDailyPolicy = 'enforce';
    const client = await gateway.client('analyst');
    const key = { 'idempotency-key': 'lost-on-the-way' };
    const first = await client.signal(plainSignal('a', 'h'), key);
    for (let n = 0; n < 5; n += 1) await client.signal(plainSignal('a', 'h'), key);
    for (let n = 0; n < 99; n += 1) {
      if (n % 50 === 0) now += MINUTE_MS;
      expect((await client.signal(plainSignal('a', 'h'))).status).toBe(200);
    }
    expect((await client.signal(plainSignal('a', 'h'))).status).toBe(429);
    expect(await client.signal(plainSignal('a', 'h'), key)).toMatchObject({ status: 200, body: first.body });
  });

  it('the advice is in the answer', async () => {
    const client: ApiClient = await gateway.client('admin');
    let last: { status: number; body: { advice?: string } } | undefined;
    for (let n = 0; n < 101; n += 1) {
      if (n % 50 === 0) now += MINUTE_MS;
      last = await client.signal(plainSignal('a', 'h'));
    }
    expect(last).toMatchObject({ status: 200, body: { advice: expect.stringMatching(/ZIP/) } });
  });
});
