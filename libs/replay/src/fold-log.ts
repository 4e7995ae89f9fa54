import pLimit from 'p-limit';
import type { Database } from '#libs/database';
import type { EventLog, StoredRecord } from '#libs/event-log';
import { INTAKE_TOPIC } from '#libs/intake';
import { LogHoleError, Projection } from '#libs/projection';

const PARTITIONS_AT_ONCE = 4;

export interface LogFoldOptions {
  /** Partition → the offset at which its tables stand, where they hold a checkpoint already. */
  from?: readonly number[] | undefined;
  /** Told the records of a partition, in order and each once, before they are folded. */
  onRead?: (records: StoredRecord[]) => void;
}

/** Folds a log into the tables of a database, partition by partition, from where they stand. */
export class LogFold {
  private readonly projection: Projection;
  private readonly slots = pLimit(PARTITIONS_AT_ONCE);
  private readonly positions = new Map<number, number>();
  private readonly from: readonly number[];
  private readonly onRead: (records: StoredRecord[]) => void;

  constructor(
    database: Database,
    private readonly log: EventLog,
    { from = [], onRead = () => {} }: LogFoldOptions = {},
  ) {
    this.projection = new Projection(database.db);
    this.from = from;
    this.onRead = onRead;
  }

  /** Records folded so far, over all partitions, without those before `from`. */
  get folded(): number {
    return [...this.positions].reduce(
      (sum, [partition, position]) => sum + position - (this.from[partition] ?? 0),
      0,
    );
  }

  /** @param ends partition → the offset to stop before */
  async allTo(ends: readonly number[], onFolded: (records: number) => void = () => {}): Promise<void> {
    await Promise.all(
      ends.map((end, partition) => this.slots(() => this.to(partition, end, () => onFolded(this.folded)))),
    );
  }

  /**
   * Folds one partition up to an offset, exactly.
   * @throws LogHoleError, UnknownSchemaError: nothing is folded past them
   */
  async to(partition: number, end: number, onFolded: () => void = () => {}): Promise<void> {
    // A partition that was never folded has no row.
    if (end === 0) return;
    let next = this.positions.get(partition) ?? (await this.projection.open(partition));
    for await (const records of this.log.read(INTAKE_TOPIC, partition, next, end)) {
      this.onRead(records);
      const readTo = records.at(-1)!.offset + 1;
      while (next < readTo) {
        next = await this.projection.project(records.filter(({ offset }) => offset >= next));
        this.positions.set(partition, next);
        onFolded();
      }
    }
    if (next >= end) return;
    throw new LogHoleError(
      `partition ${partition} ends at offset ${next}, but ${end} is known: records are missing from the log`,
    );
  }
}
