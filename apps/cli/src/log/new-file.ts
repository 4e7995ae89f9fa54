import { access } from 'node:fs/promises';
import { usageError } from '../cli-error.ts';

/** @throws CliError exit 2 if there is a file of that name: nothing is written over */
export async function assertNew(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw usageError(`${file} already exists: name a new file`);
}
