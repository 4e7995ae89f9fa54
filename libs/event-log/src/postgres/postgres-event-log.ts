import { type Database, openDatabase } from '#libs/database';
import { AppendState } from '../append-state.ts';
import { DEFAULT_BOUNDS } from '../delivery/batch-bounds.ts';
import {
  type BatchHandler,
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  type LogRecord,
  LogUnavailableError,
  type Position,
  type Publisher,
  type StoredRecord,
} from '../event-log.ts';
import { assertPartition, assertTrimmable, placeOf } from '../partitions.ts';
import { AppendLane } from './append-lane.ts';
import { assertRoom } from './assert-room.ts';
import { asLogError } from './log-error.ts';
import { PostgresConsumer } from './postgres-consumer.ts';
import { PostgresPublisher } from './postgres-publisher.ts';
import { readPresent } from './read-present.ts';
import { readEnds, readStart } from './read-records.ts';
import { trimRecords } from './trim-records.ts';

export interface PostgresEventLogOptions {
  /** A migrated database. */
  url: string;
  /** LOG_PARTITIONS, the same for every process and for the life of the log. */
  partitions: number;
  /** Receives transient problems that should be logged: a lost connection, a group left and joined again. */
  onTrouble?: (error: Error) => void;
  /** Called with the first of several failed appends, and with null when they succeed again. */
  onAppendsFailing?: (failure: Error | null) => void;
}

/** Appends hold one connection a topic, reads are short: neither waits for the other. */
const WRITE_CONNECTIONS_MAX = 3;
const READ_CONNECTIONS_MAX = 4;

/** All statements are short. One that a lost server never answers would keep all appends of its topic waiting. */
const ANSWER_MS_MAX = 15_000;

/** The event log in PostgreSQL: one machine, one table, the semantics of the port. */
export class PostgresEventLog implements EventLog {
  readonly partitions: number;
  private readonly writes: Database;
  private readonly reads: Database;
  private readonly lanes = new Map<string, AppendLane>();
  private readonly consumers = new Set<Consumer>();
  private readonly appends: AppendState;
  private probing: Promise<void> | undefined;
  private closed: Promise<void> | undefined;

  constructor(private readonly options: PostgresEventLogOptions) {
    const { url, partitions, onTrouble } = options;
    this.partitions = partitions;
    this.appends = new AppendState(options.onAppendsFailing);
    // A setting of the server or the user must not make an acknowledged record less than durable.
    const sessionSettings = { synchronous_commit: 'on' };
    this.writes = openDatabase(url, {
      max: WRITE_CONNECTIONS_MAX,
      answerTimeoutMs: ANSWER_MS_MAX,
      sessionSettings,
      ...(onTrouble && { onConnectionLost: onTrouble }),
    });
    this.reads = openDatabase(url, {
      max: READ_CONNECTIONS_MAX,
      answerTimeoutMs: ANSWER_MS_MAX,
      ...(onTrouble && { onConnectionLost: onTrouble }),
    });
  }

  async append(topic: string, records: (LogRecord & { partition?: number })[]): Promise<Position[]> {
    this.assertOpen();
    if (records.length === 0) return [];
    const placed = records.map((record) => ({ ...record, partition: placeOf(record, this.partitions) }));
    return this.appends.watch(this.laneOf(topic).append(placed));
  }

  async assertAppendable(): Promise<void> {
    this.assertOpen();
    if (this.appends.lastFailure === null) return;
    this.probing ??= available(assertRoom(this.writes.pool)).finally(() => {
      this.probing = undefined;
    });
    await this.probing;
    this.appends.succeeded();
  }

  async consume(
    topic: string,
    group: string,
    handler: BatchHandler,
    options: ConsumeOptions = {},
  ): Promise<Consumer> {
    this.assertOpen();
    const consumer = await available(
      PostgresConsumer.join({
        ...options,
        url: this.options.url,
        topic,
        group,
        partitions: this.partitions,
        handler,
        read: (partition, from, bounds) =>
          readPresent(this.reads.pool, { topic, partition, from, to: Number.MAX_SAFE_INTEGER }, bounds),
        onTrouble: (error) => this.options.onTrouble?.(error),
      }),
    );
    this.consumers.add(consumer);
    return consumer;
  }

  async publisher(topic: string, partition: number, name: string): Promise<Publisher> {
    this.assertOpen();
    assertPartition(partition, this.partitions);
    return available(PostgresPublisher.open(this.writes.pool, topic, partition, name));
  }

  read(topic: string, partition: number, from: number, to: number): AsyncIterable<StoredRecord[]> {
    const ends = this.ends(topic);
    // It is awaited when the reading begins, which may be never.
    ends.catch(() => undefined);
    return this.readUpTo(topic, partition, from, to, ends);
  }

  async ends(topic: string): Promise<number[]> {
    this.assertOpen();
    const ends = await available(readEnds(this.reads.pool, topic));
    return Array.from({ length: this.partitions }, (_, partition) => ends.get(partition) ?? 0);
  }

  async starts(topic: string): Promise<number[]> {
    this.assertOpen();
    const starts: number[] = [];
    for (let partition = 0; partition < this.partitions; partition++) {
      starts.push(await available(readStart(this.reads.pool, topic, partition)));
    }
    return starts;
  }

  async trim(topic: string, partition: number, before: number): Promise<void> {
    assertPartition(partition, this.partitions);
    assertTrimmable(before, (await this.ends(topic))[partition]!);
    const first = await available(readStart(this.reads.pool, topic, partition));
    await available(trimRecords(this.writes.pool, topic, partition, first, before));
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async *readUpTo(
    topic: string,
    partition: number,
    from: number,
    to: number,
    ends: Promise<number[]>,
  ): AsyncGenerator<StoredRecord[]> {
    assertPartition(partition, this.partitions);
    const end = Math.min(to, (await ends)[partition]!);
    let next = from;
    while (next < end) {
      const range = { topic, partition, from: next, to: end };
      const records = await available(readPresent(this.reads.pool, range, DEFAULT_BOUNDS));
      if (records.length === 0) return;
      yield records;
      next = records.at(-1)!.offset + 1;
    }
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    await Promise.all([...this.lanes.values()].map((lane) => lane.idle()));
    await Promise.all([this.writes.close(), this.reads.close()]);
  }

  private laneOf(topic: string): AppendLane {
    const lane = this.lanes.get(topic) ?? new AppendLane(this.writes.pool, topic);
    this.lanes.set(topic, lane);
    return lane;
  }

  private assertOpen(): void {
    if (this.closed !== undefined) throw new LogUnavailableError('the log is closed');
  }
}

async function available<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asLogError(error);
  }
}
