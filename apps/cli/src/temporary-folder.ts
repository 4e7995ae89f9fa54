import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoneOnInterruption } from './interruption.ts';

/** Runs work with a new folder that only its owner can read; it is removed afterwards, and on interruption. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'posture-'));
  const remove = undoneOnInterruption(() => rm(folder, { recursive: true, force: true }));
  try {
    return await work(folder);
  } finally {
    await remove();
  }
}
