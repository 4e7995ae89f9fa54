const REMEDIES: Record<string, string> = {
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room, or raise the quota of the user that the service runs as',
  EROFS: 'mount its disk writable',
  EACCES: 'let the user that the service runs as write there',
  EPERM: 'let the user that the service runs as write there',
};

/** An error of the file system as a sentence: which path, what is wrong, what to do where that is known. */
export function storageError(path: string, error: NodeJS.ErrnoException): Error {
  const remedy = REMEDIES[error.code ?? ''];
  // Without the system call and its path, which is that of a draft.
  const reason = error.message.replace(/, \w+( '.*)?$/, '');
  return new Error(`cannot write ${path} (${reason})${remedy ? `: ${remedy}, then start again` : ''}`, {
    cause: error,
  });
}
