import { sql } from 'kysely';
import { type Config, createLogger } from '#libs/config';
import { type Database, migrate, openDatabase, readApplied } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC, markImport, unmarkImport, whileOpening } from '#libs/intake';
import { assertEmptyLog, importLog, LogFile } from '#libs/log-archive';
import { connectEventLog, openEventLog } from '#libs/program';
import { createProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';
import { assertBelongs } from './assert-belongs.ts';
import { borrowDatabase } from './borrow-database.ts';
import { logFailure } from './log-failure.ts';
import { partitionsFor, startText } from './partitions-for.ts';
import { ratedPhase } from './rated-phase.ts';

const CONNECTIONS_MAX = 4;

/**
 * Nothing is made, migrated or appended before the whole file is verified, nor if it does not belong to the site.
 * @throws CliError exit 2 if the file is damaged, or the site's database or log is another; exit 1 if something
 * is unreachable
 */
export async function importLogFile(path: string, terminal: Terminal): Promise<void> {
  try {
    const file = await LogFile.open(path);
    await verify(file, terminal);
    await importToSite(file, path, terminal);
  } catch (error) {
    throw logFailure(path, error);
  }
}

async function verify(file: LogFile, terminal: Terminal): Promise<void> {
  const phase = ratedPhase(createProgress(terminal.stderr, false), terminal, 'Checking', file.records);
  try {
    await file.verify(phase.add);
  } finally {
    phase.end();
  }
}

async function importToSite(file: LogFile, path: string, terminal: Terminal): Promise<void> {
  const { config, url, giveBack } = await borrowDatabase(terminal.env, { mayMake: true });
  try {
    const fitting = { ...config, logPartitions: partitionsFor(file.extent.ends.length, config, terminal) };
    const database = openDatabase(url, { max: CONNECTIONS_MAX });
    try {
      const check = () =>
        withDatabaseLog(fitting, url, (log) => assertBelongs(file.extent, database.db, log));
      // Another site is not migrated either: its version may be an earlier one.
      if ((await readApplied(database.pool)).length > 0) await check();
      await migrate(database.pool);
      // A program that starts now waits, and then reads the imported log.
      const outcome = await whileOpening(database.db, async () => {
        await check();
        const imported = await importToLog(file, path, fitting, database, url, terminal);
        // A service that was not stopped has continued in the old log.
        if (config.kafkaBrokers) await check();
        await remember(file, database);
        return imported;
      });
      terminal.stdout.write(outcome);
    } finally {
      await database.close();
    }
  } finally {
    await giveBack();
  }
}

/** As the first start would: the log can be read and exported before it. */
async function remember({ extent }: LogFile, { db }: Database): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('log_identity')
      .values({ log_id: extent.logId, partitions: extent.ends.length })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await unmarkImport(transaction);
  });
}

/** The log in the database, also if KAFKA_BROKERS is set; undefined if that is the target itself. */
async function withDatabaseLog(
  config: Config,
  url: string,
  work: (log: EventLog | undefined) => Promise<void>,
): Promise<void> {
  if (!config.kafkaBrokers) return work(undefined);
  const { kafkaBrokers: _, ...embedded } = config;
  const log = connectEventLog(embedded, url, createLogger('error'));
  try {
    await work(log);
  } finally {
    await log.close();
  }
}

/** A database that has had a log knows what it has published; an import that resumes was checked before. */
async function assertNothingPublished({ db }: Database, log: EventLog): Promise<void> {
  if (await db.selectFrom('log_identity').select('log_id').executeTakeFirst()) return;
  if ((await log.ends(INTAKE_TOPIC)).every((end) => end === 0)) await assertEmptyLog(log);
}

/**
 * Forgets what was published to partitions that have no record. The topics of changes of a log that was moved are empty:
 * its publishers fill them from the history, with the same event ids.
 */
async function publishAgain({ db }: Database, log: EventLog): Promise<void> {
  for (const { topic } of await db.selectFrom('published_changes').select('topic').distinct().execute()) {
    const empty = (await log.ends(topic)).flatMap((end, partition) => (end === 0 ? [partition] : []));
    await sql`delete from published_changes where topic = ${topic} and partition = any(${empty}::int[])`.execute(
      db,
    );
  }
}

async function importToLog(
  file: LogFile,
  path: string,
  config: Config,
  database: Database,
  url: string,
  terminal: Terminal,
): Promise<string> {
  const log = await openEventLog(config, url, createLogger('error'));
  const phase = ratedPhase(createProgress(terminal.stderr, false), terminal, 'Importing', file.records);
  try {
    const { logId, ends } = file.extent;
    await assertNothingPublished(database, log);
    const { held, appended } = await importLog(file, log, {
      onBegin: () => markImport(database.db, ends),
      onRecords: phase.add,
    });
    await publishAgain(database, log);
    const before = held > 0 ? `; ${held} were already present` : '';
    return `Imported   ${appended} records of log ${logId}, ${ends.length} partitions${before}\n${startText(ends.length)}`;
  } catch (error) {
    throw logFailure(path, error);
  } finally {
    phase.end();
    await log.close();
  }
}
