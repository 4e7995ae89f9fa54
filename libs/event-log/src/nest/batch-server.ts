import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { BatchHandler, ConsumeOptions, Consumer, EventLog } from '../event-log.ts';
import { BATCH_TRANSPORT, type BatchPatternKind, batchPattern } from './batch-decorators.ts';
import { RetryingHandler } from './retrying-handler.ts';

export interface BatchServerOptions extends Pick<ConsumeOptions, 'batchRecordsMax' | 'batchBytesMax'> {
  /** Name of the consumer group: its members share the partitions. */
  group: string;
  /** Those of the topics of `@OnBatch` that it follows; unset: all, which is correct if no other server runs in the process. */
  topics?: readonly string[];
  /** Called when a handler throws and its partition stops. Unset: the error is logged. */
  onPartitionFailed?: (topic: string, partition: number, error: Error) => void;
  /** Whether an error of a handler is transient. If so, the partition waits and retries. Unset: no error is. */
  isTransient?: (error: Error) => boolean;
}

/** Nest's transport strategy over the event log. */
export class BatchServer extends Server implements CustomTransportStrategy {
  override readonly transportId = BATCH_TRANSPORT;
  private readonly consumers = new Map<string, Consumer>();
  /** By topic, partitions whose handler failed since they were assigned. */
  private readonly failed = new Map<string, Set<number>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly log: EventLog,
    private readonly options: BatchServerOptions,
  ) {
    super();
  }

  /** Calls back when every topic is joined, or with the error that kept one from it. */
  listen(callback: (error?: unknown) => void): void {
    this.joinAll().then(
      () => callback(),
      (error: unknown) => this.close().finally(() => callback(error)),
    );
  }

  /** Waits for the current batches and revokes every partition. */
  async close(): Promise<void> {
    this.stopping.abort();
    const consumers = [...this.consumers.values()];
    this.consumers.clear();
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  }

  /** How many partitions of each topic this member of the group currently owns. */
  get held(): [topic: string, partitions: number][] {
    return [...this.consumers].map(([topic, { assignment }]) => [topic, assignment.length]);
  }

  /**
   * Partitions of each topic that this member owns, and whose handler failed: they are stopped until assigned again.
   */
  get stopped(): [topic: string, partitions: number[]][] {
    return [...this.consumers].map(([topic, { assignment }]) => [
      topic,
      assignment.filter((partition) => this.failed.get(topic)?.has(partition)),
    ]);
  }

  on(): never {
    throw new Error('the event log has no events of its own: see BatchServerOptions.onPartitionFailed');
  }

  unwrap<T>(): T {
    return this.log as T;
  }

  private async joinAll(): Promise<void> {
    for (const topic of this.topics()) {
      const { group, batchRecordsMax, batchBytesMax } = this.options;
      const consumer = await this.log.consume(topic, group, this.handlerOf(topic), {
        ...(batchRecordsMax !== undefined && { batchRecordsMax }),
        ...(batchBytesMax !== undefined && { batchBytesMax }),
        onPartitionFailed: (partition, error) => this.reportFailure(topic, partition, error),
      });
      this.consumers.set(topic, consumer);
    }
  }

  private topics(): string[] {
    const prefix = batchPattern('batch', '');
    const patterns = [...this.messageHandlers.keys()];
    return patterns
      .filter((pattern) => pattern.startsWith(prefix))
      .map((pattern) => pattern.slice(prefix.length))
      .filter((topic) => this.options.topics?.includes(topic) ?? true);
  }

  private handlerOf(topic: string): BatchHandler {
    if (!this.messageHandlers.has(batchPattern('assigned', topic))) {
      throw new Error(
        `${topic} has a method with @OnBatch but no method with @OnAssigned that returns the start offset`,
      );
    }
    const failed = new Set<number>();
    this.failed.set(topic, failed);
    const handler: BatchHandler = {
      assigned: async (partition) => {
        failed.delete(partition);
        return offsetOf(await this.call('assigned', topic, partition));
      },
      batch: async (records) => offsetOf(await this.call('batch', topic, records)),
      revoked: async (partition) => {
        await this.call('revoked', topic, partition);
      },
    };
    return new RetryingHandler(handler, {
      isTransient: this.options.isTransient ?? (() => false),
      onWaiting: (partition, { message }) =>
        this.logger.warn(`partition ${partition} of ${topic}: paused, will retry: ${message}`),
      stopping: this.stopping.signal,
    });
  }

  /** The result of a handler; interceptors make an observable of it, as the filter does of an error. */
  private async call(kind: BatchPatternKind, topic: string, payload: unknown): Promise<unknown> {
    const result: unknown = await this.messageHandlers.get(batchPattern(kind, topic))?.(payload);
    return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
  }

  private reportFailure(topic: string, partition: number, error: Error): void {
    const { onPartitionFailed, isTransient } = this.options;
    // It waited, and the stop ended that.
    if (this.stopping.signal.aborted && isTransient?.(error)) return;
    this.failed.get(topic)!.add(partition);
    if (onPartitionFailed) onPartitionFailed(topic, partition, error);
    else this.logger.error(`partition ${partition} of ${topic}: stopped: ${error.message}`, error.stack);
  }
}

function offsetOf(answer: unknown): number {
  if (!Number.isSafeInteger(answer) || (answer as number) < 0) {
    throw new TypeError(`a handler of the log must return the next offset to read, not ${typeof answer}`);
  }
  return answer as number;
}
