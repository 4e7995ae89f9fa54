export { changeAttributes, changeRecord, SEQUENCE_HEADER, tombstone, tombstoneOf } from './change-record.ts';
export { type CloudEventAttributes, cloudEvent } from './cloud-event.ts';
export { lastRecord } from './last-record.ts';
export { type Outbox, type OutboxBatch, type OutboxPosition, PUBLISH_BOUNDS } from './outbox.ts';
export { PartitionPublisher } from './partition-publisher.ts';
export { PartitionPublishers } from './partition-publishers.ts';
export { tellPublishLag } from './publish-lag.ts';
export { lastPublished, notePublished, numberOf } from './published-changes.ts';
