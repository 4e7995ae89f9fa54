import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cveRecord } from '../fixtures/catalogue/samples.ts';
import { TemporaryFiles } from '../fixtures/catalogue/temporary-files.ts';
import { type ApiClient, plainSignal, zipOf } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { StartedStandalone } from '../support/started-standalone.ts';
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
