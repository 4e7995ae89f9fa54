const REMEDIES: Record<string, string> = {
  ENOSPC: 'free space on its disk',
  EDQUOT: 'free space, or raise the quota of the user of the service',
  EROFS: 'mount its disk writable',
  EACCES: 'grant write access to the user of the service',
  EPERM: 'grant write access to the user of the service',
};

export const isFullDisk = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT';

/** An error of the file system as a sentence: which path, what is wrong, what to do if that is known. */
export class StorageError extends Error {
  override name = 'StorageError';
  readonly code: string | undefined;

  constructor(
    readonly path: string,
    error: NodeJS.ErrnoException,
  ) {
    const remedy = REMEDIES[error.code ?? ''];
    // Without the system call and its path, which is that of a draft.
    const reason = error.message.replace(/, \w+( '.*)?$/, '');
    super(`cannot write ${path} (${reason})${remedy ? `: ${remedy}, then start again` : ''}`, {
      cause: error,
    });
    this.code = error.code;
  }
}
