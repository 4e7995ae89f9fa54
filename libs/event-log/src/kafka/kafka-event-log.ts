import type { Kafka } from 'kafkajs';
import { AppendState } from '../append-state.ts';
import {
  type BatchHandler,
  type ConsumeOptions,
  type Consumer,
  type EventLog,
  LogBusyError,
  type LogRecord,
  LogUnavailableError,
  type Position,
  type Publisher,
  type StoredRecord,
} from '../event-log.ts';
import { assertPartition, assertTrimmable, placeOf } from '../partitions.ts';
import { AppendLane } from './append-lane.ts';
import { available, unavailable, unavailableOrFenced } from './client-error.ts';
import { connectKafka, type KafkaConnectionOptions } from './connect-kafka.ts';
import { KafkaConsumer } from './kafka-consumer.ts';
import { KafkaPublisher } from './kafka-publisher.ts';
import { CompressionTypes } from './kafkajs.ts';
import { ProducerPool } from './producer-pool.ts';
import { readRange } from './read-range.ts';
import type { OnStored, SendSettings } from './send-batch.ts';
import { sizeOf } from './to-message.ts';
import { TopicCluster } from './topic-cluster.ts';
import { trimTopic } from './trim-topic.ts';

export interface KafkaEventLogOptions extends KafkaConnectionOptions {
  /** LOG_PARTITIONS, the same for every process and for the life of the log; what `openTopics` verified. */
  partitions: number;
  /** Of batches; kafkajs reads these two. Default: none. */
  compression?: 'gzip' | 'none';
  /** Receives transient problems that should be logged: a group left and joined again. */
  onTrouble?: (error: Error) => void;
  /** Called with the first of several failed appends, and with null when they succeed again. */
  onAppendsFailing?: (failure: Error | null) => void;
  /** Called for each batch that is stored: by it a process compares its clock with the brokers'. */
  onStored?: OnStored;
}

/** How long a failed append counts: Kafka has no way to try one without storing it. */
const FAILURE_MS = 5_000;
/** Limit of waiting records over all partitions; further calls are rejected, so that memory stays bounded. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;

/** The event log in Apache Kafka (R-LOG-7); its topics are made by `openTopics`. */
export class KafkaEventLog implements EventLog {
  readonly partitions: number;
  private readonly kafka: Kafka;
  private readonly settings: SendSettings;
  private readonly producers: ProducerPool;
  private readonly lanes = new Map<string, AppendLane>();
  private readonly consumers = new Set<KafkaConsumer>();
  private readonly publishers = new Set<KafkaPublisher>();
  /** By topic: kafkajs answers nothing of any topic of a cluster while one of them was deleted or is not permitted. */
  private readonly readers = new Map<string, Promise<TopicCluster>>();
  private readonly appends: AppendState;
  private waitingBytes = 0;
  private closed: Promise<void> | undefined;

  constructor(private readonly options: KafkaEventLogOptions) {
    this.partitions = options.partitions;
    this.kafka = connectKafka(options);
    this.appends = new AppendState(options.onAppendsFailing);
    this.settings = {
      compression: options.compression === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None,
      ...(options.onStored && { onStored: options.onStored }),
    };
    this.producers = new ProducerPool(this.kafka);
  }

  /**
   * As the port says. A record must fit one batch of `max.message.bytes`, 4 MB.
   * @throws RangeError for a larger one, or a partition that there is not; nothing of the call is stored then
   */
  async append(topic: string, records: (LogRecord & { partition?: number })[]): Promise<Position[]> {
    this.assertOpen();
    const places = records.map((record) => placeOf(record, this.partitions));
    const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
    if (this.waitingBytes > 0 && this.waitingBytes + bytes > WAITING_BYTES_MAX) {
      throw new LogBusyError('the log is busy: too many records wait to be appended');
    }
    this.waitingBytes += bytes;
    try {
      return await this.appends.watch(this.appendPlaced(topic, records, places));
    } finally {
      this.waitingBytes -= bytes;
    }
  }

  async assertAppendable(): Promise<void> {
    const { lastFailure, failedAgoMs } = this.appends;
    if (lastFailure && failedAgoMs < FAILURE_MS) throw lastFailure;
  }

