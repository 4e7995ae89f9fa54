import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from './folders.ts';
import { StorageError } from './storage-error.ts';

const OWNER_ONLY = 0o600;

export interface DurableOptions {
  /** Whom the file belongs to, if not the user of this process. */
  owner?: { uid: number; gid: number } | undefined;
  /** Keeps a file that exists: of several processes that write at once, the first wins. */
  ifAbsent?: boolean;
}

/**
 * Writes a small file that only its owner may read, and makes its folder if that is missing. When it returns, text
 * and name are on the disk; a crash or a power loss before leaves the previous file, never an empty or truncated one.
 * @throws StorageError
 */
export async function writeDurably(path: string, text: string, options: DurableOptions = {}): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeDraft(draft, text, options);
    if (options.ifAbsent) await linkIfAbsent(draft, path);
    else await rename(draft, path);
    await syncFolder(folder);
  } catch (error) {
    throw new StorageError(path, error as NodeJS.ErrnoException);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeDraft(draft: string, text: string, { owner }: DurableOptions): Promise<void> {
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function linkIfAbsent(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
