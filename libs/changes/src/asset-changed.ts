import type { AssetChanged, ChangeCause } from '#libs/contracts';
import type { Asset } from '#libs/domain';
import { INTAKE_TOPIC } from '#libs/intake';
import { assetFacts } from '#libs/views';
import { abridgedAsset, STATE_BYTES_MAX } from './abridge.ts';

/** A row of `asset_history` with the other fields that subscribers receive. */
export interface AssetHistoryRow {
  sequence: number;
  at: number;
  change: string;
  cause: ChangeCause;
  log_offset: number;
  state: Asset;
  /** Length of the stored state. */
  bytes: number;
  last_seen: number;
}

/** The asset as its row of the history has it, in the words of the API; times are epoch milliseconds. */
export function assetChanged(row: AssetHistoryRow, partition: number): AssetChanged {
  const { state: asset } = row;
  const changed: AssetChanged = {
    ...assetFacts(asset),
    firstSeen: asset.firstSeen,
    lastSeen: row.last_seen,
    deletedAt: asset.deletedAt,
    erasedAt: asset.erasedAt ?? null,
    abridged: false,
    version: asset.version,
    updatedAt: asset.updatedAt,
    change: {
      name: row.change,
      at: row.at,
      cause: row.cause,
      sequence: row.sequence,
      position: { topic: INTAKE_TOPIC, partition, offset: row.log_offset },
    },
  };
  return row.bytes > STATE_BYTES_MAX ? abridgedAsset(changed) : changed;
}
