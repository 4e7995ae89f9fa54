import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { foldOn } from '../../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts';
import { QueryPlans, wholeScans } from '../../../../test/support/query-plans.ts';
import { entity, instance, observation, signal, T0, upload } from '../../../../test/support/scenario.ts';
import { scorePartition } from './score-partition.ts';

/** Of the scored partition. */
const HOSTS = Array.from({ length: 8 }, (_, n) => `web0${n}`);
const FINDINGS_EACH = 20;
/** For each row, in other partitions. */
const COPIES = 60;
const GROWING = ['findings', 'finding_seen', 'finding_decisions', 'score_history'];

let database: TestDatabase;
let plans: QueryPlans;
beforeAll(async () => {
  database = await testDatabase();
  plans = new QueryPlans(database.pool);
  await database.pool.query(
    GROWING.map((table) => `alter table ${table} set (autovacuum_enabled = false)`).join(';'),
  );
});
afterAll(() => database.drop());

const EVENTS = HOSTS.flatMap((name, n) =>
  upload(
    n,
    T0,
    Array.from({ length: FINDINGS_EACH }, (_, i) =>
      signal(`finding ${i}`, 'fail', {
        entity: entity({ name }),
        observations: [observation('va', [instance('fail', { cves: ['CVE-2024-3094'] })])],
      }),
    ),
    { entityKey: `machine:${name}` },
  ),
).map((event) => ({ partition: 0, event }));

/** Copies each row of the tables for other assets, in other partitions. */
async function copyRows(): Promise<void> {
  for (const table of GROWING) {
    const { rows } = await database.pool.query(
      `select string_agg(case attname
                when 'asset_no' then 'asset_no + n * 100000'
                when 'partition' then '1 + n % 11'
                when 'id' then 'gen_random_uuid()'
                else quote_ident(attname) end, ', ' order by attnum) as values,
              string_agg(quote_ident(attname), ', ' order by attnum) as columns
       from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    const [{ columns, values }] = rows;
    await database.pool.query(
      `insert into ${table} (${columns}) select ${values} from ${table}, generate_series(1, ${COPIES}) n`,
    );
  }
}

it('looks up the rows of the changed assets in tables that PostgreSQL knows nothing of yet', async () => {
  await foldOn(database, EVENTS);
  await scorePartition(database.db, 0, T0);
  await copyRows();
  await database.pool.query(`
    update score_history set score = 1 where partition = 0;
    insert into rescorings (partition, asset_no, since) select partition, asset_no, valid_from
      from score_history where partition = 0`);
  const explained = await plans.explain(() => scorePartition(plans.db, 0, T0 + 1_000));
  const looked = explained.scans.map((scan) => scan['Relation Name']);
  expect(looked).toEqual(expect.arrayContaining(GROWING));
  expect(wholeScans(explained).filter((table) => GROWING.includes(table))).toEqual([]);
  const { rows } = await database.pool.query(
    'select distinct score from score_history where partition = 0 order by 1',
  );
  expect(rows).not.toContainEqual({ score: 1 });
});
