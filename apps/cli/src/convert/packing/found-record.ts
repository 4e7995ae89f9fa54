import type { Finding, FoundAsset } from '../format.ts';

/** A finding or the description of an asset, on its way through the sort. */
export type FoundRecord =
  | { key: string; sequence: number; file: string; asset: FoundAsset; finding: null }
  | { key: string; sequence: number; file: string; asset: null; finding: Finding & { asset: FoundAsset } };

/** Divides the parts of a key; no name has it. */
const DIVIDER = '\0';

/** Everything about an entity stands together, its descriptions before its findings. */
export const assetRecordKey = (entityKey: string): string => `${entityKey}${DIVIDER}`;

/** Findings of one identity (D8) stand together. */
export const findingRecordKey = (entityKey: string, identity: string): string =>
  `${entityKey}${DIVIDER}${DIVIDER}${identity}`;

export const entityKeyOfRecord = ({ key }: FoundRecord): string => key.slice(0, key.indexOf(DIVIDER));

/** By key, then in the order in which they were read: a total order. */
export function byKeyAndSequence(a: FoundRecord, b: FoundRecord): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.sequence - b.sequence;
}
