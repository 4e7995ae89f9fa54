/** A table that holds nothing but what is folded from the intake log. */
export interface FoldedTable {
  name: string;
  /** Columns that tell its rows apart. */
  key: readonly string[];
  /** SQL of a row's partition. */
  partition: string;
}

/** Asset numbers carry the partition (libs/domain, PARTITIONS_MAX). */
const OF_ASSET = 'mod(asset_no, 1024)';

/** Everything that the projector writes; `published_changes` tells of the output, not of the log. */
export const FOLDED_TABLES: readonly FoldedTable[] = [
  { name: 'projection_positions', key: ['partition'], partition: 'partition' },
  { name: 'assets', key: ['asset_no'], partition: 'partition' },
  { name: 'asset_seen', key: ['asset_no'], partition: OF_ASSET },
  { name: 'asset_history', key: ['partition', 'sequence'], partition: 'partition' },
  { name: 'findings', key: ['asset_no', 'finding_no'], partition: 'partition' },
  { name: 'finding_seen', key: ['asset_no', 'finding_no'], partition: OF_ASSET },
  { name: 'finding_history', key: ['partition', 'sequence'], partition: 'partition' },
  { name: 'upload_progress', key: ['upload_id', 'partition'], partition: 'partition' },
  { name: 'organization', key: ['entity_key'], partition: 'partition' },
  { name: 'acts', key: ['partition', 'log_offset'], partition: 'partition' },
  { name: 'quarantine', key: ['partition', 'log_offset'], partition: 'partition' },
];
