import { counter, gauge, histogram, SHORT_SECONDS } from './registry.ts';

export const foldLagRecords = gauge({
  name: 'posture_fold_lag_records',
  help: 'Records of the intake log that are not folded yet',
  labels: ['partition'],
});

export const foldLagSeconds = gauge({
  name: 'posture_fold_lag_seconds',
  help: 'For how long the oldest record that is not folded has been in the log; 0 where all are',
  labels: ['partition'],
});

export const foldedRecords = counter({
  name: 'posture_folded_records_total',
  help: 'Records of the intake log that this process has folded and written',
});

export const quarantinedRecords = counter({
  name: 'posture_quarantined_records_total',
  help: 'Records of the intake log that this process has set aside as corrupt',
});

export const eventsStampedAhead = counter({
  name: 'posture_events_stamped_ahead_total',
  help: 'Events that this process has folded to nothing because a wrong clock had stamped them',
});

export const foldBatchRecords = histogram({
  name: 'posture_fold_batch_records',
  help: 'Records that were folded together in one transaction',
  buckets: [1, 3, 10, 30, 100, 300, 1_000],
});

export const foldBatchSeconds = histogram({
  name: 'posture_fold_batch_duration_seconds',
  help: 'A batch from decoding to commit, reading of entity states included',
  buckets: SHORT_SECONDS,
});

export const foldSeconds = histogram({
  name: 'posture_fold_duration_seconds',
  help: 'The fold of a batch alone, in memory',
  buckets: [0.001, 0.0025, ...SHORT_SECONDS],
});

export const foldTransactionSeconds = histogram({
  name: 'posture_fold_transaction_duration_seconds',
  help: 'The transaction that writes a batch: position, rows, history',
  buckets: SHORT_SECONDS,
});

export const foldDelaySeconds = histogram({
  name: 'posture_fold_delay_seconds',
  help: 'From the storing of the oldest record of a batch in the log to its commit in the tables',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
});

export const foldCacheHits = counter({
  name: 'posture_fold_cache_hits_total',
  help: 'Entities of a batch whose state was in memory',
});

export const foldCacheMisses = counter({
  name: 'posture_fold_cache_misses_total',
  help: 'Entities of a batch whose state was read from the database',
});

export const foldCacheBytes = gauge({
  name: 'posture_fold_cache_bytes',
  help: 'Entity states held in memory, as estimated',
});

export const partitionsHeld = gauge({
  name: 'posture_partitions_held',
  help: 'Partitions of a topic that this process holds in a group',
  labels: ['group', 'topic'],
});

export const partitionsStopped = gauge({
  name: 'posture_partitions_stopped',
  help: 'Partitions that stand still in this process until it is mended: its log says why',
  labels: ['group', 'topic'],
});
