import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { InstanceStatus, IntakePayload, SignalReceived } from '#libs/domain';
import { type EventLog, KafkaEventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { FOLDED_TABLES } from '#libs/tables';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { isLongRun } from '../support/long-run.ts';
import { describeInRun } from '../support/part-of-run.ts';
import { DAY_MS, entity, instance, observation, signal, upload } from '../support/scenario.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { posture } from '../support/verify.ts';

const PARTITIONS = 12;
const DAYS = 6;
const FINDINGS = 48;
/** 100,800 signals in a long run; otherwise more than one batch: the tests are about appending, following and reading. */
const HOSTS_IN_POSTGRES = isLongRun ? 350 : 24;
/** 28,800 signals in a long run. */
const HOSTS_ON_KAFKA = isLongRun ? 100 : 24;
/** The day whose end is requested: half of the log is past it. */
const DAY_ASKED = 2;
const APPENDED_AT_ONCE = 5_000;
const FOLD_MS_MAX = 120_000;
/** The opening of the log sets each partition's clock to now: findings with an earlier expiry have expired. */
const BEGIN = Date.now();

/** About one finding in thirty is another than the day before: fixed, found again, worse, or gone. */
const isMoved = (host: number, finding: number, day: number) =>
  (host * 31 + finding * 17 + day * 7) % 30 === 0;

function signalOf(host: number, finding: number, day: number): SignalReceived {
  const moves = Array.from({ length: day + 1 }, (_, d) => d).filter((d) => isMoved(host, finding, d)).length;
  const status: InstanceStatus = moves % 3 === 1 ? 'pass' : 'fail';
  const severity = { ...instance().severity, value: 1 + ((finding + moves) % 9) };
  const more = finding % 4 === 0 ? { cves: [`CVE-2024-${1_000 + finding}`] } : { techniques: ['T1059'] };
  return signal(`finding ${finding}${moves === 4 ? ' anew' : ''}`, status, {
    entity: entity({ name: `host${host}` }),
    description: `What a scanner says of finding ${finding}`,
    expiresAt: BEGIN + (day + 4) * DAY_MS,
    retainUntil: BEGIN + 90 * DAY_MS,
    observations: [
      observation('va', [instance(status, { severity, evidence: `seen by plug-in ${finding}`, ...more })]),
    ],
  });
}

/** Verify also warns of clocks that are ahead, as those of days to come are. */
const CLEAN_AND_AHEAD = /^Clean: \d+ rows match the \d+ records of the log\n(Ahead {6}partition \d+: .*\n)+$/;

const signalsOf = (hosts: number) => hosts * DAYS * FINDINGS;
/** Each host is assessed whole once a day. */
const eventsOf = (hosts: number) => hosts * DAYS * (FINDINGS + 1);

/** In the order of time: every host's upload of a day, then the next day. */
function* records(hosts: number): Generator<{ key: string; value: Buffer }> {
  for (let day = 0; day < DAYS; day += 1) {
    for (let host = 0; host < hosts; host += 1) {
      const signals = Array.from({ length: FINDINGS }, (_, finding) => signalOf(host, finding, day));
      const closed: IntakePayload = {
        type: 'AssessmentClosed',
        types: ['va'],
        names: [`host${host}`],
        matching: 'name',
      };
      const at = BEGIN + day * DAY_MS + host;
      const key = `machine:host${host}`;
      for (const event of upload(day * hosts + host, at, [...signals, closed], { entityKey: key })) {
        yield { key, value: encodeIntake(event) };
      }
    }
  }
}

async function appendAll(log: EventLog, hosts: number): Promise<void> {
  let batch: { key: string; value: Buffer }[] = [];
  for (const record of records(hosts)) {
    batch.push(record);
    if (batch.length < APPENDED_AT_ONCE) continue;
    await log.append(INTAKE_TOPIC, batch);
    batch = [];
  }
  await log.append(INTAKE_TOPIC, batch);
}

/** A log of some hosts, and its address for the built programs. */
interface LargeSite {
  name: string;
  hosts: number;
  database: TestDatabase;
  log: EventLog;
  env: Record<string, string>;
  /** For the files of a test. */
  folder: string;
}

/** Prints the speed on standard error: it is no test, but shows regressions. */
async function timed<T>(
  { name, hosts }: LargeSite,
  what: string,
  work: () => Promise<T>,
  events = eventsOf(hosts),
): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1_000;
  const rate = Math.round(events / seconds);
  process.stderr.write(`${name}, ${what}: ${seconds.toFixed(1)} s, ${rate} events a second\n`);
  return result;
}

async function positionsOf({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query('select next_offset from projection_positions order by partition');
  return rows.map(({ next_offset }) => next_offset);
}

/** Number and digest of every folded row, table by table. */
async function digestsOf({ pool }: TestDatabase): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name, key } of FOLDED_TABLES) {
    const { rows } = await pool.query(
      `select count(*) || ' ' || md5(coalesce(string_agg(md5(t::text), '' order by ${key.join(', ')}), '')) as digest
         from ${name} t`,
    );
    digests[name] = rows[0].digest;
  }
  return digests;
}

