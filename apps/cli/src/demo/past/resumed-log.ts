import { partitionOf } from '#libs/contracts';
import type { EventLog, LogRecord, StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';

/** What the log has is not the beginning of what is written. */
export class OtherLogError extends Error {
  override name = 'OtherLogError';
}

/** Takes records in the order in which they are to be on the log. */
export interface PastSink {
  readonly partitions: number;
  append(records: readonly LogRecord[]): Promise<void>;
}

/** Of the identity of the log, at its beginning. */
const OPENINGS = 1;

/**
 * Appends to a log that an interrupted run may have begun: records that are there are compared, and only the rest is
 * appended. The same records give the same log, however often it was interrupted.
 */
export class ResumedLog implements PastSink {
  private readonly known: (AsyncIterator<StoredRecord> | null)[] = [];
  private appended = 0;

  private constructor(
    private readonly log: EventLog,
    private readonly ends: readonly number[],
    private readonly mayAppend: boolean,
  ) {
    this.known = ends.map((end, partition) =>
      end > OPENINGS ? eachOf(log.read(INTAKE_TOPIC, partition, OPENINGS, end)) : null,
    );
  }

  /** @param mayAppend false: the log must be complete @throws LogUnavailableError */
  static async open(log: EventLog, { mayAppend }: { mayAppend: boolean }): Promise<ResumedLog> {
    return new ResumedLog(log, await log.ends(INTAKE_TOPIC), mayAppend);
  }

  get partitions(): number {
    return this.log.partitions;
  }

  /** Whether everything was on the log. */
  get isUnchanged(): boolean {
    return this.appended === 0;
  }

  /** @throws OtherLogError; then nothing of the call is appended */
  async append(records: readonly LogRecord[]): Promise<void> {
    const missing: LogRecord[] = [];
    for (const record of records) {
      const stored = await this.nextOf(partitionOf(record.key, this.partitions));
      if (stored === null) missing.push(record);
      else if (stored.key !== record.key || !stored.value.equals(record.value)) throw new OtherLogError();
    }
    if (missing.length === 0) return;
    if (!this.mayAppend) throw new OtherLogError();
    await this.log.append(INTAKE_TOPIC, missing);
    this.appended += missing.length;
  }

  /** Of an unstarted site: nothing but these records is on the log. @throws OtherLogError */
  async finish(): Promise<void> {
    for (const [partition] of this.ends.entries()) {
      if (this.mayAppend && (await this.nextOf(partition)) !== null) throw new OtherLogError();
    }
    await Promise.all(this.known.map((records) => records?.return?.()));
  }

  private async nextOf(partition: number): Promise<StoredRecord | null> {
    const next = await this.known[partition]?.next();
    if (next !== undefined && !next.done) return next.value;
    this.known[partition] = null;
    return null;
  }
}

async function* eachOf(batches: AsyncIterable<StoredRecord[]>): AsyncGenerator<StoredRecord> {
  for await (const batch of batches) yield* batch;
}
