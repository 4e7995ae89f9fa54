import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { usageError } from '../cli-error.ts';
import { siteFailure } from '../site-failure.ts';

/** A backup that is made from another one. */
export interface NewBackup {
  /** Directory of the existing backup. */
  from: string;
  to: string;
}

/**
 * With links resolved.
 * @throws CliError exit 2 if one directory contains the other
 */
export async function newBackup(source: string, directory: string): Promise<NewBackup> {
  const [from, to] = [await realPath(source), await realPath(directory)];
  if (isWithin(from, to) || isWithin(to, from)) {
    throw usageError(`${directory} must be outside of the backup ${source}: name another directory`);
  }
  return { from, to };
}

/** The path itself if nothing is there. */
const realPath = (path: string): Promise<string> =>
  realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return resolve(path);
    throw siteFailure(error);
  });

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
