import { counter, gauge, histogram, SHORT_SECONDS } from './registry.ts';

export const publishedRecords = counter({
  name: 'posture_published_records_total',
  help: 'Records that this process has published, tombstones included',
  labels: ['topic'],
});

export const publishSeconds = histogram({
  name: 'posture_publish_duration_seconds',
  help: 'Publishing one batch, until the log has it',
  labels: ['topic'],
  buckets: SHORT_SECONDS,
});

export const publishFailures = counter({
  name: 'posture_publish_failures_total',
  help: 'Attempts to publish that failed; each is made again',
  labels: ['topic'],
});

export const publishLagChanges = gauge({
  name: 'posture_publish_lag_changes',
  help: 'Changes that are written and not published yet, over all partitions',
  labels: ['topic'],
});

export const scoredAssets = counter({
  name: 'posture_scored_assets_total',
  help: 'Assets that this process has scored, again ones included',
});

export const changedScores = counter({
  name: 'posture_changed_scores_total',
  help: 'Changes of scores that this process has written',
});

export const scoreTransactionSeconds = histogram({
  name: 'posture_score_transaction_duration_seconds',
  help: 'A transaction of the scorer that found something to score: read, scored, written',
  buckets: SHORT_SECONDS,
});

export const scoreLagChanges = gauge({
  name: 'posture_score_lag_changes',
  help: 'Changes of findings and assets that no scorer has looked at yet, over all partitions',
});
