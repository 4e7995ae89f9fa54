/** A table that is not folded from the log: a backup copies its rows. */
export interface OutsideTable {
  name: string;
  /** Key columns; rows are written in their order. */
  key: readonly string[];
  /** An erasure deletes its rows, or what they contain: it is in the file of keys, not in the backup (ADR-0089). */
  isErasable?: true;
}

/** In the order of writing. */
export const OUTSIDE_TABLES: readonly OutsideTable[] = [
  { name: 'credentials', key: ['id'] },
  { name: 'second_factors', key: ['credential_id'] },
  { name: 'api_tokens', key: ['id'] },
  { name: 'roles', key: ['name'] },
  { name: 'users', key: ['id'], isErasable: true },
  // With the users: a restore compares the groups with their changes.
  { name: 'user_groups', key: ['id'], isErasable: true },
  { name: 'identity_providers', key: ['id'] },
  { name: 'idempotency_keys', key: ['credential_id', 'key'] },
  { name: 'import_contexts', key: ['id'] },
  { name: 'act_origins', key: ['request_id', 'by_user', 'address', 'token'] },
  { name: 'security_events', key: ['at', 'id'], isErasable: true },
  { name: 'upload_receipts', key: ['upload_id'] },
  { name: 'refused_uploads', key: ['day', 'kind', 'status', 'reason'] },
  { name: 'catalogue_imports', key: ['id'] },
  { name: 'catalogue_staged', key: ['import_id', 'cve'] },
  { name: 'catalogue_rows', key: ['cve', 'catalogue', 'valid_from'] },
  { name: 'integration_secrets', key: ['integration_id', 'name'] },
  { name: 'subject_keys', key: ['subject'], isErasable: true },
  { name: 'webhooks', key: ['id'] },
  { name: 'webhook_tickets', key: ['webhook_id', 'finding_id'] },
  { name: 'report_schedules', key: ['id'] },
  { name: 'saved_views', key: ['id'] },
  { name: 'default_views', key: ['person_id', 'list'] },
  { name: 'notification_people', key: ['person_id'], isErasable: true },
  { name: 'notification_settings', key: ['only_row'] },
  { name: 'syncs', key: ['id'] },
  { name: 'clock_confirmations', key: ['clock'] },
  { name: 'registered_schemas', key: ['registry', 'schema_id', 'registry_id'] },
];

/**
 * Neither folded nor in a backup, and why. A table is in `FOLDED_TABLES`, in `OUTSIDE_TABLES` or here: the tests see to
 * it.
 */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  migrations: 'created by the restore',
  log_records: 'the log itself, in segments',
  log_ends: 'the log itself',
  log_publishers: 'the current publishers',
  log_identity: 'written by the restore',
  published_changes: 'of topics that a restored site fills again',
  totals_progress: 'counted while the log is folded',
  finding_texts: 'read from the history again',
  finding_texts_read: 'read from the history again',
  retypings: 'processed again, without effect',
  scored_partitions: 'scored again',
  asset_scores: 'scored again',
  finding_decisions: 'scored again',
  score_history: 'scored again',
  score_sums: 'scored again',
  score_changes: 'scored again',
  rescorings: 'scored again',
  webhook_deliveries: 'pending deliveries are computed again',
  report_deliveries: 'restored schedules send nothing before they are enabled',
  notifications: 'what happens after the restore notifies people',
  notification_messages: 'messages of notifications that are not restored',
  notification_positions: 'written by the restore',
  notified_problems: 'compared again with the restored syncs, webhooks and report schedules',
  notified_findings: 'the first look goes by the times since the last one',
  inbox_positions: 'the inbox is read again, and repeats have no effect',
  sessions: 'users sign in again',
  trusted_time: 'of the clocks of this site',
  json_leases: 'valid for a minute',
  json_signals: 'valid for a day',
};
