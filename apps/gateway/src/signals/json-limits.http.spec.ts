import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '#libs/config';
import { openDatabase } from '#libs/database';
import { DEFAULT_SETTINGS } from '#libs/domain';
import { type ApiClient, plainSignal } from '../../../../test/support/api-client.ts';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';
import { RetryLaterException } from '../http/http-errors.ts';
import { JsonDay } from './json-day.ts';
import { JsonQuota } from './json-quota.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const logger = createLogger('error', { write: () => {} });

let now = Date.parse('2026-03-02T08:00:00.000Z');
let settings = { ...DEFAULT_SETTINGS };
let gateway: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start({ clock: () => now, settings: { jsonRequestsPerMinute: 60 } });
});
beforeEach(() => {
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

/** How many of so many requests are let in. */
async function letIn(quotas: JsonQuota[], requests: number): Promise<number> {
  const answers = await Promise.allSettled(
    Array.from({ length: requests }, (_, i) => quotas[i % quotas.length]!.take()),
  );
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(RetryLaterException);
  }
  return answers.filter(({ status }) => status === 'fulfilled').length;
}

describe('jsonRequestsPerMinute (D19)', () => {
  it.each([1, 2, 5])(
    'holds over %i gateways, at most a tenth over, minute after minute',
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

  it('holds for a gateway that takes all of it alone', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
    quota();
    expect(await letIn([quota()], 2_000)).toBe(600);
  });

  it('goes on with what it had in the minute before while the database is away', async () => {
    settings = { ...DEFAULT_SETTINGS, jsonRequestsPerMinute: 600 };
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nowhere', { max: 1 });
    const [alone, other] = [quota(), quota()];
    await letIn([alone, other], 2_000);
    Object.assign(alone, { db: away.db });
    now += MINUTE_MS;
    const count = await letIn([alone], 2_000);
    expect(count).toBeGreaterThan(200);
    expect(count).toBeLessThan(600);
    await away.close();
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

describe('more than 100 JSON signals in 24 hours (D19, spec §Limits)', () => {
  const day = () =>
    new JsonDay(
      gateway.database.db,
      () => settings,
      () => now,
      logger,
    );
  const ANA = '6f3a4b1f-0a04-4b5c-9a3e-5f0c1a520d0b';

  it('are answered with advice, over a rolling day, for each credential', () => {
    settings = { ...DEFAULT_SETTINGS };
    const ofDay = day();
    for (let n = 1; n <= 100; n += 1) expect(ofDay.note(ANA)).toBeUndefined();
    expect(ofDay.note(ANA)).toMatch(/ZIP/);
    expect(ofDay.note('another')).toBeUndefined();
    expect(() => ofDay.assertAllowed(ANA)).not.toThrow();
    now += 25 * HOUR_MS;
    expect(ofDay.note(ANA)).toBeUndefined();
  });

  it('are refused where the policy is enforce, with the seconds until there is room', () => {
    settings = { ...DEFAULT_SETTINGS, jsonDailyPolicy: 'enforce' };
    const ofDay = day();
    for (let n = 1; n <= 100; n += 1) {
      ofDay.assertAllowed(ANA);
      ofDay.note(ANA);
    }
    expect(() => ofDay.assertAllowed(ANA)).toThrow(RetryLaterException);
    now += 24 * HOUR_MS;
    expect(() => ofDay.assertAllowed(ANA)).not.toThrow();
  });

  it('are counted over all gateways, and over a restart', async () => {
    settings = { ...DEFAULT_SETTINGS };
    const [first, second] = [day(), day()];
    for (const one of [first, second]) await one.onModuleInit();
    for (let n = 0; n < 60; n += 1) {
      first.note(ANA);
      second.note(ANA);
    }
    for (const one of [first, second]) await one.onModuleDestroy();
    const later = day();
    await later.onModuleInit();
    expect(later.note(ANA)).toMatch(/ZIP/);
    await later.onModuleDestroy();
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
