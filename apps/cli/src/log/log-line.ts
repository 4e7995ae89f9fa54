import { decodeIntake } from '#libs/contracts';
import type { IntakeEvent } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';

/** What lines are asked for; times are epoch ms, `to` is not in it. */
export interface LineFilter {
  entity?: string;
  upload?: string;
  from?: number;
  to?: number;
}

/**
 * A record as an object to print; undefined where the filter leaves it out. One that cannot be read is never left out
 * by upload or time, which it does not tell.
 * @param full with payload and cause
 */
export function logLine(record: StoredRecord, filter: LineFilter, full: boolean): object | undefined {
  const { partition, offset, key, value, storedAt } = record;
  if (filter.entity !== undefined && filter.entity !== key) return undefined;
  let event: IntakeEvent;
  try {
    event = decodeIntake(value);
  } catch (error) {
    const { message: problem } = error as Error;
    return { partition, offset, storedAt: iso(storedAt), entityKey: key, problem };
  }
  const { id, at, cause } = event.envelope;
  if (filter.upload !== undefined && filter.upload !== cause.uploadId) return undefined;
  if (at < (filter.from ?? -Infinity) || at >= (filter.to ?? Infinity)) return undefined;
  const { type, ...payload } = event.payload;
  const { uploadId, entry, user } = cause;
  return {
    partition,
    offset,
    at: iso(at),
    type,
    entityKey: key,
    uploadId,
    entry,
    user,
    id,
    ...(full && { storedAt: iso(storedAt), cause, payload }),
  };
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
