import type { Kafka } from 'kafkajs';
import { available } from './client-error.ts';

/**
 * Removes the records of a partition below an offset, from every replica.
 * @throws LogUnavailableError
 */
export async function trimTopic(
  kafka: Kafka,
  topic: string,
  partition: number,
  before: number,
): Promise<void> {
  const admin = kafka.admin();
  try {
    await available(admin.connect());
    // kafkajs deletes only from topics whose leaders it knows.
    await available(admin.fetchTopicOffsets(topic));
    await available(admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: `${before}` }] }));
  } finally {
    await admin.disconnect().catch(() => undefined);
  }
}
