import type { BatchBounds } from '../delivery/batch-bounds.ts';
import type { PartitionSource } from '../delivery/partition-delivery.ts';
import { WakeUp } from '../delivery/wake-up.ts';
import type { AboveEndError, StoredRecord } from '../event-log.ts';
import { committedRecords, type FetchedPartition } from './committed-records.ts';
import { FETCH_BYTES_MAX, FETCH_BYTES_MIN } from './limits.ts';
import { takeBatch } from './take-batch.ts';
import type { FetchRequest } from './topic-cluster.ts';

/** The next fetch of a partition starts when less than this is buffered: no records are read ahead without limit. */
const AHEAD_BYTES_MAX = 512 * 1024;
const AHEAD_RECORDS_MAX = 2_000;

/** The records of one partition between the fetches, which fill it, and the handler's batches, which it gives out. */
export class PartitionFeed implements PartitionSource {
  private records: StoredRecord[] = [];
  private taken = 0;
  private aheadBytes = 0;
  private fetchFrom: number | undefined;
  private fetchBytes = FETCH_BYTES_MIN;
  private notBefore = 0;
  /** For which `take` has thrown that the log ends before it. */
  private aboveEnd: number | undefined;
  private failure: Error | undefined;
  private isClosed = false;
  private readonly news = new WakeUp();

  /**
   * @param onHungry called when there is something to fetch
   */
  constructor(
    readonly partition: number,
    private readonly onHungry: () => void,
  ) {}

  /** Continues reading from there, also after a failure; records that were fetched, or are in flight, are dropped. */
  seek(offset: number): void {
    this.failure = undefined;
    this.records = [];
    this.taken = 0;
    this.aheadBytes = 0;
    this.fetchFrom = offset;
    this.fetchBytes = FETCH_BYTES_MIN;
    this.notBefore = 0;
    this.onHungry();
  }

  /** What to fetch next, if anything. */
  request(): FetchRequest | undefined {
    if (this.fetchFrom === undefined || this.isOver || this.isFull) return undefined;
    if (performance.now() < this.notBefore) return undefined;
    return { partition: this.partition, from: this.fetchFrom, bytesMax: this.fetchBytes };
  }

  /** Whether it wants nothing yet, but may at any moment. */
  get wantsSoon(): boolean {
    return !this.isOver && (this.fetchFrom === undefined || this.isFull);
  }

  private get isOver(): boolean {
    return this.isClosed || this.failure !== undefined;
  }

  private get isFull(): boolean {
    return this.aheadBytes >= AHEAD_BYTES_MAX || this.records.length - this.taken >= AHEAD_RECORDS_MAX;
  }

  /** Takes the answer to a request, unless a seek came between. */
  accept({ from }: FetchRequest, fetched: FetchedPartition): void {
    if (from !== this.fetchFrom) return;
    const { records, next } = committedRecords(fetched, from);
    const isBarren = next === from && from < Number(fetched.lastStableOffset);
    this.fetchBytes = isBarren ? Math.min(2 * this.fetchBytes, FETCH_BYTES_MAX) : FETCH_BYTES_MIN;
    this.fetchFrom = next;
    this.records = [...this.records.slice(this.taken), ...records];
    this.taken = 0;
    for (const { value } of records) this.aheadBytes += value.length;
    if (records.length > 0) this.news.ring();
  }

  /** Nothing is fetched for so long, unless a seek comes. */
  pause({ from }: FetchRequest, delayMs: number): void {
    if (from === this.fetchFrom) this.notBefore = performance.now() + delayMs;
  }

  /** `take` throws after the records that were fetched before, unless a seek comes. */
  fail({ from }: FetchRequest, error: Error): void {
    if (from !== this.fetchFrom) return;
    this.failure ??= error;
    this.news.ring();
  }

  /** `take` throws the first time, so that the handler says where to continue; then the offset is waited for. */
  waitAboveEnd(request: FetchRequest, error: AboveEndError, delayMs: number): void {
    const hasThrown = this.aboveEnd === request.from;
    if (request.from === this.fetchFrom) this.aboveEnd = request.from;
    if (hasThrown) this.pause(request, delayMs);
    else this.fail(request, error);
  }

  close(): void {
    this.isClosed = true;
    this.records = [];
    this.news.ring();
  }

  async ready(): Promise<void> {
    while (!this.isOver && this.taken === this.records.length) await this.news.wait();
  }

  /** The next records within the bounds, as soon as there are any; none when the feed is closed. */
  async take(bounds: BatchBounds): Promise<StoredRecord[]> {
    await this.ready();
    if (this.isClosed) return [];
    if (this.failure && this.taken === this.records.length) throw this.failure;
    const batch = takeBatch(this.records, bounds, this.taken);
    this.taken += batch.length;
    for (const { value } of batch) this.aheadBytes -= value.length;
    this.onHungry();
    return batch;
  }
}
