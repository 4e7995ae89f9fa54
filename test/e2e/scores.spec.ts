import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cveRecord } from '../fixtures/catalogue/samples.ts';
import { TemporaryFiles } from '../fixtures/catalogue/temporary-files.ts';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { COMPILED } from '../support/started-program.ts';
import { FEW_PARTITIONS, StartedStandalone, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const CVE = 'CVE-2021-44228';
/** Of a new site, with posture-2 and without a forecast: 0.03 worldwide, reach 0.1, impact 75 of 100. */
const SCORE = 7.39;

let database: TestDatabase;
let service: StartedStandalone;
let client: ApiClient;
let files: TemporaryFiles;
beforeAll(async () => {
  [database, files] = await Promise.all([testDatabase(), TemporaryFiles.create()]);
  await start();
}, 120_000);
afterAll(async () => {
  await files.remove();
  await service.stopAndRemove();
  await database.drop();
});

async function start(): Promise<void> {
  service = await StartedStandalone.start(service?.dataDir, { DATABASE_URL: database.url });
  client = await service.client();
}

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: service.dataDir });

async function importState(state: string): Promise<void> {
  const file = await files.write(`${state}.json`, JSON.stringify(cveRecord(CVE, { state })));
  await posture(env(), 'catalogue', 'import', 'cve', file);
}

const organization = (query = '') => client.get(`/api/v3/scores/organization${query}`);

async function untilScored(score: number | null, scoredAssets: number): Promise<string> {
  await until(`the score ${score}`, async () => {
    const now = await organization();
    return now.score === score && now.scoredAssets === scoredAssets;
  });
  return new Date().toISOString();
}

const assetOf = async (name: string) => (await client.all(`/api/v3/assets?name=${name}`))[0];

/** In order: each continues with the organization as the previous one left it. */
it('a signal is scored, without a request', async () => {
  await client.zip(await zipOf({ '1.json': plainSignal('remote code', 'web01') }), { prefer: 'wait=30' });
  await untilScored(SCORE, 1);
  expect(await assetOf('web01')).toMatchObject({ score: SCORE });
}, 60_000);

it('a Rejected CVE takes its findings out of every score, a correction puts them back, the past stays', async () => {
  const published = await untilScored(SCORE, 1);
  await importState('REJECTED');
  const rejected = await untilScored(null, 0);
  expect(await assetOf('web01')).toMatchObject({ score: null });
  const [finding] = await client.all('/api/v3/findings?name=remote');
  expect(finding).toMatchObject({ counted: false, notCountedBecause: expect.stringContaining('ejected') });
  await importState('PUBLISHED');
  const corrected = await untilScored(SCORE, 1);

  expect(await organization(`?asOf=${published}`)).toMatchObject({ score: SCORE });
  expect(await organization(`?asOf=${rejected}`)).toMatchObject({ score: null });
  const explain = (from: string, to: string) =>
    client.get(`/api/v3/scores/organization/explain?from=${from}&to=${to}`);
  for (const [from, to, share] of [
    [published, rejected, -SCORE],
    [rejected, corrected, SCORE],
  ] as const) {
    const { difference, causes } = await explain(from, to);
    expect(difference).toBe(share);
    expect(causes).toMatchObject([{ kind: 'catalogue', share }]);
  }
}, 120_000);

it('scoring continues after kill -9: nothing is lost, and the log gives the same result', async () => {
  await service.kill();
  await start();
  await untilScored(SCORE, 1);
  await client.zip(await zipOf({ '1.json': plainSignal('remote code', 'web02') }), { prefer: 'wait=30' });
  await untilScored(SCORE, 2);
  await expectVerified(env());
}, 120_000);

it('a replay scores its folded changes to the same values: wrong earlier scores are corrected', async () => {
  const { id } = await assetOf('web01');
  const history = () => client.all(`/api/v3/assets/${id}/score/history`);
  const before = await history();
  await database.pool.query(
    `update score_history set score = 1 where score is not null and valid_to <> 'infinity'`,
  );
  const wrong = await history();
  expect(wrong).not.toEqual(before);
  expect(wrong).toHaveLength(before.length);
  await posture(env(), 'replay');
  await until('the scores of the past', async () => isDeepStrictEqual(await history(), before));
  await untilScored(SCORE, 2);
  await client.zip(await zipOf({ '1.json': plainSignal('remote code', 'web03') }), { prefer: 'wait=30' });
  await untilScored(SCORE, 3);
  expect(await history()).toEqual(before);
}, 120_000);

