import type { Kafka, Producer } from 'kafkajs';
import { givenPartition } from './to-message.ts';

/** A lane takes a producer while it has something to send; idle ones beyond this are closed. */
const IDLE_PRODUCERS_MAX = 16;

/** Connected idempotent producers, each used by one lane at a time. */
export class ProducerPool {
  private readonly idle: Producer[] = [];
  private isClosed = false;

  constructor(private readonly kafka: Kafka) {}

  async take(): Promise<Producer> {
    return this.idle.pop() ?? this.connect();
  }

  async giveBack(producer: Producer): Promise<void> {
    if (this.isClosed || this.idle.length >= IDLE_PRODUCERS_MAX) await this.discard(producer);
    else this.idle.push(producer);
  }

  /**
   * For a producer whose `send` was rejected: its sequence numbers may differ from the broker's, and its next `send`
   * could be acknowledged without being stored.
   */
  async discard(producer: Producer): Promise<void> {
    await producer.disconnect().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.idle.splice(0).map((producer) => this.discard(producer)));
  }

  private async connect(): Promise<Producer> {
    const producer = this.kafka.producer({
      // Within one `send` kafkajs sends again after a lost reply; the broker then knows the batch.
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: givenPartition,
    });
    try {
      await producer.connect();
      return producer;
    } catch (error) {
      await this.discard(producer);
      throw error;
    }
  }
}
