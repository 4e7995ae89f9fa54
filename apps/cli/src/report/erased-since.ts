import { intakeSchemas } from '#libs/contracts';
import { eventTime, isStampedAhead } from '#libs/domain';
import { decodeBatch } from '#libs/fold';
import { LogFile } from '#libs/log-archive';

/**
 * Subjects that were erased after an instant, by an exported log.
 * @param at epoch milliseconds
 * @throws FileError if the file is damaged
 */
export async function erasedSince(logPath: string, at: number): Promise<Set<string>> {
  const schemas = intakeSchemas().filter(({ type }) => type === 'SubjectErased');
  const ids = new Set(schemas.map(({ id }) => id));
  const erased = new Set<string>();
  const log = await LogFile.open(logPath);
  for await (const records of log.batches()) {
    const acts = records.filter(
      ({ value }) => value.length > SCHEMA_AT + 4 && ids.has(value.readInt32BE(SCHEMA_AT)),
    );
    for (const { event } of acts.flatMap((record) => decodeBatch([record], 0).decoded)) {
      const { envelope, payload } = event;
      // The fold refuses an act of a wrong clock.
      if (payload.type !== 'SubjectErased' || isStampedAhead(envelope)) continue;
      if (eventTime(envelope) > at) erased.add(payload.subject);
    }
  }
  return erased;
}

/** Of the schema id in a record, after the magic byte. */
const SCHEMA_AT = 1;
