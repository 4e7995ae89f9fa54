import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { comparable, everyRead } from '../support/every-read.ts';
import { isLongRun } from '../support/long-run.ts';
import { PARTS, part } from '../support/part-of-run.ts';
import type { StandaloneHere } from '../support/standalone-here.ts';
import { askAll, demoInstants, startDemo, startScored } from './demo-site.ts';

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
}, START_MS_MAX);
afterAll(async () => {
  await site?.stopAndRemove();
  await database.drop();
});

/** Another part from run to run. */
const ofThisRun = (reads: string[]): string[] => reads.filter((_, i) => isLongRun || i % PARTS === part());

describe('statements for a PostgreSQL that is divided over machines', () => {
  it(
    'answer each read as those for one machine do',
    async () => {
      const client: ApiClient = await site!.client();
      const since = Date.now();
      const reads = ofThisRun(await everyRead(client, demoInstants()));
      expect(reads.length).toBeGreaterThan(100);
      const whole = await askAll(client, reads);
      expect(whole.filter(({ status }) => status >= 500)).toEqual([]);
      expect(whole.filter(({ status }) => status === 200).length).toBeGreaterThan(reads.length / 2);

      await database.pool.query(`
        create schema ${LOOKS_DIVIDED};
        create table ${LOOKS_DIVIDED}.pg_dist_partition (logicalrelid regclass, partkey text)`);
      const url = new URL(database.url);
      url.searchParams.set('options', `-c search_path=public,${LOOKS_DIVIDED}`);
      await site!.stopAndRemove();
      site = await startScored(url.href);
      const divided = await askAll(await site.client(), reads);
      const inForm = (answers: typeof whole) =>
        answers.map(({ read, status, body }) => ({ read, status, body: comparable(body, since) }));
      expect(inForm(divided)).toEqual(inForm(whole));
    },
    isLongRun ? 1_800_000 : START_MS_MAX,
  );
});
