import { decodeIntake } from '#libs/contracts';
import type { Position, StoredRecord } from '#libs/event-log';
import { CHAIN_START, type Chain, chainAfter } from '#libs/intake';
import { LogContentError } from './log-content-error.ts';

/** Which log it is, and how far a cut of it reaches. */
export interface LogExtent {
  logId: string;
  /** Next offset of each partition, by partition number; at least 1. */
  ends: number[];
}

/** Result of a check: all of a cut. */
export interface LogSummary extends LogExtent {
  records: number;
  /** Head of each partition's chain, by partition number. */
  heads: Buffer[];
}

/**
 * Takes the records of a cut one after the other, by partition and in the order of offsets, and ensures that none
 * is missing or too many, and that each partition begins with the identity of the log.
 */
export class LogCheck {
  private readonly heads: Buffer[];
  private count = 0;
  private expected: Position | undefined = { partition: 0, offset: 0 };

  constructor(
    private readonly extent: LogExtent,
    private readonly chain: Chain = chainAfter,
  ) {
    this.heads = extent.ends.map(() => CHAIN_START);
  }

  /** Position of the next record; undefined when all were taken. */
  get next(): Position | undefined {
    return this.expected;
  }

  /** @throws LogContentError if it is not the next record */
  take(record: StoredRecord): void {
    const { expected } = this;
    if (!expected) throw new LogContentError(`continues after its end with ${placeText(record)}`);
    const { partition, offset } = record;
    if (partition !== expected.partition || offset !== expected.offset) {
      throw new LogContentError(
        `has a hole: ${placeText(expected)} is missing, ${placeText(record)} follows instead`,
      );
    }
    if (offset === 0) this.assertOpens(record);
    this.heads[partition] = this.chain(this.heads[partition]!, record);
    this.count += 1;
    this.expected = this.behind(expected);
  }

  /** @throws LogContentError if records are missing at the end */
  finish(): LogSummary {
    if (this.expected) throw new LogContentError(`has a hole: ${placeText(this.expected)} is missing`);
    return { ...this.extent, records: this.count, heads: this.heads };
  }

  private behind({ partition, offset }: Position): Position | undefined {
    const { ends } = this.extent;
    if (offset + 1 < ends[partition]!) return { partition, offset: offset + 1 };
    return partition + 1 < ends.length ? { partition: partition + 1, offset: 0 } : undefined;
  }

  private assertOpens(record: StoredRecord): void {
    const opened = openingOf(record);
    const { logId, ends } = this.extent;
    if (opened?.logId === logId && opened.partitions === ends.length) return;
    throw new LogContentError(
      `does not begin with its identity: ${placeText(record)} must be the opening of log ${logId} with ${ends.length} partitions`,
    );
  }
}

/** The log identity in a record, if it is the first of a partition; undefined for any other record. */
export function openingOf({
  value,
}: Pick<StoredRecord, 'value'>): { logId: string; partitions: number } | undefined {
  try {
    const { payload } = decodeIntake(value);
    return payload.type === 'LogOpened' ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** A position in words. */
export const placeText = ({ partition, offset }: Position): string =>
  `partition ${partition}, offset ${offset}`;
