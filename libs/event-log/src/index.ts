export { WakeUp } from './delivery/wake-up.ts';
export * from './event-log.ts';
export * from './find-shortfall.ts';
export * from './forwarding-log.ts';
export type { KafkaConnectionOptions } from './kafka/connect-kafka.ts';
export { KafkaEventLog, type KafkaEventLogOptions } from './kafka/kafka-event-log.ts';
export type { OnStored } from './kafka/send-batch.ts';
export {
  INBOX_TOPICS,
  openTopics,
  TOPICS,
  TopicsError,
} from './kafka/topics.ts';
export * from './nest/batch-decorators.ts';
export * from './nest/batch-server.ts';
export * from './partitions.ts';
export { PostgresEventLog } from './postgres/postgres-event-log.ts';
export * from './token.ts';
