/** A table of what no log holds: a backup takes its rows. */
export interface OutsideTable {
  name: string;
  /** Columns that tell its rows apart; rows are written in their order. */
  key: readonly string[];
}

/** In the order of writing. */
export const OUTSIDE_TABLES: readonly OutsideTable[] = [
  { name: 'credentials', key: ['id'] },
  { name: 'idempotency_keys', key: ['credential_id', 'key'] },
  { name: 'security_events', key: ['at', 'id'] },
  { name: 'upload_receipts', key: ['upload_id'] },
  { name: 'catalogue_imports', key: ['id'] },
  { name: 'catalogue_staged', key: ['import_id', 'cve'] },
  { name: 'catalogue_rows', key: ['cve', 'catalogue', 'valid_from'] },
  { name: 'integration_secrets', key: ['integration_id', 'name'] },
  { name: 'webhooks', key: ['id'] },
  { name: 'syncs', key: ['id'] },
  { name: 'clock_confirmations', key: ['clock'] },
  { name: 'registered_schemas', key: ['registry', 'schema_id', 'registry_id'] },
];

/**
 * Neither folded nor in a backup, and why. A table is in `FOLDED_TABLES`, in `OUTSIDE_TABLES` or here: the tests see to
 * it.
 */
export const LEFT_OUT_TABLES: Readonly<Record<string, string>> = {
  migrations: 'made by the restore',
  log_records: 'the log itself, in segments',
  log_ends: 'the log itself',
  log_publishers: 'who publishes now',
  log_identity: 'written by the restore',
  published_changes: 'of topics that a restored site fills anew',
  finding_texts: 'read from the history again',
  finding_texts_read: 'read from the history again',
  retypings: 'looked at again, with nothing to do',
  scored_partitions: 'scored again',
  asset_scores: 'scored again',
  score_history: 'scored again',
  score_sums: 'scored again',
  score_changes: 'scored again',
  rescorings: 'scored again',
  webhook_deliveries: 'what was not taken is decided anew',
  trusted_time: 'of the clocks of this site',
  json_leases: 'of the minute',
  json_signals: 'of the day',
};
