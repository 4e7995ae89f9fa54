import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '#libs/config';
import { initialOrganization, ORGANIZATION_KEY } from '#libs/domain';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/until.ts';
import { ClockGuard } from './clock-guard.ts';
import { confirmClock } from './confirm-clock.ts';
import { readClocks } from './read-clocks.ts';
import { ClockError } from './trusted-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let database: TestDatabase;
let lines: string[];
/** The clock of the guard minus the true one. */
let off: number;
let guard: ClockGuard | undefined;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  lines = [];
  off = 0;
});
afterEach(async () => {
  await guard?.close();
  for (const table of ['projection_positions', 'trusted_time', 'clock_confirmations', 'organization'])
    await database.pool.query(`delete from ${table}`);
});

const start = async (db = database.db) => {
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  guard = await ClockGuard.start({ db, clock: () => Date.now() + off, logger });
  return guard;
};

/** One whose clock is wrong as that of the guard, as of one time server. */
const databaseOff = () =>
  database.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.map((row) => ('logClock' in row ? { ...row, now: (row.now as number) + off } : row)),
    }),
  });

async function limitTo(clockSkewSecondsMax: number): Promise<void> {
  const organization = initialOrganization();
  const settings = { ...organization.settings, clockSkewSecondsMax };
  await database.db
    .insertInto('organization')
    .values({
      entity_key: ORGANIZATION_KEY,
      partition: 0,
      version: 1,
      state: JSON.stringify({ ...organization, settings }),
    })
    .execute();
}

const untilDistrust = (cause: string | null) =>
  until(`${cause ?? 'trust'}`, () => (guard!.distrust?.cause ?? null) === cause);

const clockOfLog = (at: number) =>
  database.db
    .insertInto('projection_positions')
    .values({ partition: 0, clock: new Date(at) })
    .execute();

it('gives readings of both clocks, and none while they differ', async () => {
  off = 20_000;
  const { at, receivedAt } = (await start()).read();
  expect(at - receivedAt).toBeGreaterThan(19_000);
  expect(at - receivedAt).toBeLessThan(21_000);
  expect(guard!.now()).toBeLessThan(Date.now() + 1_000);
  off = 2 * HOUR_MS;
  // Not only with the next comparison.
  expect(() => guard!.read()).toThrow(ClockError);
  await untilDistrust('database');
  expect(() => guard!.now()).toThrow(/2 hours ahead of the database's/);
  off = 0;
  await untilDistrust(null);
  guard!.read();
  expect(lines.filter((line) => line.includes('clock not trusted'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('trusted again'))).toHaveLength(1);
});

it('never returns a reading before an earlier one, for any clock within the bound', async () => {
  await start();
  let last = guard!.read();
  for (const jump of [0, 30_000, -30_000, 10_000, 0, -50_000]) {
    off = jump;
    const reading = guard!.read();
    expect(reading.at).toBeGreaterThanOrEqual(last.at);
    expect(reading.receivedAt).toBeGreaterThanOrEqual(last.receivedAt);
    last = reading;
  }
});

it('begins at the last time on the log if that is ahead within the bound, and does not begin if it is further ahead', async () => {
  const ahead = Date.now() + 30_000;
  await clockOfLog(ahead);
  await start();
  expect(guard!.now()).toBeGreaterThanOrEqual(ahead);
  await database.db
    .updateTable('projection_positions')
    .set({ clock: new Date(Date.now() + HOUR_MS) })
    .execute();
  await untilDistrust('log');
  await expect(readClocks(database.db)).rejects.toThrow(/`posture clock mend`/);
  await readClocks(database.db, { except: 'log' });
});

it('uses the bound of the settings', async () => {
  off = 20_000;
  await start();
  guard!.read();
  await limitTo(5);
  await untilDistrust('database');
  expect(guard!.distrust!.message).toMatch(/ahead of the database's .the limit is 5 s/);
});

it('trusts its clock again when the log has been corrected whose clock it had set ahead itself', async () => {
  await limitTo(5);
  off = 20 * HOUR_MS;
  await start(databaseOff());
  // Further ahead than the guard, so that it is known to have seen it.
  await clockOfLog(guard!.now() + HOUR_MS);
  await untilDistrust('log');
  off = 0;
  await database.db.updateTable('projection_positions').set({ clock: new Date() }).execute();
  await untilDistrust(null);
  const { at, receivedAt } = guard!.read();
  expect(Math.abs(at - Date.now())).toBeLessThan(HOUR_MS);
  expect(Math.abs(receivedAt - Date.now())).toBeLessThan(HOUR_MS);
});

it('asks at a start after days for a word, which is recorded', async () => {
  await clockOfLog(Date.now() - 9 * DAY_MS);
  await start();
  expect(() => guard!.read()).toThrow(/9 days ahead of the last trusted time, .*`posture clock confirm`/s);
  await confirmClock(database.db, { by: 'olga', reason: 'a holiday' });
  await untilDistrust(null);
  guard!.read();
  const [word] = await database.db.selectFrom('clock_confirmations').selectAll().execute();
  expect(word).toMatchObject({ confirmed_by: 'olga', reason: 'a holiday' });
  expect(Math.abs(word!.clock - Date.now())).toBeLessThan(60_000);
});

it('requires none if a program has recorded since that it trusts its clocks', async () => {
  await start();
  const noted = () => database.db.selectFrom('trusted_time').select('at').executeTakeFirst();
  await until('a note', async () => (await noted()) !== undefined);
  await guard!.close();
  await clockOfLog(Date.now() - 9 * DAY_MS);
  guard = undefined;
  expect((await start()).distrust).toBeNull();
});

it('distrusts a clock that differs from a broker’s', async () => {
  await start();
  guard!.noteBroker(3, Date.now() - 2 * HOUR_MS, 5);
  await untilDistrust('broker');
  guard!.noteBroker(3, Date.now(), 5);
  await untilDistrust(null);
});
