import type { EventLog, StoredRecord } from '#libs/event-log';
import type { RecordPlacer } from './record-placer.ts';

/** The partitions of the new log that come from one of the old one, readable before they are stored. */
export class RepartitionedLog implements Pick<EventLog, 'read'> {
  constructor(
    /** All records of the old partition. */
    private readonly records: () => AsyncIterable<StoredRecord[]>,
    private readonly placerOf: (partition: number) => RecordPlacer,
  ) {}

  /** Places from the beginning at each call: the ordinals of an upload follow from earlier records. */
  async *read(_: string, partition: number, from: number, to: number): AsyncGenerator<StoredRecord[]> {
    const { place } = this.placerOf(partition);
    for await (const batch of this.records()) {
      const placed = batch.flatMap((record) => place(record) ?? []);
      const wanted = placed.filter(({ offset }) => offset >= from && offset < to);
      if (wanted.length > 0) yield wanted;
      if (placed.length > 0 && placed.at(-1)!.offset >= to - 1) return;
    }
  }
}
