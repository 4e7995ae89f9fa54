import { counter, gauge, histogram, SHORT_SECONDS } from './registry.ts';

export const publishedRecords = counter({
  name: 'posture_published_records_total',
  help: 'Records published by this process, including tombstones',
  labels: ['topic'],
});

export const publishSeconds = histogram({
  name: 'posture_publish_duration_seconds',
  help: 'Duration of publishing one batch, until the log has stored it',
  labels: ['topic'],
  buckets: SHORT_SECONDS,
});

export const publishFailures = counter({
  name: 'posture_publish_failures_total',
  help: 'Failed attempts to publish; each is retried',
  labels: ['topic'],
});

export const publishLagChanges = gauge({
  name: 'posture_publish_lag_changes',
  help: 'Changes not published yet, for all partitions',
  labels: ['topic'],
});

export const scoredAssets = counter({
  name: 'posture_scored_assets_total',
  help: 'Assets scored by this process, including repeated ones',
});

export const changedScores = counter({
  name: 'posture_changed_scores_total',
  help: 'Score changes written by this process',
});

export const scoreTransactionSeconds = histogram({
  name: 'posture_score_transaction_duration_seconds',
  help: 'Duration of a scorer transaction with work: read, score, write',
  buckets: SHORT_SECONDS,
});

export const scoreLagChanges = gauge({
  name: 'posture_score_lag_changes',
  help: 'Changes of findings and assets not processed by a scorer yet, for all partitions',
});
