export type { BatchEffects, CausedAct, CausedChange } from './batch-effects.ts';
export { type DecodedRecord, decodeBatch, type QuarantinedRecord } from './decode-batch.ts';
export { assertNoHole, assertReached, LogHoleError, upToHole } from './log-hole.ts';
export { MemoryFold } from './memory-fold.ts';
export { PARTITION_START, PartitionFold, type PartitionPosition, settleRead } from './partition-fold.ts';
export { errorOf, UnknownRecordError } from './unknown-record.ts';
