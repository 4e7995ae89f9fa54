import type { Database } from '#libs/database';
import type { EventLog } from '#libs/event-log';
import { CHAIN_START, chainAfter, INTAKE_TOPIC } from '#libs/intake';
import type { CheckpointFile, CheckpointPosition } from '#libs/log-archive';
import { CheckpointError } from './checkpoint-error.ts';
import { readSiteVersion } from './site-version.ts';

export interface ContinuesOptions {
  /** Whether every record before the checkpoint is read and hashed, instead of only the last one of each partition. */
  checkChain?: boolean | undefined;
  /** Called as they are checked. */
  onChecked?: ((records: number, of: number) => void) | undefined;
}

/**
 * Verifies that a log can be folded from a checkpoint: that it is a checkpoint of this log, within it, made by the same
 * rules for the same tables, and from the log's records. The last record of each partition before it is always
 * compared, by its link of the chain, if the log itself still has it.
 * @throws CheckpointError; RecordsGoneError, LogUnavailableError
 */
export async function assertContinues(
  file: CheckpointFile,
  live: Database,
  log: EventLog,
  { checkChain = false, onChecked = () => {} }: ContinuesOptions = {},
): Promise<void> {
  await assertSameVersion(file, live);
  await assertWithin(file, log);
  const starts = await log.starts(INTAKE_TOPIC);
  let checked = 0;
  for (const [partition, position] of file.positions.entries()) {
    const from = checkChain ? 0 : position.next - 1;
    if (!checkChain && from < starts[partition]!) continue;
    const onRecords = (count: number) => {
      checked += count;
      if (checkChain) onChecked(checked, file.records);
    };
    await assertChain(file, log, partition, position, from, onRecords);
  }
}

async function assertSameVersion(
  { path, logId, rules, tables }: CheckpointFile,
  live: Database,
): Promise<void> {
  const site = await readSiteVersion(live);
  if (logId !== site.logId) {
    throw new CheckpointError(`${path} is a checkpoint of log ${logId}, but this is log ${site.logId}`);
  }
  const newOne = 'create a new one with `posture checkpoint`';
  if (rules !== site.rules) {
    throw new CheckpointError(
      `${path} was folded with rules ${rules}, but the current rules are ${site.rules}: ${newOne}`,
    );
  }
  if (tables !== site.tables) {
    throw new CheckpointError(
      `${path} contains the tables of migration ${tables}, but the database has ${site.tables}: ${newOne}`,
    );
  }
}

async function assertWithin({ path, positions }: CheckpointFile, log: EventLog): Promise<void> {
  const ends = await log.ends(INTAKE_TOPIC);
  if (positions.length !== ends.length) {
    throw new CheckpointError(`${path} has ${positions.length} partitions, but the log has ${ends.length}`);
  }
  const beyond = positions.findIndex(({ next }, partition) => next > ends[partition]!);
  if (beyond < 0) return;
  throw new CheckpointError(
    `${path} reaches partition ${beyond}, offset ${positions[beyond]!.next}, but the log ends at ${ends[beyond]}: the log has diverged or has lost records`,
  );
}

async function assertChain(
  { path }: CheckpointFile,
  log: EventLog,
  partition: number,
  { next, before, head }: CheckpointPosition,
  from: number,
  onRecords: (count: number) => void,
): Promise<void> {
  let found = from === 0 ? CHAIN_START : before;
  let expected = from;
  for await (const records of log.read(INTAKE_TOPIC, partition, from, next)) {
    for (const record of records) {
      if (record.offset !== expected) break;
      found = chainAfter(found, record);
      expected += 1;
    }
    onRecords(records.length);
  }
  if (expected < next) {
    throw new CheckpointError(`the log has a hole: partition ${partition}, offset ${expected} is missing`);
  }
  if (found.equals(head)) return;
  const where = next - from === 1 ? `offset ${from}` : `offsets ${from} to ${next - 1}`;
  throw new CheckpointError(
    `${path} was not made from the records of this log: the chain of partition ${partition} differs at ${where}`,
  );
}