describe('the demo with a past', () => {
  const DAY_MS = 86_400_000;
  let past: TestDatabase;
  let demo: StartedStandalone | undefined;
  const OPTIONS = ['--days', '42', '--machines', '20', '--users', '4'];
  beforeAll(async () => {
    past = await testDatabase();
  });
  afterAll(async () => {
    await demo?.stopAndRemove();
    await past.drop();
  });

  it('has a score, findings, fixes and acceptances of each week, and verifies', async () => {
    const dataDir = await temporaryDataDir();
    const site = { ...FEW_PARTITIONS, DATABASE_URL: past.url, DATA_DIR: dataDir };
    await interruptedDemo(site);
    expect(await posture(site, 'demo', ...OPTIONS)).toMatch(/^Written +42 days: \d+ events, 9 uploads, /);
    expect(await posture(site, 'demo', ...OPTIONS)).toMatch(/^Unchanged +42 days: /);
    demo = await StartedStandalone.start(dataDir, { DATABASE_URL: past.url });
    const reader = await demo.client();
    await until('the past is folded and scored', async () => {
      const { assets, scoredAssets, at } = await reader.get('/api/v3/scores/organization');
      const uploads = await reader.all('/api/v3/uploads');
      return at !== null && assets > 20 && scoredAssets === assets && uploads.every(({ done }) => done);
    });
    const from = Date.now() - 40 * DAY_MS;
    const instants = [0, 7, 14, 21, 28, 35].map((days) => new Date(from + days * DAY_MS).toISOString());
    const scores = new Set<number>();
    let accepted = 0;
    for (const at of instants) {
      scores.add((await reader.get(`/api/v3/scores/organization?asOf=${at}`)).score);
      const { state } = await reader.get(
        `/api/v3/findings/counts?asOf=${at}&state=Failed,AcceptedFailed,Retired`,
      );
      expect(state.Failed).toBeGreaterThan(50);
      accepted = Math.max(accepted, state.AcceptedFailed ?? 0);
    }
    expect(scores).not.toContain(null);
    expect(scores.size).toBeGreaterThan(4);
    expect(accepted).toBeGreaterThan(0);
    const { items } = await reader.get(
      `/api/v3/scores/organization/history?from=${instants[0]}&to=${instants.at(-1)}&step=P7D`,
    );
    expect(new Set(items.map(({ score }: { score: number }) => score)).size).toBeGreaterThan(3);
    await expectVerified(site);
  }, 120_000);

  it('has plans that promise the score of their start, a state for each due date, and syncs with outcomes', async () => {
    const reader = await demo!.client();
    const plans = await reader.all('/api/v3/plans');
    expect(plans.map(({ state }: { state: string }) => state).sort()).toEqual(['active', 'active', 'done']);
    for (const { startedAt, promise } of plans) {
      const { score, breachLikelihood } = await reader.get(`/api/v3/scores/organization?asOf=${startedAt}`);
      expect([promise.score, promise.breachLikelihood]).toEqual([score, breachLikelihood]);
      expect(promise.scoreAfter).toBeLessThanOrEqual(score);
    }
    for (const sla of ['due', 'overdue', 'met']) {
      const { items } = await reader.get(`/api/v3/findings?sla=${sla}&limit=1`);
      expect([sla, items.length]).toEqual([sla, 1]);
    }
    const integrations = await reader.all('/integrations');
    for (const { id, configState, nextSyncAt, sync } of integrations) {
      expect([configState, nextSyncAt, sync.statusName]).toEqual(['complete', null, 'Success']);
      await until('the outcomes of syncs are counted', async () => {
        const syncs = await reader.all(`/integrations/${id}/history`);
        return syncs.every(({ counts, outcome }) => counts.signals === 0 || outcome !== null);
      });
    }
    expect(integrations).toHaveLength(2);
  });

  it('stays as it is if the command runs again, and is refused for another past', async () => {
    const reader = await demo!.client();
    const acts = () => reader.get('/api/v3/audit?limit=1');
    const before = await acts();
    expect(await posture({ ...FEW_PARTITIONS, DATABASE_URL: past.url }, 'demo', ...OPTIONS)).toMatch(
      /^Unchanged /,
    );
    expect(await acts()).toEqual(before);
    const other = posture({ ...FEW_PARTITIONS, DATABASE_URL: past.url }, 'demo', '--days', '42');
    await expect(other).rejects.toThrow(/the site is not empty: --days writes the past of a site that/);
  });

  /** Ends as a power cut would, after some days of the past. */
  async function interruptedDemo(site: Record<string, string>): Promise<void> {
    const env = { ...COMPILED, PATH: process.env.PATH, ...site };
    const command = spawn(process.execPath, ['apps/cli/posture.js', 'demo', ...OPTIONS], { env });
    const ended = once(command, 'close');
    await until('some days are written', async () => {
      expect(command.exitCode).toBe(null);
      const { rows } = await past.pool.query("select 1 from pg_tables where tablename = 'upload_receipts'");
      if (rows.length === 0) return false;
      return (await past.pool.query('select 1 from upload_receipts')).rows.length > 1;
    });
    command.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
  }
});
