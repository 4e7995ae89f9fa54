import { expect, it } from '@jest/globals';
import { noCounts } from '#libs/domain';
import { uploadView } from './upload-view.ts';
import type { UploadProgressRow } from './uploads.repository.ts';

/** A partition that lists as many names and tags as one may. */
const progress = (partition: number): UploadProgressRow => ({
  uploadId: 'u1',
  kind: 'zip',
  by: null,
  receivedAt: 0,
  seen: 100,
  signals: 100,
  header: null,
  counts: noCounts(),
  merged: Array.from({ length: 100 }, (_, i) => ({
    name: `host${partition}-${i}.example.com`,
    assetId: 'a',
  })),
  unrecognisedTags: Array.from({ length: 100 }, (_, i) => `tag${partition}-${i}`),
});

it('lists the first 100 merged names and unrecognized tags of an upload, not of each partition', () => {
  const { merged, unrecognisedTags } = uploadView(undefined, [progress(1), progress(2)]);
  expect([merged.length, unrecognisedTags.length]).toEqual([100, 100]);
  expect(merged).toEqual(progress(1).merged);
});
