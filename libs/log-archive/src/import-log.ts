import { type EventLog, type StoredRecord, TOPICS } from '#libs/event-log';
import { CHAIN_START, chainAfter, INTAKE_TOPIC } from '#libs/intake';
import { type LogExtent, placeText } from './log-check.ts';
import { LogContentError } from './log-content-error.ts';

/** The log contains other records than the beginning of the file; nothing was appended. */
export class LogNotEmptyError extends Error {
  override name = 'LogNotEmptyError';
}

/** A record got another place than it has in the file: something else appends to the log at the same time. */
export class MisplacedRecordError extends Error {
  override name = 'MisplacedRecordError';
}

export interface ImportResult {
  /** Records that were in the log before, from an import that was interrupted. */
  held: number;
  appended: number;
}

export interface ImportOptions {
  /** Called before the first record is appended. */
  onBegin?: () => Promise<void>;
  /** Receives how many more of the file's records are in the log. */
  onRecords?: ((count: number) => void) | undefined;
}

/** The source of a log: a `LogFile`, or the segments of a backup. */
export interface LogSource {
  extent: LogExtent;
  /** All records, by partition and in the order of offsets, in bounded batches; each call begins again. */
  batches(): AsyncIterable<StoredRecord[]>;
}

/**
 * Appends a verified file to the intake log, every record at its partition and offset. A log that has the beginning of
 * the file, as an interrupted import leaves it, gets the missing records.
 * @param file that was read completely and verified; it is checked again during the import
 * @throws LogNotEmptyError, MisplacedRecordError, LogContentError, LogUnavailableError
 */
export async function importLog(
  file: LogSource,
  log: EventLog,
  { onBegin = async () => {}, onRecords = () => {} }: ImportOptions = {},
): Promise<ImportResult> {
  const ends = await log.ends(INTAKE_TOPIC);
  await assertBeginning(file, log, ends);
  await onBegin();
  const result = { held: sum(ends), appended: 0 };
  for await (const batch of file.batches()) {
    const missing = batch.filter(({ partition, offset }) => offset >= ends[partition]!);
    await append(log, missing);
    result.appended += missing.length;
    onRecords(batch.length);
  }
  return result;
}

/**
 * Ensures that no topic of a log has a record. A new database needs that: its publishers continue after the published
 * changes, and would skip as many of its own.
 * @throws LogNotEmptyError
 */
export async function assertEmptyLog(log: EventLog): Promise<void> {
  for (const { name } of TOPICS) {
    const ends = await log.ends(name);
    const used = ends.findIndex((end) => end > 0);
    if (used < 0) continue;
    throw new LogNotEmptyError(
      `the log is not empty: partition ${used} of ${name} ends at offset ${ends[used]}. Use a new log, or delete all its topics`,
    );
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

async function append(log: EventLog, records: StoredRecord[]): Promise<void> {
  const positions = await log.append(
    INTAKE_TOPIC,
    records.map(({ partition, key, value, headers }) => ({
      partition,
      key,
      value,
      ...(Object.keys(headers).length > 0 && { headers }),
    })),
  );
  for (const [i, record] of records.entries()) {
    if (positions[i]!.offset === record.offset) continue;
    throw new MisplacedRecordError(
      `${placeText(record)} of the file got offset ${positions[i]!.offset}: another program appends to this log`,
    );
  }
}

/** The chain of a partition covers all its records. */
async function assertBeginning(file: LogSource, log: EventLog, ends: number[]): Promise<void> {
  if (ends.every((end) => end === 0)) return;
  const longer = ends.findIndex((end, partition) => end > (file.extent.ends[partition] ?? 0));
  if (longer >= 0) {
    throw new LogNotEmptyError(
      `the log is not empty: partition ${longer} ends at offset ${ends[longer]}, but the file at offset ${file.extent.ends[longer] ?? 0}`,
    );
  }
  const heads = await headsOfFile(file, ends);
  for (const [partition, end] of ends.entries()) {
    if ((await headOfLog(log, partition, end)).equals(heads[partition]!)) continue;
    throw new LogNotEmptyError(
      `the log is not empty: the ${end} records of partition ${partition} are not the first records of the file`,
    );
  }
}

async function headsOfFile(file: LogSource, ends: number[]): Promise<Buffer[]> {
  const heads = ends.map(() => CHAIN_START);
  for await (const records of file.batches()) {
    for (const record of records) {
      const { partition, offset } = record;
      if (offset < ends[partition]!) heads[partition] = chainAfter(heads[partition]!, record);
    }
  }
  return heads;
}

async function headOfLog(log: EventLog, partition: number, end: number): Promise<Buffer> {
  let head = CHAIN_START;
  let next = 0;
  for await (const records of log.read(INTAKE_TOPIC, partition, 0, end)) {
    for (const record of records) {
      if (record.offset !== next) break;
      head = chainAfter(head, record);
      next += 1;
    }
  }
  if (next === end) return head;
  throw new LogContentError(`has a hole: ${placeText({ partition, offset: next })} is missing`);
}
