import type { Effects, IntakeEvent } from '#libs/domain';
import { PartitionFold } from './partition-fold.ts';
import { UploadMarks } from './upload-marks.ts';

/** Above this number, uploads move from the state to `UploadMarks`. */
const UPLOADS_MAX = 1_000;

/** Folds a partition from its beginning, for no table: of its uploads it keeps only what the fold needs. */
export class MemoryFold extends PartitionFold {
  private readonly uploads = new UploadMarks();

  override fold(event: IntakeEvent, effects?: Effects): Effects {
    const { entityKey, cause } = event.envelope;
    this.ensureEntity(entityKey);
    if (cause.uploadId !== null) this.uploads.bring(this.state, cause.uploadId);
    const folded = super.fold(event, effects);
    if (this.state.uploads.size >= UPLOADS_MAX) this.uploads.keep(this.state);
    return folded;
  }
}
