import { decodeIntake } from '#libs/contracts';
import { type IntakeEvent, isoTime } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';

/** The filter of lines; times are epoch ms, `to` is exclusive. */
export interface LineFilter {
  /** Keys of entities. */
  entities?: readonly string[] | undefined;
  upload?: string;
  from?: number;
  to?: number;
}

/**
 * A record as an object to print; undefined if the filter excludes it. Filters by upload or time never exclude an
 * unreadable record, because it contains neither.
 * @param full with payload and cause
 */
export function logLine(record: StoredRecord, filter: LineFilter, full: boolean): object | undefined {
  const { partition, offset, key, value, storedAt } = record;
  if (filter.entities && !filter.entities.includes(key)) return undefined;
  let event: IntakeEvent;
  try {
    event = decodeIntake(value);
  } catch (error) {
    const { message: problem } = error as Error;
    return { partition, offset, storedAt: isoTime(storedAt), entityKey: key, problem };
  }
  const { id, at, cause } = event.envelope;
  if (filter.upload !== undefined && filter.upload !== cause.uploadId) return undefined;
  if (at < (filter.from ?? -Infinity) || at >= (filter.to ?? Infinity)) return undefined;
  const { type, ...payload } = event.payload;
  const { uploadId, entry, user } = cause;
  return {
    partition,
    offset,
    at: isoTime(at),
    type,
    entityKey: key,
    uploadId,
    entry,
    user,
    id,
    ...(full && { storedAt: isoTime(storedAt), cause, payload }),
  };
}
