import { CorruptRecordError, decodeIntake } from '#libs/contracts';
import type { IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';

/**
 * The event of a record; null if it is corrupt.
 * @throws UnknownSchemaError if a later version wrote it
 */
export function decoded({ value }: Pick<StoredRecord, 'value'>): IntakeEvent | null {
  try {
    return decodeIntake(value);
  } catch (error) {
    if (error instanceof CorruptRecordError) return null;
    throw error;
  }
}
