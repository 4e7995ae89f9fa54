import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeIntake } from '#libs/contracts';
import type { InstanceStatus, IntakePayload, SignalReceived } from '#libs/domain';
import { type EventLog, KafkaEventLog, PostgresEventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type KafkaCluster, startKafka } from '../../deploy/kafka/broker.mjs';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { describeOwnKafka } from '../support/kafka.ts';
import { DAY_MS, entity, instance, observation, signal, upload } from '../support/scenario.ts';
import { StartedProgram } from '../support/started-program.ts';
import { ADMIN_ENV, temporaryDataDir } from '../support/started-standalone.ts';
import { until } from '../support/until.ts';
import { expectVerified, posture } from '../support/verify.ts';

const PARTITIONS = 12;
const HOSTS = 350;
const DAYS = 6;
const FINDINGS = 48;
/** Each host is assessed whole once a day. */
const EVENTS = HOSTS * DAYS * (FINDINGS + 1);
const SIGNALS = HOSTS * DAYS * FINDINGS;
const APPENDED_AT_ONCE = 5_000;
const FOLD_MS_MAX = 120_000;
/** The opening of the log sets each partition's clock to now: what expires before has expired. */
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

/** In the order of time: every host's upload of a day, then the next day. */
function* records(): Generator<{ key: string; value: Buffer }> {
  for (let day = 0; day < DAYS; day += 1) {
    for (let host = 0; host < HOSTS; host += 1) {
      const signals = Array.from({ length: FINDINGS }, (_, finding) => signalOf(host, finding, day));
      const closed: IntakePayload = {
        type: 'AssessmentClosed',
        types: ['va'],
        names: [`host${host}`],
        matching: 'name',
      };
      const at = BEGIN + day * DAY_MS + host;
      const key = `machine:host${host}`;
      for (const event of upload(day * HOSTS + host, at, [...signals, closed], { entityKey: key })) {
        yield { key, value: encodeIntake(event) };
      }
    }
  }
}

async function appendAll(log: EventLog): Promise<void> {
  let batch: { key: string; value: Buffer }[] = [];
  for (const record of records()) {
    batch.push(record);
    if (batch.length < APPENDED_AT_ONCE) continue;
    await log.append(INTAKE_TOPIC, batch);
    batch = [];
  }
  await log.append(INTAKE_TOPIC, batch);
}

/** Says on standard error how fast it went: it is no test, and shows what has become slow. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1_000;
  process.stderr.write(`${what}: ${seconds.toFixed(1)} s, ${Math.round(EVENTS / seconds)} events a second\n`);
  return result;
}

async function positionsOf({ pool }: TestDatabase): Promise<number[]> {
  const { rows } = await pool.query('select next_offset from projection_positions order by partition');
  return rows.map(({ next_offset }) => next_offset);
}

/** Appends, folds by a projector of its own, verifies, replays, and verifies again. */
async function foldVerifyReplay(
  name: string,
  database: TestDatabase,
  env: Record<string, string>,
  log: EventLog,
) {
  const projector = await StartedProgram.start('projector', env);
  try {
    await timed(`${name}, appended and folded`, async () => {
      await appendAll(log);
      const ends = await log.ends(INTAKE_TOPIC);
      expect(ends.reduce((sum, end) => sum + end, 0)).toBe(EVENTS + PARTITIONS);
      await until(
        'the fold',
        async () => JSON.stringify(await positionsOf(database)) === JSON.stringify(ends),
        FOLD_MS_MAX,
      );
    });
    const { rows } = await database.pool.query(
      `select count(distinct asset_no)::int as assets, count(*)::int as findings,
              (select sum(signals) from upload_progress)::int as signals,
              (select count(*) from finding_history where change <> 'created')::int as moves
         from findings`,
    );
    expect(rows[0]).toMatchObject({ assets: HOSTS, signals: SIGNALS });
    expect(rows[0].findings).toBeGreaterThanOrEqual(HOSTS * FINDINGS);
    expect(rows[0].moves).toBeGreaterThan(SIGNALS / 60);
    expect(rows[0].moves).toBeLessThan(SIGNALS / 10);
    await timed(`${name}, verified`, () => expectVerified(env));
    await timed(`${name}, replayed`, () => posture(env, 'replay'));
    await timed(`${name}, verified again`, () => expectVerified(env));
  } finally {
    expect(await projector.stop()).toBe(0);
  }
}

describe(`a log of ${SIGNALS} signals in PostgreSQL`, () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    database = await testDatabase();
    dataDir = await temporaryDataDir();
  });
  afterAll(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('is folded, verified, replayed, and verified again', async () => {
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, ...ADMIN_ENV };
    const log = new PostgresEventLog({ url: database.url, partitions: PARTITIONS });
    try {
      await foldVerifyReplay('PostgreSQL', database, env, log);
    } finally {
      await log.close();
    }
  }, 400_000);
});

describeOwnKafka(`a log of ${SIGNALS} signals on Kafka`, () => {
  let kafka: KafkaCluster;
  let database: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    [kafka, database] = await Promise.all([startKafka({ directory: `${dataDir}/kafka` }), testDatabase()]);
  }, 300_000);
  afterAll(async () => {
    await database?.drop();
    await kafka?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  it('is folded, verified, replayed, and verified again', async () => {
    const env = {
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers,
      DATA_DIR: dataDir,
      ...ADMIN_ENV,
    };
    const log = new KafkaEventLog({ brokers: kafka.brokers.split(','), partitions: PARTITIONS });
    try {
      await foldVerifyReplay('Kafka', database, env, log);
    } finally {
      await log.close();
    }
  }, 400_000);
});
