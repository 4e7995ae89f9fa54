import { noCounts, type PartitionState, type Stamp } from '#libs/domain';

/** What the fold needs of an upload that may go on: how far it came and under which stamp (rules 4, 5). */
interface UploadMark {
  stampAt: Stamp['at'];
  seen: number;
  count: number;
  kind: string;
}

/**
 * Keeps every upload of a partition small. A log can have as many uploads as signals; what became of each is not
 * asked here, but an event that comes again must be known as a repeat.
 */
export class UploadMarks {
  private readonly marks = new Map<string, UploadMark>();

  /** Puts an upload into the state as far as the fold needs it, where it was seen before. */
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
      unrecognisedTags: [],
    });
  }

  /** Takes all uploads out of the state. */
  keep(state: PartitionState): void {
    for (const [uploadId, { stamp, seen, count, kind }] of state.uploads) {
      this.marks.set(uploadId, { stampAt: stamp.at, seen, count, kind });
    }
    state.uploads.clear();
  }
}
