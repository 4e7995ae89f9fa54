import { encodeIntake, partitionOf } from '#libs/contracts';
import { MODEL_OF_NEW_LOGS, ORGANIZATION_KEY } from '#libs/domain';
import { type EventLog, type LogRecord, RecordsGoneError, type StoredRecord } from '#libs/event-log';
import { event, T0 } from './scenario.ts';

export const LOG_ID = '7d3c1c5e-2f0a-4b61-8a57-0d9b8a3f6c21';

/** The first record of every partition, as a new log has it. */
export const opening = (partition: number, partitions: number, logId = LOG_ID): LogRecord => {
  const isOfOrganization = partition === partitionOf(ORGANIZATION_KEY, partitions);
  const entityKey = isOfOrganization ? ORGANIZATION_KEY : `log:${partition}`;
  const scoringModel = isOfOrganization ? MODEL_OF_NEW_LOGS : null;
  const opened = event(
    { type: 'LogOpened', logId, partitions, scoringModel },
    T0,
    { kind: 'system', user: null },
    { entityKey },
  );
  return { key: entityKey, value: encodeIntake(opened) };
};

/** As much of a log as an archive needs, in memory, one topic. */
export class MemoryLog {
  /** By partition; a test may take records out. */
  readonly stored: StoredRecord[][];
  private readonly trimmed = new Map<number, number>();

  constructor(readonly partitions: number) {
    this.stored = Array.from({ length: partitions }, () => []);
  }

  /** With the identity at the beginning of every partition, and the given records after it. */
  static opened(records: LogRecord[][]): MemoryLog {
    const log = new MemoryLog(records.length);
    for (const [partition, own] of records.entries()) {
      for (const record of [opening(partition, records.length), ...own]) log.put(partition, record);
    }
    return log;
  }

  get port(): EventLog {
    return this as unknown as EventLog;
  }

  async append(_topic: string, records: (LogRecord & { partition: number })[]) {
    return records.map((record) => this.put(record.partition, record));
  }

  async ends(): Promise<number[]> {
    return this.stored.map(
      (records, partition) => (records.at(-1)?.offset ?? this.startOf(partition) - 1) + 1,
    );
  }

  async starts(): Promise<number[]> {
    return this.stored.map((_, partition) => this.startOf(partition));
  }

  async trim(_topic: string, partition: number, before: number): Promise<void> {
    const records = this.stored[partition]!;
    this.stored[partition] = records.filter(({ offset }) => offset >= before);
    this.trimmed.set(partition, Math.max(before, this.startOf(partition)));
  }

  async *read(_topic: string, partition: number, from: number, to: number): AsyncGenerator<StoredRecord[]> {
    if (from < Math.min(this.startOf(partition), to)) {
      throw new RecordsGoneError(
        `partition ${partition} begins at ${this.startOf(partition)}, but offset ${from} was requested`,
      );
    }
    const records = this.stored[partition]!.filter(({ offset }) => offset >= from && offset < to);
    for (let at = 0; at < records.length; at += 3) yield records.slice(at, at + 3);
  }

  private startOf(partition: number): number {
    return this.trimmed.get(partition) ?? 0;
  }

  private put(partition: number, { key, value, headers = {} }: LogRecord) {
    const offset = (this.stored[partition]!.at(-1)?.offset ?? this.startOf(partition) - 1) + 1;
    this.stored[partition]!.push({ partition, offset, key, value, headers, storedAt: T0 + offset });
    return { partition, offset };
  }
}
