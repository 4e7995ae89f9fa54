export { ChangeOutbox } from './change-outbox.ts';
export { lastRecord } from './last-record.ts';
export { type Outbox, type OutboxBatch, type OutboxPosition, PUBLISH_BOUNDS } from './outbox.ts';
export { PartitionPublisher } from './partition-publisher.ts';
export { PartitionPublishers } from './partition-publishers.ts';
export { numberOf } from './published-changes.ts';
export { TableOutbox } from './table-outbox.ts';
