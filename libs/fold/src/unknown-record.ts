import { UnknownSchemaError } from '#libs/contracts';
import { UnknownRulesError } from '#libs/domain';
import type { StoredRecord } from '#libs/event-log';

/** A later version wrote the record: nothing is folded past it until this version is upgraded (R-FOLD-7). */
export class UnknownRecordError extends Error {
  override name = 'UnknownRecordError';
  /** Of the record. */
  readonly offset: number;

  constructor({ partition, offset }: StoredRecord, reason: UnknownSchemaError | UnknownRulesError) {
    super(`partition ${partition}, offset ${offset}: ${reason.message}`);
    this.offset = offset;
  }
}

/** An error of reading or folding a record. */
export const errorOf = (record: StoredRecord, error: unknown): unknown =>
  error instanceof UnknownSchemaError || error instanceof UnknownRulesError
    ? new UnknownRecordError(record, error)
    : error;
