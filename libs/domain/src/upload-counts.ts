import type { UploadCounts } from './state.ts';

export const noCounts = (): UploadCounts => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  retired: 0,
  assetsCreated: 0,
  assetsUpdated: 0,
  ignored: {},
});

/** Outcome of two uploads, or of one in two partitions, together. */
export function addCounts(a: UploadCounts, b: UploadCounts): UploadCounts {
  const ignored = { ...a.ignored };
  for (const [reason, n] of Object.entries(b.ignored)) ignored[reason] = (ignored[reason] ?? 0) + n;
  return {
    created: a.created + b.created,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    retired: a.retired + b.retired,
    assetsCreated: a.assetsCreated + b.assetsCreated,
    assetsUpdated: a.assetsUpdated + b.assetsUpdated,
    ignored,
  };
}
