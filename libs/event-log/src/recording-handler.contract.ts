import type { BatchHandler, StoredRecord } from './event-log.ts';

type Happening =
  | { what: 'assigned'; partition: number }
  | { what: 'revoked'; partition: number }
  | { what: 'batch'; partition: number; offsets: number[] };

/** What the consumers of a group share and what outlives them: positions as a projection has them, and who holds what. */
export interface Group {
  positions: Map<number, number>;
  owners: Map<number, RecordingHandler>;
}

export const newGroup = (positions: [number, number][] = []): Group => ({
  positions: new Map(positions),
  owners: new Map(),
});

/** A consumer's handler that keeps what it was given. */
export class RecordingHandler implements BatchHandler {
  readonly happenings: Happening[] = [];
  readonly records: StoredRecord[] = [];
  readonly batches: StoredRecord[][] = [];
  /** Partitions whose batch is in hand now. */
  readonly busy = new Set<number>();
  /** Set to act on a batch before it is counted; what it answers is where to read next. */
  onBatch: ((records: StoredRecord[]) => Promise<number | undefined> | number | undefined) | undefined;
  /** What the port promises not to do: two owners or two batches of a partition at once, a batch after `revoked`. */
  readonly violations: string[] = [];

  constructor(private readonly group: Group = newGroup()) {}

  get positions(): Map<number, number> {
    return this.group.positions;
  }

  async assigned(partition: number): Promise<number> {
    this.happenings.push({ what: 'assigned', partition });
    if (this.group.owners.has(partition)) this.violations.push(`partition ${partition} has two owners`);
    this.group.owners.set(partition, this);
    return this.positions.get(partition) ?? 0;
  }

  async revoked(partition: number): Promise<void> {
    this.happenings.push({ what: 'revoked', partition });
    if (!this.holds(partition)) this.violations.push(`partition ${partition} was revoked but not held`);
    this.group.owners.delete(partition);
  }

  async batch(records: StoredRecord[]): Promise<number> {
    const { partition } = records[0]!;
    if (!this.holds(partition)) this.violations.push(`a batch of ${partition} came though it is not held`);
    if (this.busy.has(partition)) this.violations.push(`two batches of ${partition} at once`);
    this.busy.add(partition);
    try {
      const seek = await this.onBatch?.(records);
      this.happenings.push({ what: 'batch', partition, offsets: records.map(({ offset }) => offset) });
      this.batches.push(records);
      this.records.push(...records);
      const next = seek ?? records.at(-1)!.offset + 1;
      this.positions.set(partition, next);
      return next;
    } finally {
      this.busy.delete(partition);
    }
  }

  private holds(partition: number): boolean {
    return this.group.owners.get(partition) === this;
  }

  /** Values as text, in the order they came, of one partition or all. */
  texts(partition?: number): string[] {
    return this.records
      .filter((record) => partition === undefined || record.partition === partition)
      .map(({ value }) => value.toString());
  }
}
