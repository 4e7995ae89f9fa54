import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type ApiClient, plainSignal } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { Gate } from '../support/gate.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { until } from '../support/until.ts';
import { expectVerified } from '../support/verify.ts';

const UPLOADS = 60;
/** One of so many replies breaks its connection. */
const TORN = 60;

describeInRun({ shares: 3, turn: 1 }, 'PostgreSQL behind a network that breaks connections', () => {
  let database: TestDatabase;
  let gate: Gate;
  let site: StandaloneHere;
  let client: ApiClient;

  beforeAll(async () => {
    database = await testDatabase();
    gate = await Gate.before(database.url);
    await gate.open();
    site = await StandaloneHere.start({ DATABASE_URL: gate.url });
    client = await site.client();
  });
  afterAll(async () => {
    await site?.stopAndRemove();
    await gate?.shut();
    await database?.drop();
  });

  /** Until it is answered with 200: one that was not can be stored too. */
  const uploaded = (name: string) =>
    until(name, async () => (await client.signal(plainSignal(name, 'host1'))).status === 200);
  const total = async () => (await client.get('/api/v3/findings/counts')).total;

  it('loses and doubles nothing, and stops no partition, while replies are torn', async () => {
    let [replies, torn] = [0, 0];
    gate.tearsReply = () => {
      replies++;
      if (replies % TORN > 0) return false;
      torn++;
      return true;
    };
    for (let n = 0; n < UPLOADS; n++) await uploaded(`torn ${n}`);
    gate.tearsReply = () => false;
    expect(torn).toBeGreaterThan(5);
    await until('all are folded', async () => (await total()) === UPLOADS);
    expect(site.log).not.toContain('a partition stopped');
    await expectVerified(site.env);
  });

  it('is not ready, with the reason in the log, while nothing is answered, and continues by itself', async () => {
    const readiness = async () => (await fetch(`${site.url}/health/ready`)).status;
    await until('readiness', async () => (await readiness()) === 200);
    await gate.silence();
    await until('no readiness', async () => (await readiness()) === 503);
    expect(site.log).toContain('database is down: ');
    await gate.open();
    await uploaded('after silence');
    await until('readiness again', async () => (await readiness()) === 200);
    await until('all are folded', async () => (await total()) === UPLOADS + 1);
    expect(site.log).not.toContain('a partition stopped');
    await expectVerified(site.env);
  });
});
