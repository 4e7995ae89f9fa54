import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { usageError } from '../cli-error.ts';

/**
 * Hours of work may come before the first byte.
 * @throws CliError exit 2 if the file exists, because none is overwritten, or its folder is missing or not writable
 */
export async function assertNew(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw usageError(`${file} already exists: name a new file`);
  const folder = dirname(file);
  await access(folder, constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw usageError(`cannot write to ${folder} (${code})`);
  });
}
