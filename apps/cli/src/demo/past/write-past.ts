import type { Kysely } from 'kysely';
import { createLogger } from '#libs/config';
import { migrate, openDatabase, type Schema } from '#libs/database';
import { readingAt } from '#libs/domain';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC, openLog, whileOpening } from '#libs/intake';
import { openEventLog } from '#libs/program';
import { createRandom, type DemoSize, demoUploads, pastScans } from '#libs/sample-data';
import { usageError } from '../../cli-error.ts';
import { borrowDatabase } from '../../log/borrow-database.ts';
import type { Progress } from '../../progress.ts';
import { siteFailure } from '../../site-failure.ts';
import type { Terminal } from '../../terminal.ts';
import { pastActs } from './past-acts.ts';
import { PastLog, type PastUpload } from './past-log.ts';

const CONNECTIONS_MAX = 4;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface WrittenPast {
  events: number;
  uploads: number;
  /** Accepted and reverted findings. */
  acts: number;
}

/**
 * Writes the demo with its past into the log of a site that has never been started: the instants of its events are those
 * of the invented organization. A log that has events already would continue at its own time.
 * @throws CliError exit 2 if the site has been started or has a log; exit 1 if something is unreachable
 */
export async function writePast(
  size: DemoSize,
  days: number,
  progress: Progress,
  { env }: Terminal,
): Promise<WrittenPast> {
  const { config, url, giveBack } = await borrowDatabase(env, { mayMake: true });
  try {
    if (config.sealPersonalTexts) {
      throw usageError('the past of the demo cannot be sealed: unset SEAL_PERSONAL_TEXTS, or omit --days');
    }
    const database = openDatabase(url, { max: CONNECTIONS_MAX });
    try {
      await migrate(database.pool);
      const log = await openEventLog(config, url, createLogger('error'));
      try {
        await assertUnused(database.db, log);
        const steps = stepsOf(size, days);
        await openLog(database.db, log, () => readingAt(steps[0]!.at - HOUR_MS));
        // A service that starts now waits until the past is complete.
        return await whileOpening(database.db, () =>
          write(steps, new PastLog(log), database.db, size, progress),
        );
      } finally {
        await log.close();
      }
    } finally {
      await database.close();
    }
  } catch (error) {
    throw siteFailure(error as Error);
  } finally {
    await giveBack();
  }
}

async function assertUnused(db: Kysely<Schema>, log: EventLog): Promise<void> {
  const identity = await db.selectFrom('log_identity').select('log_id').executeTakeFirst();
  const ends = await log.ends(INTAKE_TOPIC);
  if (identity === undefined && ends.every((end) => end === 0)) return;
  throw usageError('the site is not empty: --days writes the past of a site that has never been started', [
    'set DATA_DIR to a new directory, or DATABASE_URL to an empty database, or omit --days to upload to a service',
  ]);
}

/** The uploads in their order; tools report in the morning. */
function stepsOf(size: DemoSize, days: number): PastUpload[] {
  const past = pastScans(size, days).map((scan) => ({ ...scan, at: scan.day + 6 * HOUR_MS, isScan: true }));
  const [first, delta, rescan] = demoUploads(size);
  const firstDay = size.secondDay - DAY_MS;
  return [
    ...past,
    { ...first!, at: firstDay + 6 * HOUR_MS, isScan: false },
    { ...delta!, at: size.secondDay + 6 * HOUR_MS, isScan: false },
    { ...rescan!, at: size.secondDay + 8 * HOUR_MS, isScan: false },
  ];
}

async function write(
  steps: readonly PastUpload[],
  log: PastLog,
  db: Kysely<Schema>,
  size: DemoSize,
  progress: Progress,
): Promise<WrittenPast> {
  const random = createRandom(`${size.seed}/past/log`);
  const written = { events: 0, uploads: 0, acts: 0 };
  const phase = progress.phase('Writing', steps.length, 'uploads');
  try {
    for (const [index, step] of steps.entries()) {
      const { events, receipts } = await log.appendUpload(step, random);
      await db.insertInto('upload_receipts').values(receipts).execute();
      written.events += events;
      written.uploads += receipts.length;
      if (step.isScan) {
        const acts = pastActs(log.findings(), step.at + DAY_MS, random);
        await log.appendActs(acts);
        written.events += acts.length;
        written.acts += acts.length;
      }
      phase.reach(index + 1);
    }
    return written;
  } finally {
    phase.end();
  }
}
