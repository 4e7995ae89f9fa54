import type { Asset } from '../state.ts';

/** The inventory of an EDR platform contains the asset (R-EDR-8). */
export const isEdrManaged = ({ edrSources = [] }: Asset): boolean => edrSources.length > 0;

/** Without one source that has managed the asset; null: without all of them. */
export const withoutEdrSource = (asset: Asset, source: string | null): Asset =>
  asset.edrSources === undefined
    ? asset
    : { ...asset, edrSources: asset.edrSources.filter((name) => source !== null && name !== source) };
