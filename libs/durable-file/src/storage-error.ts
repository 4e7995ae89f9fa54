const REMEDIES: Record<string, string> = {
  ENOSPC: 'free space on its disk',
  EDQUOT: 'free space, or raise the quota of the user of the service',
  EROFS: 'mount its disk writable',
  EACCES: 'grant write access to the user of the service',
  EPERM: 'grant write access to the user of the service',
};

/** An error of the file system as a sentence: which path, what is wrong, what to do if that is known. */
export class StorageError extends Error {
  override name = 'StorageError';

  constructor(path: string, error: NodeJS.ErrnoException) {
    const remedy = REMEDIES[error.code ?? ''];
    // Without the system call and its path, which is that of a draft.
    const reason = error.message.replace(/, \w+( '.*)?$/, '');
    super(`cannot write ${path} (${reason})${remedy ? `: ${remedy}, then start again` : ''}`, {
      cause: error,
    });
  }
}
