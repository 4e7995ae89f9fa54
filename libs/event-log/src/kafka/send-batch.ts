import type { CompressionTypes, Message, RecordMetadata } from 'kafkajs';

/** A producer, or one of its transactions. */
export interface Sender {
  send(request: {
    topic: string;
    messages: Message[];
    acks: number;
    timeout: number;
    compression: CompressionTypes;
  }): Promise<RecordMetadata[]>;
}

/**
 * Called when a broker has stored a batch, by its own clock.
 * @param storedAt epoch milliseconds, by the leader of the partition
 * @param tookMs from sending to the acknowledgement
 */
export type OnStored = (partition: number, storedAt: number, tookMs: number) => void;

/** How records are sent. */
export interface SendSettings {
  compression: CompressionTypes;
  onStored?: OnStored;
}

/** All replicas in sync have it before it is acknowledged. */
const ACKS_ALL = -1;
const BROKER_TIMEOUT_MS = 10_000;

/**
 * Stores the messages, all of one partition, and answers the offset of the first; the others follow it without a gap.
 * @throws Error if the reply does not say so: kafkajs resolves a `send` that found no leader to send to
 */
export async function sendBatch(
  sender: Sender,
  topic: string,
  partition: number,
  messages: Message[],
  { compression, onStored }: SendSettings,
): Promise<number> {
  const request = { topic, messages, acks: ACKS_ALL, timeout: BROKER_TIMEOUT_MS, compression };
  const sentAt = performance.now();
  const replies = await sender.send(request);
  const reply = replies.find((one) => one?.topicName === topic && one.partition === partition);
  const offset = Number(reply?.baseOffset);
  if (replies.length !== 1 || reply?.errorCode !== 0 || !Number.isSafeInteger(offset) || offset < 0) {
    throw new Error(`the reply does not confirm the records of ${topic}/${partition}`);
  }
  const storedAt = Number(reply.logAppendTime);
  if (storedAt > 0) onStored?.(partition, storedAt, performance.now() - sentAt);
  return offset;
}
