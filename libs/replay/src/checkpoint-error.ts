/** A whole checkpoint that this site cannot be folded on from; nothing was changed. The message is a sentence. */
export class CheckpointError extends Error {
  override name = 'CheckpointError';
}
