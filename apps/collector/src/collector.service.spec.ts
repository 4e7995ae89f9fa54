import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { bareClock } from '#libs/clock';
import { PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import {
  appendIntegrationEvent,
  integrationSaved,
} from '../../../test/fixtures/collector/integration-events.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/until.ts';
import { Collector } from './collector.service.ts';
import { Schedule } from './schedule/schedule.service.ts';
import { SyncOutcomes } from './sync/sync-outcomes.service.ts';
import type { SyncRunner } from './sync/sync-runner.service.ts';
import { SyncRunsRepository, type SyncTask } from './sync/sync-runs.repository.ts';

const INTEGRATIONS = Array.from({ length: 6 }, (_, n) => `0b1d6f0e-6c53-4d7a-9a36-2f4c9a1f5e0${n + 1}`);
const SIDE_BY_SIDE = 4;

let database: TestDatabase;
let log: PostgresEventLog;
let syncs: SyncRunsRepository;
const started: Collector[] = [];
/** The syncs that each collector has run. */
const ran = new Map<string, string[]>();

beforeEach(async () => {
  database = await testDatabase();
  log = new PostgresEventLog({ url: database.url, partitions: 1 });
  syncs = new SyncRunsRepository(database.db);
  ran.clear();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((collector) => collector.onApplicationShutdown()));
  await log.close();
  await database.drop();
});

function start(name: string, run = async (_: SyncTask) => {}): Collector {
  ran.set(name, []);
  const runner = {
    run: async (task: SyncTask) => {
      ran.get(name)!.push(task.integrationId);
      await run(task);
      const state = { percent: 100, counts: {}, errors: [], watermark: null, uploads: 0, endReason: null };
      await syncs.end(task.id, { ...state, stage: 'COMPLETED', status: 0 }, Date.now());
    },
  } as Pick<SyncRunner, 'run'> as SyncRunner;
  const schedule = new Schedule(database.db, log, syncs);
  const outcomes = new SyncOutcomes(database.db);
  const clock = bareClock(Date.now);
  const collector = new Collector(database.db, Date.now, syncs, schedule, runner, outcomes, log, clock);
  started.push(collector);
  collector.onModuleInit();
  return collector;
}

async function foldUntil(end: number): Promise<void> {
  const projection = new Projection(database.db);
  for await (const records of log.read(INTAKE_TOPIC, 0, await projection.open(0), end)) {
    await projection.project(records);
  }
}

/** A gate that blocks its waiters until it is opened. */
function gateOf() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const stages = async () =>
  (await database.pool.query('select stage from syncs order by requested_at, id')).rows.map(
    ({ stage }) => stage,
  );

it('one of several collects, with at most four syncs of different integrations in parallel', async () => {
  const gate = gateOf();
  let running = 0;
  let together = 0;
  const run = async () => {
    running += 1;
    together = Math.max(together, running);
    await gate.opened;
    running -= 1;
  };
  start('one', run);
  start('other', run);
  const now = Date.now();
  for (const [n, id] of INTEGRATIONS.entries()) await syncs.request(id, { action: 'scheduled' }, now + n);
  await until('as many as may run', async () => running === SIDE_BY_SIDE);
  gate.open();
  await until('all syncs', async () => (await stages()).every((stage) => stage === 'COMPLETED'));
  expect([...ran.values()].filter((own) => own.length > 0)).toEqual([INTEGRATIONS]);
  expect(together).toBe(SIDE_BY_SIDE);
});

it('a sync that waits for its platform delays no other, and no second sync of the integration runs', async () => {
  const [slow, quick] = INTEGRATIONS as [string, string];
  const gate = gateOf();
  start('one', async ({ integrationId }) => {
    if (integrationId === slow) await gate.opened;
  });
  await syncs.request(slow, { action: 'scheduled' }, Date.now());
  await until('the slow one', async () => (await stages())[0] === 'TRANSFORMING');
  await syncs.request(slow, { action: 'catchUp' }, Date.now());
  await syncs.request(quick, { action: 'scheduled' }, Date.now());
  await until('the quick one', async () => (await stages())[1] === 'COMPLETED');
  expect(await stages()).toEqual(['TRANSFORMING', 'COMPLETED']);
  gate.open();
  await until('the slow one', async () => (await stages())[0] === 'COMPLETED');
});

