import type { Asset } from '#libs/domain';
import type { WeighedRow } from '#libs/tables';

export interface AssetRow {
  assetNo: number;
  asset: Asset;
  /** Null if it is not known of a past instant. */
  lastSeen: number | null;
  /** Hundredths; null if it has none. */
  score: number | null;
}

/** An asset in a list. */
export interface ListedAssetRow extends AssetRow, WeighedRow {
  /** The sort key, as text; null if the list is sorted only by the numbers. */
  sortKey: string | null;
}