async function appendAndFold({ hosts, log, database }: LargeSite): Promise<void> {
  await appendAll(log, hosts);
  const ends = await log.ends(INTAKE_TOPIC);
  expect(ends.reduce((sum, end) => sum + end, 0)).toBe(eventsOf(hosts) + PARTITIONS);
  await until(
    'the fold',
    async () => JSON.stringify(await positionsOf(database)) === JSON.stringify(ends),
    FOLD_MS_MAX,
  );
}

async function expectFolded({ hosts, database }: LargeSite): Promise<void> {
  const { rows } = await database.pool.query(
    `select count(distinct asset_no)::int as assets, count(*)::int as findings,
            (select sum(signals) from upload_progress)::int as signals,
            (select count(*) from finding_history where change <> 'created')::int as moves
       from findings`,
  );
  const signals = signalsOf(hosts);
  expect(rows[0]).toMatchObject({ assets: hosts, signals });
  expect(rows[0].findings).toBeGreaterThanOrEqual(hosts * FINDINGS);
  expect(rows[0].moves).toBeGreaterThan(signals / 60);
  expect(rows[0].moves).toBeLessThan(signals / 10);
}

/**
 * A replay leaves every row as the projector's fold had it, and verify finds both equal to the log: one of each,
 * because each folds the whole log.
 */
async function expectSameAfterReplay(site: LargeSite): Promise<void> {
  const before = await digestsOf(site.database);
  const replayed = await timed(site, 'replayed', () => posture(site.env, 'replay'));
  expect(replayed).toContain(`Replayed: ${site.hosts} assets and`);
  expect(await digestsOf(site.database)).toEqual(before);
  expect(await timed(site, 'verified', () => posture(site.env, 'verify'))).toMatch(CLEAN_AND_AHEAD);
}

/** The site and its exported log give the same state at an instant. */
async function expectSameFromFile(site: LargeSite): Promise<void> {
  const { env, hosts, folder } = site;
  const at = new Date(BEGIN + (DAY_ASKED + 1) * DAY_MS - 1).toISOString();
  const [file, report] = [join(folder, 'site.posture-log'), join(folder, 'report.json')];
  const reporting = ['report', '--as-of', at, '--format', 'json', '--output', report];
  const asking = ['as-of', at, '--asset', `host${hosts - 1}`];
  // Folding ends at the instant.
  const asked = (what: string, work: () => Promise<string>) =>
    timed(site, what, work, (eventsOf(hosts) / DAYS) * (DAY_ASKED + 1));
  await timed(site, 'exported', () => posture(env, 'export-log', file));
  await asked('reported', () => posture(env, ...reporting));
  // The environment of an auditor: neither database nor log.
  const checked = await asked('checked', () => posture({}, 'report', '--check', report, file));
  expect(checked).toMatch(/^matches /);
  const known = await asked('as of an instant', () => posture(env, ...asking));
  expect(JSON.parse(known).findings.length).toBeGreaterThanOrEqual(FINDINGS / 2);
  expect(await asked('as of it, from the file', () => posture({}, ...asking, '--log', file))).toBe(known);
}

async function appendFoldProve(site: LargeSite): Promise<void> {
  const projector = await StartedProgram.start('projector', site.env);
  try {
    await timed(site, 'appended and folded', () => appendAndFold(site));
    await expectFolded(site);
    await expectSameAfterReplay(site);
  } finally {
    expect(await projector.stop()).toBe(0);
  }
  await expectSameFromFile(site);
}

describe(`a log of ${signalsOf(HOSTS_IN_POSTGRES)} signals in PostgreSQL`, () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await testDatabase();
    folder = await temporaryDataDir();
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is folded, replayed to the same rows, verified, and its file gives the same result', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: folder, ...ADMIN_ENV };
    const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    try {
      await appendFoldProve({ name: 'PostgreSQL', hosts: HOSTS_IN_POSTGRES, database, log, env, folder });
    } finally {
      await log.close();
    }
  }, 400_000);
});

/** A third of the runs. */
const ON_KAFKA = { shares: 3, turn: 2, as: describeOwnKafka } as const;

describeInRun(ON_KAFKA, `a log of ${signalsOf(HOSTS_ON_KAFKA)} signals on Kafka`, () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryDataDir();
    [kafka, database] = await Promise.all([startKafka({ directory: `${folder}/kafka` }), testDatabase()]);
  }, 300_000);
  afterAll(async () => {
    await database?.drop();
    await kafka?.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  it('is folded, replayed to the same rows, verified, and its file gives the same result', async () => {
    const { brokers } = kafka;
    const env = { DATABASE_URL: database.url, KAFKA_BROKERS: brokers, DATA_DIR: folder, ...ADMIN_ENV };
    const log = new KafkaEventLog({ brokers: brokers.split(','), partitions: PARTITIONS });
    try {
      await appendFoldProve({ name: 'Kafka', hosts: HOSTS_ON_KAFKA, database, log, env, folder });
    } finally {
      await log.close();
    }
  }, 400_000);
});
