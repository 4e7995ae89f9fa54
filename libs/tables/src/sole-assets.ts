import { initialSoleAssets, type UploadState } from '#libs/domain';

/** The column: numbers of assets. Null: none. */
export const soleAssetsJson = ({ soleAssets }: UploadState): string | null =>
  soleAssets && soleAssets.size > 0 ? JSON.stringify([...soleAssets]) : null;

/** The column of a row of `upload_progress` as the fold keeps it. */
export const soleAssetsOf = (header: UploadState['header'], stored: unknown): UploadState['soleAssets'] =>
  stored === null ? initialSoleAssets(header) : new Set(stored as number[]);
