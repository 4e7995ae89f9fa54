import type { Finding, FoundAsset } from '../format.ts';

interface RecordHead {
  key: string;
  /** Of a finding's asset if FQDNs distinguish assets; else empty. */
  fqdn: string;
  sequence: number;
  file: string;
}

export interface FindingRecord extends RecordHead {
  asset: null;
  finding: Finding & { asset: FoundAsset };
}

interface AssetRecord extends RecordHead {
  asset: FoundAsset;
  finding: null;
}

/** A finding or the description of an asset, on its way through the sort. */
export type FoundRecord = AssetRecord | FindingRecord;

/** Divides the parts of a key; no name has it. */
const DIVIDER = '\0';

/** All signals of an entity are adjacent, its descriptions before its findings. */
export const assetRecordKey = (entityKey: string): string => `${entityKey}${DIVIDER}`;

/** Sorts findings of one identity together (R-FIND-1). */
export const findingRecordKey = (entityKey: string, identity: string): string =>
  `${entityKey}${DIVIDER}${DIVIDER}${identity}`;

export const entityKeyOfRecord = ({ key }: FoundRecord): string => key.slice(0, key.indexOf(DIVIDER));

/**
 * By key and FQDN, then in the order in which they were read: a total order. Statements of one instance are adjacent,
 * the newest last.
 */
export function byKeyAndSequence(a: FoundRecord, b: FoundRecord): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  if (a.fqdn !== b.fqdn) return a.fqdn < b.fqdn ? -1 : 1;
  const [instance, lastSeen] = statementOf(a);
  const [otherInstance, otherLastSeen] = statementOf(b);
  if (instance !== otherInstance) return instance < otherInstance ? -1 : 1;
  if (lastSeen !== otherLastSeen) return lastSeen < otherLastSeen ? -1 : 1;
  return a.sequence - b.sequence;
}

const statementOf = ({ finding }: FoundRecord): [instance: string, lastSeen: string] =>
  finding?.isStatement ? [finding.detectionId ?? '', finding.lastSeen ?? ''] : ['', ''];

/** Whether the latter of two statements, in their order, overrides the former. */
export const isOverridden = (former: FindingRecord, latter: FindingRecord): boolean =>
  former.finding.isStatement === true &&
  latter.finding.isStatement === true &&
  former.key === latter.key &&
  former.fqdn === latter.fqdn &&
  statementOf(former)[0] === statementOf(latter)[0];
