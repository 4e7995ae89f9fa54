import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { SCORES_TOPIC } from '#libs/contracts';
import { PostgresEventLog } from '#libs/event-log';
import { ChangeCodecs, RegisteredSchemas } from '#libs/schema-registry';
import { foldOn } from '../../../test/support/as-of-readers.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { DAY_MS, instance, observation, signal, T0, upload } from '../../../test/support/scenario.ts';
import { until } from '../../../test/support/until.ts';
import { ScorePublishers } from './publish/score-publishers.ts';
import { Scorer } from './scorer.service.ts';

let now = T0;
let database: TestDatabase;
let log: PostgresEventLog;
let scorer: Scorer;
beforeAll(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: 1 });
  const codecs = new ChangeCodecs(null, new RegisteredSchemas(database.db, null));
  scorer = new Scorer(
    database.db,
    bareClock(() => now),
    new ScorePublishers(log, database.db, codecs),
  );
});
afterAll(async () => {
  await scorer.release(0);
  await log.close();
  await database.drop();
});

const events = upload(1, T0, [
  signal('a', 'fail', {
    expiresAt: T0 + DAY_MS,
    observations: [observation('va', [instance('fail', { cves: ['CVE-2024-3094'] })])],
  }),
]).map((event) => ({ partition: 0, event }));

async function current(): Promise<(number | null)[]> {
  const { rows } = await database.pool.query('select score from asset_scores');
  return rows.map(({ score }) => score);
}

const published = async () => (await log.ends(SCORES_TOPIC))[0];

it('scores what is there when it takes a partition, and publishes it', async () => {
  await foldOn(database, events);
  scorer.hold(0);
  await until('the score', async () => (await published()) === 1);
  expect(await current()).toEqual([490]);
});

it('scores again when a finding has expired, without a change', async () => {
  now = T0 + DAY_MS;
  await until('the end of the finding', async () => (await current())[0] === null);
  const { rows } = await database.pool.query('select valid_from from score_history order by valid_from');
  expect(rows.map(({ valid_from }) => valid_from)).toEqual([T0, T0 + DAY_MS]);
  await until('the score', async () => (await published()) === 2);
});

it('fails to wake while its rounds fail, so that the partition of the topic waits or stops', async () => {
  await database.pool.query('alter table rescorings rename to rescorings_away');
  const isFailing = () =>
    scorer.wake(0).then(
      () => false,
      () => true,
    );
  await until('a failed round', isFailing);
  await database.pool.query('alter table rescorings_away rename to rescorings');
  await until('a round that succeeds', async () => !(await isFailing()));
});

it('gives a partition up after the batch in progress, however much waits', async () => {
  await database.pool.query(`
    create sequence marked_again;
    create function mark_again() returns trigger language plpgsql as $$
    begin
      insert into rescorings values (old.partition, old.asset_no, old.since);
      perform nextval('marked_again');
      return null;
    end $$;
    create trigger mark_again after delete on rescorings for each row execute function mark_again();
    insert into rescorings (partition, asset_no, since) select 0, n, 'epoch' from generate_series(1, 1000) n`);
  await scorer.wake(0);
  await until('several batches', async () => {
    const { rows } = await database.pool.query('select last_value from marked_again');
    return rows[0].last_value > 2_000;
  });
  await scorer.release(0);
  await database.pool.query('drop trigger mark_again on rescorings; delete from rescorings');
});

it('scores a partition that it has given up only when it is woken', async () => {
  await database.pool.query('update asset_scores set score = 1, due_at = $1, due_from = $1', [
    new Date(now).toISOString(),
  ]);
  expect(await current()).toEqual([1]);
  await scorer.wake(0);
  expect(await current()).toEqual([null]);
});
