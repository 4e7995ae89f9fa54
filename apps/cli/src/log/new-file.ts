import { access } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';

/** @throws CliError exit 2 where there is a file of that name: nothing is written over */
export async function assertNew(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw usageError(`${file} exists already: name a new file`);
}
