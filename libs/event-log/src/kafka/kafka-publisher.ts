import type { Kafka, Producer } from 'kafkajs';
import pLimit from 'p-limit';
import { type LogRecord, LogUnavailableError, type Position, type Publisher } from '../event-log.ts';
import { unavailableOrFenced } from './client-error.ts';
import type { SendSettings } from './send-batch.ts';
import { sendChunks } from './send-chunks.ts';
import { givenPartition, sizeOf } from './to-message.ts';

/** The brokers abort a transaction that a publisher left open; readers wait for that at its first record. */
const TRANSACTION_MS_MAX = 15_000;
/** The broker is done with the last transaction a moment after it says so; kafkajs' own 300 ms would be its price. */
const RETRY = { initialRetryTime: 10, maxRetryTime: 1_000, multiplier: 2, factor: 0.2, retries: 8 };

export interface KafkaPublisherOptions {
  kafka: Kafka;
  topic: string;
  partition: number;
  name: string;
  settings: SendSettings;
}

/**
 * Publishes in transactions under one transactional id for each topic, partition and name. A failed
 * `publish` may have stored all records. The publisher then publishes nothing more, because taking its id again could
 * fence a successor: its owner opens another publisher and reads the end of the partition.
 */
export class KafkaPublisher implements Publisher {
  /** Keeps the order of concurrent calls. */
  private readonly inOrder = pLimit(1);
  private closing: Promise<void> | undefined;
  private resolveClosed = () => {};
  /** Resolves when it is closed. */
  readonly closed = new Promise<void>((resolve) => {
    this.resolveClosed = resolve;
  });
  private failure: Error | undefined;

  private constructor(
    private readonly producer: Producer,
    private readonly options: KafkaPublisherOptions,
  ) {}

  /** Fences those before: their open transactions are aborted. */
  static async open(options: KafkaPublisherOptions): Promise<KafkaPublisher> {
    const { kafka, topic, partition, name } = options;
    const producer = kafka.producer({
      transactionalId: `${topic}-${partition}-${name}`,
      transactionTimeout: TRANSACTION_MS_MAX,
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: givenPartition,
      retry: RETRY,
    });
    try {
      await producer.connect();
      // kafkajs takes the transactional id with the first transaction, not with the connection.
      const transaction = await producer.transaction();
      await transaction.abort();
      return new KafkaPublisher(producer, options);
    } catch (error) {
      await producer.disconnect().catch(() => undefined);
      throw error;
    }
  }

  publish(records: LogRecord[]): Promise<Position[]> {
    return this.inOrder(() => this.publishNext(records));
  }

  close(): Promise<void> {
    this.closing ??= this.disconnect();
    return this.closing;
  }

  private async disconnect(): Promise<void> {
    await this.inOrder(() => undefined);
    await this.producer.disconnect().catch(() => undefined);
    this.resolveClosed();
  }

  private async publishNext(records: LogRecord[]): Promise<Position[]> {
    const { topic, partition, name } = this.options;
    if (this.closing !== undefined)
      throw new Error(`the publisher ${name} of ${topic}/${partition} is closed`);
    if (this.failure) throw this.refusal(this.failure);
    if (records.length === 0) return [];
    // A broker rejects it with an error that says neither which record it is nor that a retry is in vain.
    for (const record of records) sizeOf(record, `the record ${record.key} of ${topic}/${partition}`);
    try {
      return await this.transact(records);
    } catch (error) {
      this.failure = unavailableOrFenced(error, `publisher ${name} of ${topic}/${partition}`);
      throw this.failure;
    }
  }

  private async transact(records: LogRecord[]): Promise<Position[]> {
    const { topic, partition, settings } = this.options;
    const transaction = await this.producer.transaction();
    const offsets = await sendChunks(transaction, topic, partition, records, settings);
    await transaction.commit();
    return offsets.map((offset) => ({ partition, offset }));
  }

  private refusal(failure: Error): Error {
    if (!(failure instanceof LogUnavailableError)) return failure;
    return new LogUnavailableError(`this publisher failed before: ${failure.message}`, { cause: failure });
  }
}
