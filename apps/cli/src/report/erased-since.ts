import { intakeSchemas } from '#libs/contracts';
import { ERASED_ACTION, eventTime, isStampedAhead, type SubjectErased } from '#libs/domain';
import { decodeBatch, MemoryFold } from '#libs/fold';
import { LogFile } from '#libs/log-archive';

/**
 * Subjects that were erased after an instant, by an exported log.
 * @param at epoch milliseconds
 * @throws FileError if the file is damaged
 */
export async function erasedSince(logPath: string, at: number): Promise<Set<string>> {
  const log = await LogFile.open(logPath);
  const erasures = await erasuresSince(log, at);
  // Only a fold shows whether a subject was reported before an erasure by the retention.
  if (erasures.some(({ deletedBefore = null }) => deletedBefore !== null)) return foldedErasures(log, at);
  return new Set(erasures.map(({ subject }) => subject));
}

async function erasuresSince(log: LogFile, at: number): Promise<SubjectErased[]> {
  const schemas = intakeSchemas().filter(({ type }) => type === 'SubjectErased');
  const ids = new Set(schemas.map(({ id }) => id));
  const erasures: SubjectErased[] = [];
  for await (const records of log.batches()) {
    const acts = records.filter(
      ({ value }) => value.length > SCHEMA_AT + 4 && ids.has(value.readInt32BE(SCHEMA_AT)),
    );
    for (const { event } of acts.flatMap((record) => decodeBatch([record], 0).decoded)) {
      const { envelope, payload } = event;
      // The fold refuses an act of a wrong clock.
      if (payload.type !== 'SubjectErased' || isStampedAhead(envelope)) continue;
      if (eventTime(envelope) > at) erasures.push(payload);
    }
  }
  return erasures;
}

async function foldedErasures(log: LogFile, at: number): Promise<Set<string>> {
  const erased = new Set<string>();
  let fold = new MemoryFold(0);
  for await (const records of log.batches()) {
    for (const record of records) {
      if (record.partition !== fold.state.partition) fold = new MemoryFold(record.partition);
      const event = fold.decode([record]).decoded[0]?.event;
      fold.nextOffset += 1;
      if (!event) continue;
      const isLater = eventTime(event.envelope) > at;
      for (const { action, target, refused } of fold.fold(event).acts) {
        if (isLater && action === ERASED_ACTION && refused === null) erased.add(target);
      }
    }
  }
  return erased;
}

/** Of the schema id in a record, after the magic byte. */
const SCHEMA_AT = 1;
