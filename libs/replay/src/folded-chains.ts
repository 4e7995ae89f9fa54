import type { StoredRecord } from '#libs/event-log';
import { CHAIN_START, chainAfter } from '#libs/intake';
import type { CheckpointPosition } from '#libs/log-archive';

/** The chain of each partition over the records that were read. */
export class FoldedChains {
  readonly positions: CheckpointPosition[];

  /** @param from the first position; offset 0 of each partition if omitted */
  constructor(partitions: number, from?: readonly CheckpointPosition[]) {
    this.positions = Array.from(
      { length: partitions },
      (_, partition) => from?.[partition] ?? { next: 0, before: CHAIN_START, head: CHAIN_START },
    );
  }

  /** Records of one partition, in order and each once; records after a gap are ignored. */
  readonly take = (records: StoredRecord[]): void => {
    for (const record of records) {
      const { next, head } = this.positions[record.partition]!;
      if (record.offset !== next) return;
      this.positions[record.partition] = { next: next + 1, before: head, head: chainAfter(head, record) };
    }
  };
}
