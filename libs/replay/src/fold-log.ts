import pLimit from 'p-limit';
import type { Database } from '#libs/database';
import type { EventLog, StoredRecord } from '#libs/event-log';
import { assertReached } from '#libs/fold';
import { INTAKE_TOPIC } from '#libs/intake';
import { Projection } from '#libs/projection';
import { BulkFold } from './bulk/bulk-fold.ts';

const PARTITIONS_AT_ONCE = 4;
/** Memory of a partition while it is folded in bulk; above it, the fold continues batch by batch. */
const BULK_BYTES_MAX = 128 * 1024 * 1024;

export interface LogFoldOptions {
  /** Partition → the offset of its tables, if they already contain a checkpoint. */
  from?: readonly number[] | undefined;
  /** Memory of a partition while it is folded in bulk; default: 128 MiB. */
  bulkBytesMax?: number;
  /** Receives the records of a partition, in order and each once, before they are folded. */
  onRead?: (records: StoredRecord[]) => void;
}

/**
 * Folds a log into the tables of a database, partition by partition, from their position; in bulk if they contain
 * nothing of a partition.
 */
export class LogFold {
  private readonly projection: Projection;
  private readonly slots = pLimit(PARTITIONS_AT_ONCE);
  private readonly positions = new Map<number, number>();
  private setAsideInBulk = 0;
  private readonly from: readonly number[];
  private readonly onRead: (records: StoredRecord[]) => void;
  private readonly bulkBytesMax: number;

  constructor(
    private readonly database: Database,
    private readonly log: Pick<EventLog, 'read'>,
    { from = [], bulkBytesMax = BULK_BYTES_MAX, onRead = () => {} }: LogFoldOptions = {},
  ) {
    this.projection = new Projection(database.db);
    this.from = from;
    this.onRead = onRead;
    this.bulkBytesMax = bulkBytesMax;
  }

  /** Records folded so far, over all partitions, without those before `from`. */
  get folded(): number {
    return [...this.positions].reduce(
      (sum, [partition, position]) => sum + position - (this.from[partition] ?? 0),
      0,
    );
  }

  /** Events folded so far that a wrong clock had stamped, and that changed nothing. */
  get setAside(): number {
    return this.setAsideInBulk + this.projection.setAside;
  }

  /** @param ends partition → the offset to stop before */
  async allTo(ends: readonly number[], onFolded: (records: number) => void = () => {}): Promise<void> {
    await Promise.all(
      ends.map((end, partition) => this.slots(() => this.to(partition, end, () => onFolded(this.folded)))),
    );
  }

  /**
   * Folds one partition up to an offset, exactly.
   * @throws LogHoleError, UnknownRecordError: nothing is folded past them
   */
  async to(partition: number, end: number, onFolded: () => void = () => {}): Promise<void> {
    // A partition that was never folded has no row.
    if (end === 0) return;
    let next = this.positions.get(partition) ?? (await this.begin(partition, end, onFolded));
    for await (const records of this.log.read(INTAKE_TOPIC, partition, next, end)) {
      this.onRead(records);
      const readTo = records.at(-1)!.offset + 1;
      while (next < readTo) {
        next = await this.projection.project(records.filter(({ offset }) => offset >= next));
        this.positions.set(partition, next);
        onFolded();
      }
    }
    assertReached(partition, next, end);
  }

  /** Returns the position from which to continue batch by batch. */
  private async begin(partition: number, end: number, onFolded: () => void): Promise<number> {
    const connection = await this.database.pool.connect();
    try {
      await connection.query('begin');
      await connection.query(
        'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
      );
      const { rows } = await connection.query(
        'select next_offset from projection_positions where partition = $1',
        [partition],
      );
      if (rows.length === 0) {
        await this.inBulk(new BulkFold(connection, partition), partition, end, onFolded);
        await connection.query('commit');
      }
    } finally {
      connection.release(true);
    }
    return this.projection.open(partition);
  }

  private async inBulk(fold: BulkFold, partition: number, end: number, onFolded: () => void): Promise<void> {
    for await (const records of this.log.read(INTAKE_TOPIC, partition, 0, end)) {
      this.onRead(records);
      await fold.take(records);
      this.positions.set(partition, fold.position);
      onFolded();
      if (fold.heldBytes > this.bulkBytesMax) break;
    }
    await fold.finish();
    this.setAsideInBulk += fold.setAside;
  }
}
