import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '#libs/database';
import { trimHistory } from '../../libs/projection/src/trim-history.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { everyRead } from '../support/every-read.ts';
import { isLongRun } from '../support/long-run.ts';
import { PARTS, part } from '../support/part-of-run.ts';
import type { StandaloneHere } from '../support/standalone-here.ts';
import { demoInstants, differing, limitedClient, startDemo, startScored } from './demo-site.ts';

/**
 * Readers have statements of their own for a PostgreSQL that is divided over machines. This PostgreSQL, of one machine,
 * only looks like one: both kinds of statements read the same rows. `citus.spec.ts` runs them where they are meant for.
 */
const LOOKS_DIVIDED = 'looks_divided';

const START_MS_MAX = 300_000;

let database: TestDatabase;
let site: StandaloneHere | undefined;
beforeAll(async () => {
  database = await testDatabase();
  site = await startDemo(database.url);
  await database.pool.query(`
    create schema ${LOOKS_DIVIDED};
    create table ${LOOKS_DIVIDED}.pg_dist_partition (logicalrelid regclass, partkey text)`);
}, START_MS_MAX);
afterAll(async () => {
  await site?.stopAndRemove();
  await database.drop();
});

function dividedUrl(): string {
  const url = new URL(database.url);
  url.searchParams.set('options', `-c search_path=public,${LOOKS_DIVIDED}`);
  return url.href;
}

/** What trims of the history leave, and note; all of it is rolled back. */
async function trimmed(url: string): Promise<unknown[]> {
  const { pool, close } = openDatabase(url, { max: 1 });
  const connection = await pool.connect();
  try {
    await connection.query('begin');
    const { rows: positions } = await connection.query(
      'select partition, finding_sequence as last from projection_positions order by partition',
    );
    for (const { partition, last } of positions) {
      const trims = (['va', 'ca', 'edr'] as const).flatMap((findingType) =>
        [0, Math.ceil(last / 2), last].map((throughSequence) => ({
          findingType,
          before: Date.parse(demoInstants()[1]!),
          throughSequence,
        })),
      );
      await trimHistory((statement, values) => connection.query(statement, values), partition, trims);
    }
    const rows: unknown[] = [];
    for (const table of ['history_trims', 'history_summaries', 'finding_history']) {
      rows.push(...(await connection.query(`select t::text from ${table} t order by 1`)).rows);
    }
    return rows;
  } finally {
    await connection.query('rollback');
    connection.release(true);
    await close();
  }
}

/** Another part from run to run. */
const ofThisRun = (reads: string[], after = 0): string[] =>
  reads.filter((_, i) => isLongRun || i % PARTS === (part() + after) % PARTS);

describe('statements for a PostgreSQL that is divided over machines', () => {
  it('trim the history as those for one machine do', async () => {
    const { rows } = await database.pool.query('select count(*)::int as count from finding_history');
    const whole = await trimmed(database.url);
    expect(whole.length).toBeLessThan(rows[0].count);
    expect(await trimmed(dividedUrl())).toEqual(whole);
  });

  it(
    'answer each read as those for one machine do',
    async () => {
      const client = await site!.client();
      const limited = await limitedClient(client);
      const reads = await everyRead(client, demoInstants());
      const [ofAdmin, ofLimited] = [ofThisRun(reads), ofThisRun(reads, 1)];
      expect(ofAdmin.length).toBeGreaterThan(100);
      const divided = await startScored(dividedUrl());
      try {
        const found = [
          ...(await differing(client, await divided.client(), ofAdmin)),
          ...(await differing(limited, limited.at(divided.url), ofLimited)),
        ];
        expect(found).toEqual([]);
      } finally {
        await divided.stopAndRemove();
      }
    },
    isLongRun ? 1_800_000 : START_MS_MAX,
  );
});