  async consume(
    topic: string,
    group: string,
    handler: BatchHandler,
    options: ConsumeOptions = {},
  ): Promise<Consumer> {
    this.assertOpen();
    const joining = KafkaConsumer.join({
      ...options,
      kafka: this.kafka,
      topic,
      group,
      partitions: this.partitions,
      handler,
      onTrouble: (error) => this.options.onTrouble?.(error),
    });
    const consumer = await available(joining);
    this.consumers.add(consumer);
    void consumer.stopped.then(() => this.consumers.delete(consumer));
    return consumer;
  }

  async publisher(topic: string, partition: number, name: string): Promise<Publisher> {
    this.assertOpen();
    assertPartition(partition, this.partitions);
    const { kafka, settings } = this;
    try {
      const publisher = await KafkaPublisher.open({ kafka, topic, partition, name, settings });
      this.publishers.add(publisher);
      void publisher.closed.then(() => this.publishers.delete(publisher));
      return publisher;
    } catch (error) {
      throw unavailableOrFenced(error, `publisher ${name} of ${topic}/${partition}`);
    }
  }

  read(topic: string, partition: number, from: number, to: number): AsyncIterable<StoredRecord[]> {
    const ends = this.ends(topic);
    // It is awaited when the reading begins, which may be never.
    ends.catch(() => undefined);
    return this.readUpTo(topic, partition, from, to, ends);
  }

  ends(topic: string): Promise<number[]> {
    return this.offsetsOf(topic, 'end');
  }

  starts(topic: string): Promise<number[]> {
    return this.offsetsOf(topic, 'first');
  }

  async trim(topic: string, partition: number, before: number): Promise<void> {
    assertPartition(partition, this.partitions);
    const [starts, ends] = [await this.starts(topic), await this.ends(topic)];
    assertTrimmable(before, ends[partition]!);
    if (before > starts[partition]!) await trimTopic(this.kafka, topic, partition, before);
  }

  close(): Promise<void> {
    this.closed ??= this.closeAll();
    return this.closed;
  }

  private async appendPlaced(topic: string, records: LogRecord[], places: number[]): Promise<Position[]> {
    const indexes = indexesByPlace(places);
    const positions = new Array<Position>(records.length);
    const appends = [...indexes].map(async ([partition, own]) => {
      const lane = this.laneOf(topic, partition);
      const offsets = await lane.append(own.map((index) => records[index]!));
      own.forEach((index, i) => {
        positions[index] = { partition, offset: offsets[i]! };
      });
    });
    // Nothing of the call may still be on its way when the caller gets the failure.
    const failed = (await Promise.allSettled(appends)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    return positions;
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
    yield* readRange(await this.readerOf(topic), { topic, partition, from, to: end });
  }

  private async offsetsOf(topic: string, which: 'first' | 'end'): Promise<number[]> {
    const partitions = Array.from({ length: this.partitions }, (_, partition) => partition);
    const cluster = await this.readerOf(topic);
    const offsets = await available(cluster.withRetry(() => cluster.offsetsOf(topic, partitions, which)));
    return partitions.map((partition) => offsets.get(partition)!);
  }

  private async closeAll(): Promise<void> {
    await Promise.all([...this.consumers].map((consumer) => consumer.stop()));
    await Promise.all([...this.lanes.values()].map((lane) => lane.idle()));
    await Promise.all([...this.publishers].map((publisher) => publisher.close()));
    await this.producers.close();
    const readers = await Promise.allSettled(this.readers.values());
    await Promise.all(readers.map((reader) => reader.status === 'fulfilled' && reader.value.close()));
  }

  /** One for all reads of a topic; if it could not be connected the next one tries again. */
  private async readerOf(topic: string): Promise<TopicCluster> {
    this.assertOpen();
    const reader = this.readers.get(topic) ?? TopicCluster.connect(this.kafka, 'posture-reader');
    this.readers.set(topic, reader);
    try {
      return await reader;
    } catch (error) {
      this.readers.delete(topic);
      throw unavailable(error);
    }
  }

  private laneOf(topic: string, partition: number): AppendLane {
    const name = `${topic}/${partition}`;
    const lane = this.lanes.get(name) ?? new AppendLane(this.producers, topic, partition, this.settings);
    this.lanes.set(name, lane);
    return lane;
  }

  private assertOpen(): void {
    if (this.closed !== undefined) throw new LogUnavailableError('the log is closed');
  }
}

function indexesByPlace(places: number[]): Map<number, number[]> {
  const indexes = new Map<number, number[]>();
  for (const [index, place] of places.entries()) {
    const own = indexes.get(place);
    if (own) own.push(index);
    else indexes.set(place, [index]);
  }
  return indexes;
}
