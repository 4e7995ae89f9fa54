import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { countTotals } from '#libs/projection';
import { areTotalsExactSql } from '#libs/tables';
import { foldInto, foldOn } from '../../../../test/support/as-of-readers.ts';
import { countedTotals, movedTotals } from '../../../../test/support/counted-totals.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { untilLockWait } from '../../../../test/support/lock-wait.ts';
import { event, signal, T0, uploadId } from '../../../../test/support/scenario.ts';
import { until } from '../../../../test/support/until.ts';
import { TotalsCounts } from './totals-counts.ts';

let database: TestDatabase;
beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await testDatabase();
});
afterAll(() => database.drop());

const HOSTS = ['web01', 'web02', 'db01', 'db02'];

async function areExact(): Promise<boolean> {
  const { rows } = await database.pool.query(`select ${areTotalsExactSql()} as are_exact`);
  return rows[0].are_exact;
}

const eventsOf = (hosts: string[], partitionOf: (i: number) => number) =>
  hosts.map((host, i) => ({
    partition: partitionOf(i),
    event: event(
      signal(`finding of ${host}`),
      T0 + i,
      { uploadId: uploadId(i) },
      { entityKey: `machine:${host}` },
    ),
  }));

/** As the migration leaves it. */
const forgetTotals = () =>
  database.pool.query(
    'delete from finding_totals; delete from technique_totals; delete from totals_progress',
  );

it('counts the findings of a site whose projectors moved no totals', async () => {
  await foldInto(
    database,
    eventsOf(HOSTS, (i) => i % 2),
  );
  expect(await areExact()).toBe(true);
  await forgetTotals();
  expect(await areExact()).toBe(false);
  const counts = new TotalsCounts(database.db);
  counts.hold(0);
  counts.hold(1);
  await until('all findings to be counted', areExact);
  await Promise.all([counts.release(0), counts.release(1)]);
  const counted = await countedTotals(database);
  expect(Object.keys(counted).length).toBeGreaterThan(0);
  expect(await movedTotals(database)).toEqual(counted);
});

it('goes on counting after a batch that waited for its first step', async () => {
  const log = eventsOf([...HOSTS, 'db03'], () => 0);
  await foldInto(database, log.slice(0, HOSTS.length));
  await forgetTotals();
  const connection = await database.pool.connect();
  const step = async () => {
    await connection.query('begin');
    return countTotals((text, values) => connection.query(text, values), 0, 1);
  };
  try {
    const first = await step();
    expect(first).toEqual({ countedAssets: 1, assets: HOSTS.length });
    const folded = foldOn(database, log);
    await untilLockWait('the batch to wait for the step', database);
    await connection.query('commit');
    await folded;
    const second = await step();
    await connection.query('commit');
    expect(second).toEqual({ countedAssets: 2, assets: log.length });
  } finally {
    connection.release();
  }
});
