import type { EventLog, StoredRecord } from '#libs/event-log';
import type { RecordSealer } from './record-sealer.ts';

/** The sealed log as a log that can be read, before it is stored. */
export class SealedView implements Pick<EventLog, 'read'> {
  constructor(
    /** Records of a partition of the old log. */
    private readonly records: (partition: number) => AsyncIterable<StoredRecord[]>,
    private readonly sealer: RecordSealer,
  ) {}

  async *read(_: string, partition: number, from: number, to: number): AsyncGenerator<StoredRecord[]> {
    for await (const batch of this.records(partition)) {
      const sealed = batch.filter(({ offset }) => offset >= from && offset < to).map(this.sealer.seal);
      if (sealed.length > 0) yield sealed;
      if (batch.at(-1)!.offset >= to - 1) return;
    }
  }
}
