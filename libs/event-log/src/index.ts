export * from './event-log.ts';
export * from './find-shortfall.ts';
export type { KafkaClientLog, KafkaConnectionOptions } from './kafka/connect-kafka.ts';
export { KafkaEventLog, type KafkaEventLogOptions } from './kafka/kafka-event-log.ts';
export type { OnStored } from './kafka/send-batch.ts';
export {
  openTopics,
  TOPICS,
  type Topic,
  TopicsError,
  type TopicsOptions,
  verifyTopics,
} from './kafka/topics.ts';
export * from './nest/batch-decorators.ts';
export * from './nest/batch-server.ts';
export * from './partitions.ts';
export { PostgresEventLog, type PostgresEventLogOptions } from './postgres/postgres-event-log.ts';
export * from './token.ts';
