import { counter, gauge, histogram, SHORT_SECONDS } from './registry.ts';

export const foldLagRecords = gauge({
  name: 'posture_fold_lag_records',
  help: 'Intake records not processed yet',
  labels: ['partition'],
});

export const foldLagSeconds = gauge({
  name: 'posture_fold_lag_seconds',
  help: 'Age of the oldest unprocessed intake record; 0 if all are processed',
  labels: ['partition'],
});

export const foldedRecords = counter({
  name: 'posture_folded_records_total',
  help: 'Intake records processed and written by this process',
});

export const quarantinedRecords = counter({
  name: 'posture_quarantined_records_total',
  help: 'Corrupt intake records moved to quarantine by this process',
});

export const eventsStampedAhead = counter({
  name: 'posture_events_stamped_ahead_total',
  help: 'Events ignored by this process because a wrong clock stamped them',
});

export const foldBatchRecords = histogram({
  name: 'posture_fold_batch_records',
  help: 'Records processed in one transaction',
  buckets: [1, 3, 10, 30, 100, 300, 1_000],
});

export const foldBatchSeconds = histogram({
  name: 'posture_fold_batch_duration_seconds',
  help: 'Duration of a batch from decoding to commit, including reading of entity states',
  buckets: SHORT_SECONDS,
});

export const foldSeconds = histogram({
  name: 'posture_fold_duration_seconds',
  help: 'Duration of the in-memory fold of a batch',
  buckets: [0.001, 0.0025, ...SHORT_SECONDS],
});

export const foldTransactionSeconds = histogram({
  name: 'posture_fold_transaction_duration_seconds',
  help: 'Duration of the transaction that writes a batch: position, rows, history',
  buckets: SHORT_SECONDS,
});

export const foldDelaySeconds = histogram({
  name: 'posture_fold_delay_seconds',
  help: 'Time from storing the oldest record of a batch in the log to its commit in the tables',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
});

export const foldCacheHits = counter({
  name: 'posture_fold_cache_hits_total',
  help: 'Entities of a batch whose state was cached in memory',
});

export const foldCacheMisses = counter({
  name: 'posture_fold_cache_misses_total',
  help: 'Entities of a batch whose state was read from the database',
});

export const foldCacheBytes = gauge({
  name: 'posture_fold_cache_bytes',
  help: 'Estimated size of the entity states cached in memory',
});

export const partitionsHeld = gauge({
  name: 'posture_partitions_held',
  help: 'Partitions of a topic assigned to this process in a group',
  labels: ['group', 'topic'],
});

export const partitionsStopped = gauge({
  name: 'posture_partitions_stopped',
  help: 'Partitions stopped in this process until the cause is fixed; the log of the process contains the reason',
  labels: ['group', 'topic'],
});
