import type { Asset } from '#libs/domain';

export interface AssetRow {
  assetNo: number;
  asset: Asset;
  /** Null where it is not known of a past instant. */
  lastSeen: number | null;
  /** Hundredths; null where it has none. */
  score: number | null;
}

/** An asset in a list. */
export interface ListedAssetRow extends AssetRow {
  /** What the list is sorted by, as text; null where that is the numbers alone. */
  sortKey: string | null;
}
