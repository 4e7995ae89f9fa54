import { noCounts, type PartitionState, type Stamp, type UploadState } from '#libs/domain';

/** The state of an upload that may continue: its progress and its stamp (R-FOLD-4, R-FOLD-5). */
interface UploadMark {
  stampAt: Stamp['at'];
  seen: number;
  count: number;
  kind: string;
  soleAssets: UploadState['soleAssets'];
}

/**
 * Stores every upload of a partition in little memory: a log can have as many uploads as signals. Outcomes are not
 * needed here, but a repeated event must be recognized.
 */
export class UploadMarks {
  private readonly marks = new Map<string, UploadMark>();

  /** Adds the data of an upload that the fold needs to the state, if the upload was seen before. */
  bring(state: PartitionState, uploadId: string): void {
    const mark = this.marks.get(uploadId);
    if (!mark || state.uploads.has(uploadId)) return;
    state.uploads.set(uploadId, {
      uploadId,
      kind: mark.kind,
      by: null,
      stamp: { at: mark.stampAt, uploadId },
      seen: mark.seen,
      count: mark.count,
      signals: 0,
      header: null,
      counts: noCounts(),
      merged: [],
      soleAssets: mark.soleAssets,
      unrecognisedTags: [],
      changes: null,
    });
  }

  /** Takes all uploads out of the state. */
  keep(state: PartitionState): void {
    for (const [uploadId, { stamp, seen, count, kind, soleAssets }] of state.uploads) {
      this.marks.set(uploadId, { stampAt: stamp.at, seen, count, kind, soleAssets });
    }
    state.uploads.clear();
  }
}
