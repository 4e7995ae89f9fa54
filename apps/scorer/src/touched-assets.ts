import type { ChangeEvent } from '#libs/contracts';

/** Ids of the assets of which something changed, each once. */
export const touchedAssets = (changes: ChangeEvent[]): Set<string> =>
  new Set(changes.map(({ kind, changed }) => (kind === 'asset' ? changed.id : changed.assetId)));
