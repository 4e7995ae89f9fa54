import { join } from 'node:path';
import {
  type Backup,
  BackupError,
  copyErasures,
  KEYS_FILE,
  LOG_FOLDER,
  replaceTables,
  TABLES_FILE,
} from '#libs/backup';
import { uuidV5 } from '#libs/domain';
import { makeFolder } from '#libs/durable-file';
import { backUpPartition, type CheckpointPosition } from '#libs/log-archive';
import { type PartitionPlan, PartitionPlanner } from './partition-plan.ts';
import { Placement } from './placement.ts';
import { RecordPlacer } from './record-placer.ts';
import { RepartitionedLog } from './repartitioned-log.ts';

export interface RepartitionedBackup {
  /** Id of the new log; the same for the same records and number of partitions. */
  logId: string;
  partitions: number;
  /** Of the new log: an event about an old partition is in each of the new ones. */
  records: number;
  /** Records that this call has written; the others were complete. */
  written: number;
}

/**
 * Makes a backup of a log with more partitions from a backup: the same events, each at the partition of its entity. The old
 * backup is unchanged. After an interruption, the same call resumes. Memory grows with the uploads of one old partition
 * that have several entities.
 * @param folder of the new backup; created if it does not exist
 * @param partitions a multiple of those of the old log
 * @param onDone receives old records that are done, and how many there are
 * @throws BackupError if the number is not a multiple
 * @throws FileError if a file is damaged, or the folder belongs to another log; errors of the file system
 */
export async function repartitionBackup(
  old: Backup,
  folder: string,
  partitions: number,
  onDone: (records: number, of: number) => void = () => {},
): Promise<RepartitionedBackup> {
  const placement = placementOf(old, partitions);
  const from = old.end;
  const logId = uuidV5(from.logId)(`${partitions} partitions of ${from.heads.join(' ')}`);
  await makeFolder(join(folder, LOG_FOLDER), 0o700);
  const positions: CheckpointPosition[] = Array(partitions);
  let [written, done] = [0, 0];
  for (const [oldPartition, { next }] of old.tables.positions.entries()) {
    const plan = await planOf(old, oldPartition, placement);
    const placerOf = (partition: number) => new RecordPlacer(placement, partition, plan, logId, from);
    const log = new RepartitionedLog(() => old.partition(oldPartition), placerOf);
    for (const partition of placement.partitionsFrom(oldPartition)) {
      const target = { logId, partitions, partition, to: plan.ends.get(partition)!, known: undefined };
      const { written: count, ...position } = await backUpPartition(log, target, join(folder, LOG_FOLDER));
      positions[partition] = position;
      written += count;
    }
    done += next;
    onDone(done, old.records);
  }
  const header = { logId, rules: old.tables.rules, tables: old.tables.tables, positions };
  await copyErasures(old.folder, folder);
  // Again, if they are there: those of the old backup may be newer, though its log is the same. The tables last: with them
  // the backup is complete.
  if (old.keys) await replaceTables(join(folder, KEYS_FILE), header, old.keys.readTables());
  await replaceTables(join(folder, TABLES_FILE), header, old.tables.readTables());
  return { logId, partitions, records: positions.reduce((sum, { next }) => sum + next, 0), written };
}

function placementOf({ tables }: Backup, partitions: number): Placement {
  const old = tables.positions.length;
  if (partitions > old && partitions % old === 0) {
    return new Placement(old, partitions);
  }
  throw new BackupError(
    `the log has ${old} partitions: the new number must be a multiple of it, from ${2 * old} on (got ${partitions})`,
  );
}

async function planOf(old: Backup, partition: number, placement: Placement): Promise<PartitionPlan> {
  const planner = new PartitionPlanner(placement);
  for await (const records of old.partition(partition)) for (const record of records) planner.take(record);
  return planner.finish();
}
