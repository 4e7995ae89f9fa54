import type { Database } from '#libs/database';
import { makeFolder } from '#libs/durable-file';
import type { EventLog } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { type ArchivedStretch, archivePartition, type CheckpointFile } from '#libs/log-archive';
import { assertContinues } from './assert-continues.ts';
import { assertLiveReaches, livePositions } from './live-positions.ts';

/** Another archiving of the same log is in progress. */
export class ArchiveBusyError extends Error {
  override name = 'ArchiveBusyError';
}

/** One archiving at a time; the lock ends with its session, even if the process crashes. */
const ARCHIVE_LOCK = 7_305_003;

/**
 * Moves the records before a checkpoint out of the intake log into segment files, partition by partition; only records
 * that the live tables have folded. The site may be in use. After an interruption, every record is in the log or in a
 * verified segment, and the same call resumes.
 * @param log with its archive, or without
 * @param folder created if it does not exist, accessible only to its owner
 * @param onMoved called as it proceeds
 * @throws CheckpointError if it is of another site, or the live tables are behind it; ArchiveBusyError; as
 *   `archivePartition`
 */
export async function archiveSite(
  live: Database,
  log: EventLog,
  file: CheckpointFile,
  folder: string,
  onMoved: (records: number, of: number) => void = () => {},
): Promise<ArchivedStretch> {
  const lock = await live.pool.connect();
  try {
    const { rows } = await lock.query('select pg_try_advisory_lock($1) as is_ours', [ARCHIVE_LOCK]);
    if (!rows[0].is_ours) throw new ArchiveBusyError('another archiving is in progress: wait until it ends');
    await assertContinues(file, live, log);
    assertLiveReaches(await livePositions(live, log), file);
    await makeFolder(folder, 0o700);
    return await archiveAll(log, file, folder, onMoved);
  } finally {
    // By itself it would end with the session, a moment after this call.
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    lock.release(true);
  }
}

async function archiveAll(
  log: EventLog,
  { logId, positions }: CheckpointFile,
  folder: string,
  onMoved: (records: number, of: number) => void,
): Promise<ArchivedStretch> {
  const starts = await log.starts(INTAKE_TOPIC);
  const stretches = positions.map(({ next }, partition) => Math.max(0, next - starts[partition]!));
  const of = stretches.reduce((sum, stretch) => sum + stretch, 0);
  const all: ArchivedStretch = { written: 0, removed: 0 };
  let moved = 0;
  onMoved(0, of);
  for (const [partition, { next: to, head }] of positions.entries()) {
    // A record is handled twice: written, and read back.
    let handled = 0;
    const onHandled = (records: number) => {
      handled += records;
      onMoved(moved + Math.min(stretches[partition]!, Math.floor(handled / 2)), of);
    };
    const target = { logId, partitions: positions.length, partition, to, head };
    const { written, removed } = await archivePartition(log, target, folder, {
      onWritten: onHandled,
      onVerified: onHandled,
    });
    all.written += written;
    all.removed += removed;
    moved += stretches[partition]!;
    onMoved(moved, of);
  }
  return all;
}
