import { intakeSchemas } from '#libs/contracts';
import { ERASED_ACTION, eventTime, isStampedAhead, type SubjectErased } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';
import { decodeBatch, errorOf, MemoryFold } from '#libs/fold';
import { LogFile } from '#libs/log-archive';

interface LoggedErasure {
  partition: number;
  offset: number;
  payload: SubjectErased;
}

/**
 * Subjects that were erased after an instant, by an exported log.
 * @param at epoch milliseconds
 * @throws FileError if the file is damaged
 * @throws UnknownRecordError if an erasure, or an event that the fold needs, is of a later version
 */
export async function erasedSince(logPath: string, at: number): Promise<Set<string>> {
  const log = await LogFile.open(logPath);
  const erasures = await erasuresSince(log, at);
  // Only a fold shows whether a subject was reported before an erasure by the retention.
  const isFoldNeeded = erasures.some(({ payload: { deletedBefore = null } }) => deletedBefore !== null);
  return isFoldNeeded
    ? foldedErasures(log, at, erasures)
    : new Set(erasures.map(({ payload }) => payload.subject));
}

async function erasuresSince(log: LogFile, at: number): Promise<LoggedErasure[]> {
  const schemas = intakeSchemas().filter(({ type }) => type === 'SubjectErased');
  const ids = new Set(schemas.map(({ id }) => id));
  const erasures: LoggedErasure[] = [];
  for await (const records of log.batches()) {
    const acts = records.filter(
      ({ value }) => value.length > SCHEMA_AT + 4 && ids.has(value.readInt32BE(SCHEMA_AT)),
    );
    for (const { record, event } of acts.flatMap((act) => decodeBatch([act], 0).decoded)) {
      const { partition, offset } = record;
      const { envelope, payload } = event;
      // The fold refuses an act of a wrong clock.
      if (payload.type !== 'SubjectErased' || isStampedAhead(envelope)) continue;
      if (eventTime(envelope) > at) erasures.push({ partition, offset, payload });
    }
  }
  return erasures;
}

/** Folds each partition up to its last erasure: events that follow it can be of a later version. */
async function foldedErasures(log: LogFile, at: number, erasures: LoggedErasure[]): Promise<Set<string>> {
  const lastOffsets = new Map(erasures.map(({ partition, offset }) => [partition, offset]));
  const erased = new Set<string>();
  let fold = new MemoryFold(0);
  for await (const records of log.batches()) {
    for (const record of records) {
      if (record.offset > (lastOffsets.get(record.partition) ?? -1)) continue;
      if (record.partition !== fold.state.partition) fold = new MemoryFold(record.partition);
      for (const subject of erasedBy(fold, record, at)) erased.add(subject);
    }
  }
  return erased;
}

function erasedBy(fold: MemoryFold, record: StoredRecord, at: number): string[] {
  const event = fold.decode([record]).decoded[0]?.event;
  fold.nextOffset += 1;
  if (!event) return [];
  try {
    const { acts } = fold.fold(event);
    if (eventTime(event.envelope) <= at) return [];
    const erasures = acts.filter(({ action, refused }) => action === ERASED_ACTION && refused === null);
    return erasures.map(({ target }) => target);
  } catch (error) {
    throw errorOf(record, error);
  }
}

/** Of the schema id in a record, after the magic byte. */
const SCHEMA_AT = 1;
