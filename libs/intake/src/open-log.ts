import { type Kysely, sql } from 'kysely';
import { v4 as uuid } from 'uuid';
import { decodeIntake, encodeIntake, partitionOf } from '#libs/contracts';
import type { Schema } from '#libs/database';
import {
  actEnvelope,
  type IntakeEvent,
  type LogOpened,
  MODEL_OF_NEW_LOGS,
  ORGANIZATION_KEY,
  partitionKey,
  type Reading,
} from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { assertReached } from './assert-folded-from.ts';
import { IMPORT_UNFINISHED, isPartlyImported } from './import-mark.ts';
import { INTAKE_TOPIC } from './intake-topic.ts';
import { LogMismatchError } from './log-mismatch-error.ts';
import { isBeingRestored, RESTORE_UNFINISHED } from './restore-mark.ts';

/** One opener at a time, among all programs on this database. */
const OPENING_LOCK = 7_305_001;

/**
 * Opens the intake log: offset 0 of every partition identifies the log, and the database stores the log that its rows
 * were folded from (R-LOG-3).
 * @param read the clocks; called if something is written
 * @throws LogMismatchError if the log is another one, has another partition count, ends before the database's
 * position, or is only a part of one that is being restored or imported
 */
export async function openLog(
  db: Kysely<Schema>,
  log: EventLog,
  read: () => Reading | Promise<Reading>,
): Promise<{ logId: string }> {
  return whileOpening(db, (connection) => openLocked(connection, log, read));
}

/**
 * Runs work while no program on this database opens its log, nor fills it with `posture import-log`.
 * @throws LogMismatchError if another one does so for longer than a statement may wait
 */
export async function whileOpening<T>(
  db: Kysely<Schema>,
  work: (connection: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${OPENING_LOCK})`.execute(connection).catch((error) => {
      if ((error as { code?: string }).code !== QUERY_CANCELED) throw error;
      throw new LogMismatchError(
        'Another program has been opening the log for a minute: wait until `posture import-log` ends, then start again.',
      );
    });
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${OPENING_LOCK})`.execute(connection);
    }
  });
}

const QUERY_CANCELED = '57014';

async function openLocked(
  db: Kysely<Schema>,
  log: EventLog,
  read: () => Reading | Promise<Reading>,
): Promise<{ logId: string }> {
  if (await isBeingRestored(db)) throw new LogMismatchError(RESTORE_UNFINISHED);
  if (await isPartlyImported(db, log)) throw new LogMismatchError(IMPORT_UNFINISHED);
  const ends = await log.ends(INTAKE_TOPIC);
  const opened = await firstOpened(log, ends);
  const known = await db.selectFrom('log_identity').selectAll().executeTakeFirst();
  if (known && !opened && ends.some((end) => end > 0)) {
    throw new LogMismatchError('The log does not begin with its identity: it is not a log of this service.');
  }
  const logId = opened?.logId ?? known?.log_id ?? uuid();
  if (known && known.log_id !== logId) {
    throw new LogMismatchError(
      `The database was folded from log ${known.log_id}, but this is log ${logId}. Set DATABASE_URL and KAFKA_BROKERS ` +
        'of one site, or import the right log with `posture import-log`.',
    );
  }
  const partitions = opened?.partitions ?? known?.partitions ?? log.partitions;
  if (partitions !== log.partitions) {
    throw new LogMismatchError(
      `The log has ${partitions} partitions, but LOG_PARTITIONS is ${log.partitions}: the partition count of a ` +
        'log cannot change.',
    );
  }
  await assertReachesFold(db, log);
  for (const [partition, end] of (await log.ends(INTAKE_TOPIC)).entries()) {
    if (end === 0)
      await log.append(INTAKE_TOPIC, [openingRecord(partition, logId, partitions, await read())]);
  }
  if (!known) await db.insertInto('log_identity').values({ log_id: logId, partitions }).execute();
  return { logId };
}

/** The identity of a log, in the first of its partitions that has a record; undefined if no partition has it. */
export async function firstOpened(log: EventLog, ends: number[]): Promise<LogOpened | undefined> {
  const partition = ends.findIndex((end) => end > 0);
  if (partition < 0) return undefined;
  for await (const [record] of log.read(INTAKE_TOPIC, partition, 0, 1)) {
    const { payload } = decodeIntake(record!.value);
    if (payload.type === 'LogOpened') return payload;
  }
  return undefined;
}

/** @throws LogMismatchError if the log ends before the position of the tables */
export async function assertReachesFold(db: Kysely<Schema>, log: EventLog): Promise<void> {
  const positions = await db
    .selectFrom('projection_positions')
    .select(['partition', 'next_offset as offset'])
    .execute();
  await assertReached(log, positions);
}

function openingRecord(partition: number, logId: string, partitions: number, reading: Reading) {
  const isOfOrganization = partition === partitionOf(ORGANIZATION_KEY, partitions);
  const event: IntakeEvent<LogOpened> = {
    envelope: actEnvelope({
      id: logId,
      entityKey: isOfOrganization ? ORGANIZATION_KEY : partitionKey(partition),
      ...reading,
      settingsVersion: 0,
      by: null,
    }),
    payload: {
      type: 'LogOpened',
      logId,
      partitions,
      scoringModel: isOfOrganization ? MODEL_OF_NEW_LOGS : null,
    },
  };
  return { key: event.envelope.entityKey, value: encodeIntake(event), partition };
}
