import type { Kysely } from 'kysely';
import { type Config, createLogger } from '#libs/config';
import { migrate, openDatabase, type Schema } from '#libs/database';
import { readingAt } from '#libs/domain';
import { openLog, whileOpening } from '#libs/intake';
import { IntegrationSecrets } from '#libs/integration-store';
import { openSecretKeys } from '#libs/key-wrapping';
import { openEventLog } from '#libs/program';
import type { DemoSize } from '#libs/sample-data';
import { Vault } from '#libs/vault';
import { usageError } from '../../cli-error.ts';
import { borrowDatabase } from '../../log/borrow-database.ts';
import type { Progress } from '../../progress.ts';
import { siteFailure } from '../../site-failure.ts';
import { assertSiteUser } from '../../site-user.ts';
import type { Terminal } from '../../terminal.ts';
import { firstDayOf, PastCourse, type PastDay } from './past-course.ts';
import { PastLog } from './past-log.ts';
import { OtherLogError, ResumedLog } from './resumed-log.ts';
import { HOUR_MS } from './times.ts';

const CONNECTIONS_MAX = 4;
/** Of the first day, before the first act. */
const OPENED_MS = 8 * HOUR_MS;

export interface WrittenPast {
  events: number;
  uploads: number;
  /** Acts of users. */
  acts: number;
  syncs: number;
  /** The site had all of it already. */
  isUnchanged: boolean;
}

/**
 * Writes the demo with its past into the log of a site that has never been started: the instants of its events are those
 * of the invented organization. A log that has events already would continue at its own time. A run that was interrupted
 * is continued, and a complete past stays as it is.
 * @throws CliError exit 2 if the site has another log, or was started before the past was complete; exit 1 if something
 * is unreachable
 */
export async function writePast(
  size: DemoSize,
  days: number,
  progress: Progress,
  { env }: Terminal,
): Promise<WrittenPast> {
  const { config, url, giveBack } = await borrowDatabase(env, { mayMake: true });
  try {
    // Its secret key is made there.
    if (config.secretKey === undefined) await assertSiteUser(config);
    if (config.sealPersonalTexts) {
      throw usageError('the past of the demo cannot be sealed: unset SEAL_PERSONAL_TEXTS, or omit --days');
    }
    const database = openDatabase(url, { max: CONNECTIONS_MAX });
    try {
      await migrate(database.pool);
      return await writeInto(config, url, database.db, size, days, progress);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    await giveBack();
  }
}

async function writeInto(
  config: Config,
  url: string,
  db: Kysely<Schema>,
  size: DemoSize,
  days: number,
  progress: Progress,
): Promise<WrittenPast> {
  const log = await openEventLog(config, url, createLogger('error'));
  try {
    const isStarted = await hasBeenStarted(db);
    await openLog(db, log, () => readingAt(firstDayOf(size, days) + OPENED_MS));
    // A service that starts now waits until the past is complete.
    return await whileOpening(db, async () => {
      const resumed = await ResumedLog.open(log, { mayAppend: !isStarted });
      const past = new PastLog(resumed);
      const course = new PastCourse(past, size, days);
      const written = await write(course, isStarted ? null : db, progress);
      await resumed.finish();
      if (!isStarted) await putSecrets(course, past, config, db);
      return { ...written, events: past.events, isUnchanged: resumed.isUnchanged };
    });
  } catch (error) {
    if (!(error instanceof OtherLogError)) throw error;
    throw usageError('the site is not empty: --days writes the past of a site that has never been started', [
      'set DATA_DIR to a new directory, or DATABASE_URL to an empty database, or omit --days to upload to a service',
      'to continue a run that was interrupted on an earlier day, set --day to the day before that run (UTC)',
    ]);
  } finally {
    await log.close();
  }
}

/** Its first start makes the first administrator. */
async function hasBeenStarted(db: Kysely<Schema>): Promise<boolean> {
  return (await db.selectFrom('credentials').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** @param db null: the rows beside the log belong to a site that runs */
async function write(
  course: PastCourse,
  db: Kysely<Schema> | null,
  progress: Progress,
): Promise<Pick<WrittenPast, 'uploads' | 'acts' | 'syncs'>> {
  const written = { uploads: 0, acts: 0, syncs: 0 };
  const phase = progress.phase('Writing', course.days, 'days');
  let day = 0;
  try {
    for await (const { receipts, syncs, acts } of course.write()) {
      if (db) await storeRows(db, { receipts, syncs });
      written.uploads += receipts.length;
      written.syncs += syncs.length;
      written.acts += acts;
      phase.reach(++day);
    }
    return written;
  } finally {
    phase.end();
  }
}

/** Those that an interrupted run has stored stay. */
async function storeRows(
  db: Kysely<Schema>,
  { receipts, syncs }: Pick<PastDay, 'receipts' | 'syncs'>,
): Promise<void> {
  if (receipts.length > 0) {
    await db
      .insertInto('upload_receipts')
      .values(receipts)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  if (syncs.length === 0) return;
  await db
    .insertInto('syncs')
    .values(syncs)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Of platforms that do not exist: without any, the integrations would be incomplete. */
async function putSecrets(
  { integrations }: PastCourse,
  log: PastLog,
  config: Config,
  db: Kysely<Schema>,
): Promise<void> {
  const secrets = new IntegrationSecrets(db, new Vault(await openSecretKeys(config)));
  for (const { id, secrets: names } of Object.values(integrations)) {
    const integration = log.organization.integrations?.find((one) => one.id === id);
    if (!integration) throw new Error(`the past has no integration ${id}`);
    await secrets.put(
      integration,
      Object.fromEntries(names.map((name) => [name, 'invented-secret-of-the-demo'])),
    );
  }
}