it('a sync that is cancelled while it waits ends without being run', async () => {
  await syncs.request(INTEGRATIONS[0]!, { action: 'scheduled' }, Date.now());
  await database.pool.query(`update syncs set cancel_requested_at = now(), cancel_requested_by = 'ada'`);
  start('one');
  await until('its end', async () => (await stages())[0] === 'ERROR');
  const { rows } = await database.pool.query('select end_reason, errors from syncs');
  expect(rows).toEqual([
    { end_reason: 'cancelled', errors: [{ what: 'sync', message: 'cancelled by ada before it began' }] },
  ]);
  expect(ran.get('one')).toEqual([]);
});

it('another takes over when it stops, and ends interrupted syncs', async () => {
  const first = start('first');
  await syncs.request(INTEGRATIONS[0]!, { action: 'scheduled' }, Date.now());
  await until('the first sync', async () => (await stages())[0] === 'COMPLETED');
  start('second');
  await database.pool.query(
    `insert into syncs (id, integration_id, action, is_full, requested_at, stage, status)
     values (gen_random_uuid(), $1, 'scheduled', true, now(), 'TRANSFORMING', 1)`,
    [INTEGRATIONS[1]],
  );
  await first.onApplicationShutdown();
  await until('the one that was cut off', async () => (await stages())[1] === 'ERROR');
  await syncs.request(INTEGRATIONS[0]!, { action: 'scheduled' }, Date.now());
  await until('the second collector', () => ran.get('second')!.length === 1);
});

it('sweeps once the acts are folded that the log had when the sweep began, without waiting for later ones', async () => {
  const [late, never] = INTEGRATIONS as [string, string];
  await database.pool.query(
    `insert into integration_secrets
     select id, 'clientSecret', 'v1', 1, now() - interval '1 day' from unnest($1::uuid[]) as id`,
    [[late, never]],
  );
  const integrations = async () =>
    (await database.pool.query('select integration_id as id from integration_secrets order by 1')).rows;
  const kind = { integrationType: 'edrplugin', subType: 'falcon' } as const;
  const saved = integrationSaved({ id: late, ...kind }, { url: 'https://edr.example' });
  await appendIntegrationEvent(log, saved);
  const ends = jest.spyOn(log, 'ends');
  start('one');
  await until('the sweep has begun', () => ends.mock.calls.length >= 2);
  await Promise.all(ends.mock.results.map(({ value }) => value));
  await appendIntegrationEvent(log, { ...saved, seenVersion: 1 });
  expect(await integrations()).toEqual([{ id: late }, { id: never }]);
  await foldUntil(1);
  await until('the sweep', async () => (await integrations()).length < 2);
  expect(await integrations()).toEqual([{ id: late }]);
});

it('sweeps secrets that belong to no integration, and stops after the step in progress', async () => {
  await database.pool.query(
    `insert into integration_secrets values ($1, 'clientSecret', 'v1', 1, now() - interval '1 day')`,
    [INTEGRATIONS[0]],
  );
  const locks = async (condition: string) => {
    const { rows } = await database.pool.query(
      `select from pg_locks join pg_database on pg_database.oid = database
       where datname = current_database() and ${condition}`,
    );
    return rows.length;
  };
  const other = await database.pool.connect();
  await other.query('begin');
  await other.query('lock table integration_secrets in share mode');
  const collector = start('one');
  await until('the sweep waits', async () => (await locks('not granted')) === 1);
  const stopped = collector.onApplicationShutdown();
  const leaders: number[] = [];
  for (let i = 0; i < 50; i += 1) leaders.push(await locks(`locktype = 'advisory'`));
  await other.query('rollback');
  other.release();
  await stopped;
  expect(new Set(leaders)).toEqual(new Set([1]));
  expect((await database.pool.query('select from integration_secrets')).rows).toEqual([]);
});
