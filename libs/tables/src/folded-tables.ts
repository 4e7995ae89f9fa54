import type { Insertable } from 'kysely';
import type { Schema } from '#libs/database';
import { recordedChangesSql } from './upload-changes.ts';

interface TableDefinition<Column extends string> {
  /** Every column that is written; PostgreSQL computes the others. */
  columns: readonly Column[];
  /** Key columns. */
  key: readonly Column[];
  /** Columns outside the key that never change in a row. */
  fixed?: readonly Column[];
  /** SQL of a row's partition. */
  partition: string;
  /** Counted from the other tables: a checkpoint omits it. */
  isCounted?: true;
  /** Columns that rows of earlier versions do not have, and SQL of their values in a row; null there: unknown. */
  partlyKnown?: { columns: readonly Column[]; known: (row: string) => string };
  /** Columns that `posture verify` does not compare: rows that an earlier version wrote have other values. */
  uncompared?: readonly Column[];
}

/** Everything that the projector writes; `published_changes` describes the output, not the log. */
const DEFINITIONS = {
  projection_positions: {
    columns: [
      'partition',
      'next_offset',
      'clock',
      'asset_counter',
      'finding_sequence',
      'asset_sequence',
      'digested_sequence',
    ],
    key: ['partition'],
    partition: 'partition',
    uncompared: ['digested_sequence'],
  },
  assets: {
    columns: [
      'asset_no',
      'id',
      'partition',
      'entity_key',
      'name',
      'type',
      'attack_surface',
      'department',
      'location',
      'criticality',
      'sources',
      'edr_sources',
      'stated_devices',
      'custom_fields',
      'deleted_at',
      'state',
    ],
    key: ['asset_no'],
    fixed: ['id', 'partition', 'entity_key'],
    partition: 'partition',
  },
  asset_seen: {
    columns: ['asset_no', 'partition', 'last_seen', 'due_at', 'idle_since'],
    key: ['asset_no'],
    fixed: ['partition'],
    partition: 'partition',
  },
  asset_history: {
    columns: ['partition', 'sequence', 'asset_no', 'at', 'change', 'cause', 'log_offset', 'state'],
    key: ['partition', 'sequence'],
    partition: 'partition',
  },
  findings: {
    columns: [
      'asset_no',
      'finding_no',
      'id',
      'partition',
      'type',
      'name',
      'state',
      'severity_value',
      'cves',
      'techniques',
      'source',
      'assignee',
      'tags',
      'due_ms',
      'failed_since_ms',
      'settled_at_ms',
      'version',
      'body',
      'text_id',
      'updated_ms',
      'first_seen_ms',
      'derived_version',
    ],
    key: ['asset_no', 'finding_no'],
    fixed: ['id', 'partition', 'type'],
    partition: 'partition',
    partlyKnown: {
      columns: ['updated_ms', 'first_seen_ms'],
      known: (row) => `${row}.updated_ms || ' ' || ${row}.first_seen_ms`,
    },
    uncompared: ['derived_version'],
  },
  finding_seen: {
    columns: [
      'asset_no',
      'finding_no',
      'partition',
      'signal_id',
      'last_seen',
      'expires_at',
      'retain_until',
      'stamp_at',
      'stamp_upload',
      'instance_stamps',
      'seen_at',
      'digest',
    ],
    key: ['asset_no', 'finding_no'],
    fixed: ['partition'],
    partition: 'partition',
    uncompared: ['digest'],
  },
  finding_history: {
    columns: [
      'partition',
      'sequence',
      'asset_no',
      'finding_no',
      'at',
      'change',
      'from_state',
      'to_state',
      'reason',
      'cause',
      'log_offset',
      'body',
      'expired_at',
    ],
    key: ['partition', 'sequence'],
    partition: 'partition',
  },
  history_trims: {
    columns: ['partition', 'finding_type', 'kept_from', 'through_sequence', 'removed'],
    key: ['partition', 'finding_type'],
    partition: 'partition',
  },
  history_summaries: {
    columns: ['partition', 'finding_type', 'month', 'change', 'state', 'severity', 'changes'],
    key: ['partition', 'finding_type', 'month', 'change', 'state', 'severity'],
    partition: 'partition',
  },
  finding_totals: {
    columns: ['partition', 'group_key', 'state', 'type', 'severity', 'asset_type', 'department', 'findings'],
    key: ['partition', 'group_key', 'state', 'type', 'severity'],
    partition: 'partition',
    isCounted: true,
  },
  technique_totals: {
    columns: ['partition', 'technique_key', 'is_family', 'state', 'type', 'technique', 'findings'],
    key: ['partition', 'technique_key', 'is_family', 'state', 'type'],
    partition: 'partition',
    isCounted: true,
  },
  upload_progress: {
    columns: [
      'upload_id',
      'partition',
      'kind',
      'by_user',
      'received_at',
      'seen',
      'event_count',
      'signals',
      'header',
      'counts',
      'merged',
      'unrecognised_tags',
      'changes',
      'sole_assets',
    ],
    key: ['upload_id', 'partition'],
    fixed: ['kind', 'by_user'],
    partition: 'partition',
    partlyKnown: { columns: ['changes'], known: recordedChangesSql },
  },
  organization: {
    columns: ['entity_key', 'partition', 'version', 'state'],
    key: ['entity_key'],
    partition: 'partition',
  },
  acts: {
    columns: [
      'partition',
      'log_offset',
      'at',
      'by_user',
      'action',
      'target',
      'detail',
      'refused',
      'request_id',
    ],
    key: ['partition', 'log_offset'],
    partition: 'partition',
  },
  quarantine: {
    columns: ['partition', 'log_offset', 'key', 'value', 'reason', 'at'],
    key: ['partition', 'log_offset'],
    partition: 'partition',
  },
} as const satisfies { [T in keyof Schema]?: TableDefinition<keyof Insertable<Schema[T]> & string> };

export type FoldedTableName = keyof typeof DEFINITIONS;
export type FoldedColumn<T extends FoldedTableName> = (typeof DEFINITIONS)[T]['columns'][number];

/** A table that is folded from the intake log only. */
export interface FoldedTable extends TableDefinition<string> {
  name: FoldedTableName;
}

export const FOLDED_TABLES: readonly FoldedTable[] = Object.entries(DEFINITIONS).map(
  ([name, definition]) => ({ name: name as FoldedTableName, ...definition }),
);

/** Those that a checkpoint contains. */
export const CHECKPOINT_TABLES: readonly FoldedTable[] = FOLDED_TABLES.filter(({ isCounted }) => !isCounted);

export const foldedTable = (name: FoldedTableName): FoldedTable => ({ name, ...DEFINITIONS[name] });
