import { setImmediate } from 'node:timers/promises';
import type { Message, Producer } from 'kafkajs';
import type { LogRecord } from '../event-log.ts';
import { unavailable } from './client-error.ts';
import type { ProducerPool } from './producer-pool.ts';
import { type SendSettings, sendBatch } from './send-batch.ts';
import { fittingCount } from './send-chunks.ts';
import { batchBytesOf, toMessage } from './to-message.ts';

interface Call {
  count: number;
  offsets: number[];
  resolve(offsets: number[]): void;
  reject(error: Error): void;
}

interface Waiting {
  message: Message;
  bytes: number;
  call: Call;
}

/**
 * Appends of one partition: one `send` in flight, and waiting appends are combined in the next one, or in the
 * next few if it is more than a batch may hold.
 */
export class AppendLane {
  private waiting: Waiting[] = [];
  private draining: Promise<void> | undefined;
  private producer: Producer | undefined;

  constructor(
    private readonly pool: ProducerPool,
    private readonly topic: string,
    private readonly partition: number,
    private readonly settings: SendSettings,
  ) {}

  /**
   * Returns the offsets in the order given.
   * @throws LogUnavailableError if any record is not known to be stored; those of the call's first batches may be
   */
  append(records: LogRecord[]): Promise<number[]> {
    return new Promise((resolve, reject) => {
      const call: Call = { count: records.length, offsets: [], resolve, reject };
      for (const record of records) {
        const message = toMessage(record, this.partition);
        this.waiting.push({ message, bytes: batchBytesOf(record), call });
      }
      this.draining ??= this.drain();
    });
  }

  /** Resolves when nothing waits. */
  async idle(): Promise<void> {
    await this.draining;
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      // Callers that the last replies released run first, so that their next calls share a request.
      await setImmediate();
      await this.sendNext(this.takeBatch());
    }
    this.draining = undefined;
    if (this.producer) await this.release(this.producer);
  }

  private async release(producer: Producer): Promise<void> {
    this.producer = undefined;
    await this.pool.giveBack(producer);
  }

  private takeBatch(): Waiting[] {
    const count = fittingCount((index) => this.waiting[index]!.bytes, 0, this.waiting.length);
    return this.waiting.splice(0, count);
  }

  private async sendNext(batch: Waiting[]): Promise<void> {
    try {
      this.producer ??= await this.pool.take();
      const messages = batch.map(({ message }) => message);
      const base = await sendBatch(this.producer, this.topic, this.partition, messages, this.settings);
      acknowledge(batch, base);
    } catch (error) {
      await this.fail(batch, error);
    }
  }

  /** Waiting appends are rejected too, though not sent: they would only fail later, one batch after the other. */
  private async fail(batch: Waiting[], error: unknown): Promise<void> {
    const { producer, waiting } = this;
    this.producer = undefined;
    this.waiting = [];
    if (producer) await this.pool.discard(producer);
    const told = unavailable(error);
    for (const call of new Set([...batch, ...waiting].map(({ call }) => call))) call.reject(told);
  }
}

function acknowledge(batch: Waiting[], base: number): void {
  batch.forEach(({ call }, index) => {
    call.offsets.push(base + index);
    if (call.offsets.length === call.count) call.resolve(call.offsets);
  });
}
