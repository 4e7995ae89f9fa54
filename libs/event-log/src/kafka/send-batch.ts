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

/** All replicas in sync have it before it is acknowledged. */
const ACKS_ALL = -1;
const BROKER_TIMEOUT_MS = 10_000;

/**
 * Stores the messages, all of one partition, and answers the offset of the first; the others follow it without a gap.
 * @throws Error where the reply does not say so: kafkajs resolves a `send` that found no leader to send to
 */
export async function sendBatch(
  sender: Sender,
  topic: string,
  partition: number,
  messages: Message[],
  compression: CompressionTypes,
): Promise<number> {
  const request = { topic, messages, acks: ACKS_ALL, timeout: BROKER_TIMEOUT_MS, compression };
  const replies = await sender.send(request);
  const reply = replies.find((one) => one?.topicName === topic && one.partition === partition);
  const offset = Number(reply?.baseOffset);
  if (replies.length !== 1 || reply?.errorCode !== 0 || !Number.isSafeInteger(offset) || offset < 0) {
    throw new Error(`the reply does not say that ${topic}/${partition} took the records`);
  }
  return offset;
}
