import { LogContentError } from './log-content-error.ts';

/** A file is damaged, or not the one that it must be. The message is a sentence that names the file and the place. */
export class FileError extends Error {
  override name = 'FileError';
}

/** An error of the content of a file, reported with the file; other errors are unchanged. */
export function asFileError(path: string, error: unknown): unknown {
  if (error instanceof LogContentError) return new FileError(`${path} ${error.message}`);
  if ((error as NodeJS.ErrnoException).code === 'EISDIR') return new FileError(`${path} is a directory`);
  return error;
}
