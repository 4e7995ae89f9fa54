/** A backup and a site do not belong together; the message is a sentence. Nothing was changed. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** Another backup of the same site is in progress. */
export class BackupBusyError extends Error {
  override name = 'BackupBusyError';
}
