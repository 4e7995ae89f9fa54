import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { signal, T0, upload } from '../support/scenario.ts';
import { StandaloneHere } from '../support/standalone-here.ts';
import { StartedProgram } from '../support/started-program.ts';
import { temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';

const [EVENT] = upload(1, T0, [signal('a')]);
const good = encodeIntake(EVENT!);
const ofNewerVersion = Buffer.from(good);
ofNewerVersion.writeInt32BE(999_999, 1);

const METRICS_TOKEN = 'a-token-for-scrapers';
const PARTITIONS = 2;

let database: TestDatabase;
let log: PostgresEventLog;
let dataDir: string;
let projector: StartedProgram;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
  dataDir = await temporaryDataDir();
  projector = await StartedProgram.start('projector', {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    LOG_PARTITIONS: `${PARTITIONS}`,
    METRICS_TOKEN,
  });
}, 90_000);
afterAll(async () => {
  await projector.stop();
  await log.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const scrape = (token: string) =>
  fetch(`${projector.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
const series = async (name: string): Promise<number> => {
  const line = (await (await scrape(METRICS_TOKEN)).text())
    .split('\n')
    .find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
};
const STOPPED = 'posture_partitions_stopped{group="projector",topic="posture.intake"}';
const HELD = 'posture_partitions_held{group="projector",topic="posture.intake"}';

it('a separate program also requires the token', async () => {
  const refused = await scrape('another-token-of-16');
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ statusCode: 401 });
  await until('the partitions', async () => (await series(HELD)) === PARTITIONS);
  expect(await series('posture_program_info{program="projector"}')).toBe(1);
  expect([await series(STOPPED), await series('posture_quarantined_records_total')]).toEqual([0, 0]);
});

it('reports corrupt records and a stopped partition', async () => {
  await log.append(INTAKE_TOPIC, [
    { partition: 0, key: 'machine:a', value: good.subarray(0, good.length - 3) },
    { partition: 1, key: 'machine:b', value: ofNewerVersion },
  ]);
  await until('both', async () => {
    const told = [await series('posture_quarantined_records_total'), await series(STOPPED)];
    return told.every((value) => value === 1);
  });
  expect((await fetch(`${projector.url}/health/ready`)).status).toBe(503);
});

it('the standalone service reports a stopped partition, and stays ready, because it still takes uploads', async () => {
  const site = await StandaloneHere.start();
  const ready = async (): Promise<{ dependencies: Record<string, string> }> =>
    (await fetch(`${site.url}/health/ready`)).json() as never;
  expect(await ready()).toMatchObject({ status: 'ready', dependencies: { partitions: 'up' } });
  const records = new PostgresEventLog({ url: site.databaseUrl, partitions: 3 });
  await records.append(INTAKE_TOPIC, [{ partition: 1, key: 'machine:b', value: ofNewerVersion }]);
  await records.close();
  await until('the stop', async () => (await ready()).dependencies.partitions === 'down');
  expect(await ready()).toMatchObject({ status: 'ready' });
  expect(site.log).toContain('partitions posture.intake/1 are stopped');
  await site.stopAndRemove();
});
