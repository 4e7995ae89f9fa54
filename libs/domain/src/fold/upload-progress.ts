import type { AssetDescribed, Envelope, SignalReceived } from '../events.ts';
import { isFqdn } from '../signal/entity-key.ts';
import type { EntityState, PartitionState, UploadState } from '../state.ts';
import { noUploadChanges } from '../upload-changes.ts';
import { noCounts } from '../upload-counts.ts';
import { matchAsset, possibleAssets, soleOf } from './match-asset.ts';
import { receiptTime } from './partition-clock.ts';

const LISTED_MAX = 100;

/** The first rules under which an upload keeps which assets its bare names meant (ADR-0151). */
const SOLE_ASSETS = 8;

/**
 * Records that an event of an upload is being folded. The upload keeps the stamp of its first event in the partition,
 * so that an upload retried under its Idempotency-Key continues with the stamp of its first signals. Returns null for a
 * repeat: the event was folded before (R-FOLD-5).
 */
export function advanceUpload(partition: PartitionState, envelope: Envelope): UploadState | null {
  const { cause, upload: header } = envelope;
  const uploadId = cause.uploadId!;
  let upload = partition.uploads.get(uploadId);
  if (!upload) {
    upload = {
      uploadId,
      kind: cause.kind,
      by: cause.user,
      stamp: { at: receiptTime(envelope), uploadId },
      seen: 0,
      count: cause.count,
      signals: 0,
      header: null,
      counts: noCounts(),
      merged: [],
      soleAssets: null,
      unrecognisedTags: [],
      changes: noUploadChanges(),
    };
    partition.uploads.set(uploadId, upload);
  }
  if (cause.ordinal <= upload.seen) return null;
  upload.seen = cause.ordinal;
  upload.header ??= header;
  upload.soleAssets ??= initialSoleAssets(upload.header);
  return upload;
}

/** Of an upload with this header. */
export const initialSoleAssets = (header: UploadState['header']): UploadState['soleAssets'] =>
  header && header.fullAssessmentForTypes.length > 0 ? new Set() : null;

/** Notes what a bare name means, because a further asset of the entity makes it ambiguous for the rest of the upload. */
export function noteSoleAsset(
  { soleAssets }: UploadState,
  entity: EntityState,
  { rules }: Envelope,
  { entity: { name }, assetRules: { matching } }: SignalReceived | AssetDescribed,
): void {
  if (rules < SOLE_ASSETS || matching !== 'fqdn' || isFqdn(name)) return;
  const only = soleOf(possibleAssets(entity, rules));
  if (only && matchAsset(entity, name, matching, rules) === only) soleAssets?.add(only.asset.number);
}

export function countIgnored(upload: UploadState, reason: string): void {
  upload.counts.ignored[reason] = (upload.counts.ignored[reason] ?? 0) + 1;
}

export function noteUnrecognisedTags(upload: UploadState, tags: readonly string[]): void {
  for (const tag of tags) {
    if (upload.unrecognisedTags.length >= LISTED_MAX) return;
    if (!upload.unrecognisedTags.includes(tag)) upload.unrecognisedTags.push(tag);
  }
}

/** What an upload lists, by what it lists in each partition (R-ASSET-4, R-ASSET-19). */
export const listedOf = (
  parts: readonly Pick<UploadState, 'merged' | 'unrecognisedTags'>[],
): Pick<UploadState, 'merged' | 'unrecognisedTags'> => ({
  merged: parts.flatMap(({ merged }) => merged).slice(0, LISTED_MAX),
  unrecognisedTags: [...new Set(parts.flatMap(({ unrecognisedTags }) => unrecognisedTags))]
    .sort()
    .slice(0, LISTED_MAX),
});

export function noteMerged(upload: UploadState, name: string, assetId: string): void {
  if (upload.merged.length >= LISTED_MAX) return;
  if (!upload.merged.some((m) => m.name === name && m.assetId === assetId))
    upload.merged.push({ name, assetId });
}
